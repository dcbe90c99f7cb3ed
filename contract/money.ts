/** An amount in minor units, formatted as on invoices in every language. */
export function formatMoney(total: number, currency: string) {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(total / 100)
}
