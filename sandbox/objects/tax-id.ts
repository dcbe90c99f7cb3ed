import { newObject } from './new-object.ts'
import type { TaxId } from './wire.ts'

export function newTaxId(
  { customer, type, value }: Pick<TaxId, 'customer' | 'type' | 'value'>,
  now: number,
): TaxId {
  return {
    ...newObject('tax_id', 'txi', now),
    country: countryOf(type, value),
    customer,
    customer_account: null,
    owner: { customer, customer_account: null, type: 'customer' },
    type,
    value,
    verification: {
      status: verified.has(type) ? 'pending' : 'unavailable',
      verified_address: null,
      verified_name: null,
    },
  }
}

/** The types that Stripe verifies with the authorities. In the sandbox they stay `pending`. */
const verified = new Set<string>(['au_abn', 'eu_vat', 'gb_vat', 'in_gst'])

/** A type begins with its country's code; an EU VAT id's value does, where EL means Greece. */
function countryOf(type: string, value: string): string | null {
  if (type === 'eu_oss_vat') return null
  if (type !== 'eu_vat') return type.slice(0, 2).toUpperCase()
  const prefix = value.slice(0, 2).toUpperCase()
  return prefix === 'EL' ? 'GR' : prefix
}
