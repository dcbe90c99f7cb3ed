import { isHandingOver } from './handing-over.ts'
import { handle } from '../core/handle.ts'

const untold = {
  name: '',
  phone: '',
  address: { line1: '', city: '', state: '', postal_code: '', country: '' },
  tax_id: null,
  credit: 0,
}

export const getBillingDetails = handle(
  'getBillingDetails',
  async ({ subscription }, { store, payments, jobs }) => {
    const { customerId, billingEmail, receipts } = (await store.billing.find(subscription.id))!
    const isToldBefore = customerId !== null && !(await isHandingOver(subscription.id, { jobs }))
    const told = (isToldBefore && (await payments.findBillingDetails(customerId))) || untold
    return { ...told, billing_email: billingEmail, receipts }
  },
)
