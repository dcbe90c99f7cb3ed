import { changedFields, person, record } from '../activity/activity.ts'
import { contactOf, withCustomer } from './customer.ts'
import { handle } from '../core/handle.ts'

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
        await record(
          'billingDetailsChanged',
          { by: person(user), in: id, details: { fields } },
          services,
        )
    })
    return {}
  },
)
