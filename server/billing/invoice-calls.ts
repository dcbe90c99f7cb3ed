import { changedFields, record } from '../activity/record.ts'
import { handle } from '../core/handle.ts'
import { Refusal } from '../platform/refusal.ts'
import { charge } from './charge.ts'
import { contactOf, withCustomer } from './customer.ts'
import { isHandingOver } from './handing-over.ts'
import { invoiceAddresses } from './invoice-addresses.ts'
import { removeCardsOfOthers } from './remove-card.ts'
import { syncPlan } from './sync.ts'

export const listInvoices = handle('listInvoices', async ({ input, subscription }, services) => {
  const { invoices, total } = await services.store.invoices.list(subscription.id, input)
  return {
    invoices: invoices.map(({ token, ...invoice }) => ({
      ...invoice,
      ...invoiceAddresses({ ...invoice, token }, services),
    })),
    total,
  }
})

export const previewPayment = handle(
  'previewPayment',
  async ({ subscription, user }, { rateLimits, payments, store }) => {
    await rateLimits.consume('previewsByAccount', user.uid)
    const { providerSubscriptionId: planId } = (await store.billing.find(subscription.id))!
    const owed = planId === null ? undefined : await payments.previewPayment(planId)
    return { owed: owed ?? null }
  },
)

export const payInvoice = handle(
  'payInvoice',
  async ({ input: { paymentMethodId }, subscription, user }, services) => {
    const { providerSubscriptionId: planId } = (await services.store.billing.find(subscription.id))!
    const before = planId === null ? undefined : await syncPlan(planId, services)
    if (!before || before.payment === 'ok') throw new Refusal('notOverdue')
    if (before.clientSecret !== undefined && paymentMethodId === undefined)
      return { clientSecret: before.clientSecret }
    const outcome = await charge({ subscriptionId: subscription.id, user }, services, async () => {
      // A card that has paid is what the next weeks are charged to; one that the bank refuses changes nothing.
      await services.payments.payInvoice(before.id, paymentMethodId)
      return before.id
    })
    if (outcome.clientSecret === undefined)
      await removeCardsOfOthers(subscription.id, user, services)
    return outcome
  },
)

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

export const updateBillingDetails = handle(
  'updateBillingDetails',
  async ({ input, subscription: { id }, user }, services) => {
    const { payments, store } = services
    const { name, phone, address, billing_email: billingEmail, tax_id: taxId, receipts } = input
    const row = (await store.billing.find(id))!
    const contact = await contactOf(
      { ...row, ...(billingEmail !== undefined && { billingEmail }) },
      services,
    )
    const fields = await withCustomer(row, services, async (customerId) => {
      const before = {
        ...(await payments.findBillingDetails(customerId)),
        billing_email: row.billingEmail,
        receipts: row.receipts,
      }
      if (taxId !== undefined) await payments.setTaxId(customerId, taxId)
      await payments.setCustomer(customerId, { name, phone, address, ...contact })
      return changedFields(before, {
        name,
        phone,
        address,
        billing_email: billingEmail,
        tax_id: taxId,
        receipts,
      })
    })
    await services.transaction(async (services) => {
      await services.store.billing.set(id, {
        billingEmail: billingEmail === undefined ? row.billingEmail : billingEmail,
        receipts: receipts ?? row.receipts,
      })
      if (fields.length > 0)
        await record('billingDetailsChanged', { by: user, in: id, details: { fields } }, services)
    })
    return {}
  },
)
