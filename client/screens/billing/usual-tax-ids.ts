import { taxIdTypes, type TaxIdType } from '#contract/tax-ids.ts'

const european = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
)

/** What somebody in a country is likely to have, the likeliest first. */
export function usualTaxIds(country: string): TaxIdType[] {
  const own = taxIdTypes.filter((type) => type.startsWith(`${country.toLowerCase()}_`))
  return european.has(country) ? ['eu_vat', ...own] : own
}
