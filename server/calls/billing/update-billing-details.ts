import { contactOf, customerOf } from '../../billing/customer.ts'
import { handle } from '../../handle.ts'

export const updateBillingDetails = handle('updateBillingDetails', async ({ input, subscription: { id } }, services) => {
  const { payments, store } = services
  const { name, phone, address, billing_email: billingEmail, tax_id: taxId, receipts } = input
  const row = (await store.billing.find(id))!
  const customerId = await customerOf(row, services)
  if (taxId !== undefined) await payments.setTaxId(customerId, taxId)
  const email = await contactOf({ ...row, ...(billingEmail !== undefined && { billingEmail }) }, services)
  await payments.setCustomer(customerId, { name, phone, address, email })
  await store.billing.set(id, { ...(billingEmail !== undefined && { billingEmail }), ...(receipts !== undefined && { receipts }) })
  return {}
})
