import { handle } from '../../handle.ts'

export const listInvoices = handle('listInvoices', async ({ input, subscription }, { store }) =>
  store.invoices.list(subscription.id, input),
)
