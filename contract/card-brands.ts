const brands: Record<string, string> = {
  amex: 'American Express',
  cartes_bancaires: 'Cartes Bancaires',
  diners: 'Diners Club',
  eftpos_au: 'eftpos',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
}

/** Turns the payment provider's name of a brand into the name on screen: `visa` into `Visa`. */
export function brandName(brand: string) {
  return brands[brand] ?? brand.charAt(0).toUpperCase() + brand.slice(1)
}
