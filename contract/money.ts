/** Minor units of a currency, as an amount: in every language as the invoices have it. */
export function formatMoney(total: number, currency: string) {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(total / 100)
}
