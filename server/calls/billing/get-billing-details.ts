import { handle } from '../../handle.ts'

const untold = { name: '', phone: '', address: { line1: '', city: '', state: '', postal_code: '', country: '' }, tax_id: null, credit: 0 }

export const getBillingDetails = handle('getBillingDetails', async ({ subscription }, { store, payments }) => {
  const { customerId, billingEmail, receipts } = (await store.billing.find(subscription.id))!
  const told = (customerId && (await payments.findBillingDetails(customerId))) || untold
  return { ...told, billing_email: billingEmail, receipts }
})
