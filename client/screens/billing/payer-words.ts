import type { ProjectBilling, TaxId } from '#contract/entities.ts'
import { taxIdName } from '#contract/tax-ids.ts'

/** `Ann Archer · 1 Main Street · 62701 Springfield`, or empty if nothing was filled in. */
export function payerOf({ name, address }: ProjectBilling) {
  const { line1, line2, postal_code, city } = address
  return [name, line1, line2, [postal_code, city].filter(Boolean).join(' ')]
    .filter(Boolean)
    .join(' · ')
}

/** `EU VAT number DE123456789` */
export function taxIdText({ type, value }: TaxId) {
  return `${taxIdName(type)} ${value}`
}
