/** Formats an amount in minor units as invoices show it, the same in every language. */
export function formatMoney(total: number, currency: string) {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(total / 100)
}
