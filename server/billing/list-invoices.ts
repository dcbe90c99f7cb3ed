import { invoiceAddresses } from './invoice-addresses.ts'
import { handle } from '../core/handle.ts'

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
