import type Stripe from 'stripe'
import { refused } from '../rules/errors.ts'
import { refusals } from '../rules/refusals.ts'
import { newObject, nulls, randomLetters } from './new-object.ts'
import type { Customer } from './wire.ts'

export type AddressChange = { [Part in keyof Stripe.Address]?: string | null }

export function newCustomer(now: number): Customer {
  return {
    ...newObject('customer', 'cus', now),
    ...nulls(
      'address currency customer_account default_source description discount email name phone',
      'shipping test_clock',
    ),
    balance: 0,
    delinquent: false,
    invoice_prefix: randomLetters(8).toUpperCase(),
    invoice_settings: {
      ...nulls('custom_fields default_payment_method footer rendering_options'),
    },
    metadata: {},
    next_invoice_sequence: 1,
    preferred_locales: [],
    tax_exempt: 'none',
  }
}

const noAddress: Stripe.Address = {
  ...nulls('city country line1 line2 postal_code state'),
}

/** The address after a change. Parts that are not given stay, as noted of a live call to Stripe. */
export function mergedAddress(
  before: Stripe.Address | null | undefined,
  given: AddressChange | null,
): Stripe.Address | null {
  if (!given) return null
  return {
    ...(before ?? noAddress),
    ...Object.fromEntries(Object.entries(given).filter(([, part]) => part !== undefined)),
  }
}

export function defaultCardOf(customer: Customer): string | null {
  return customer.invoice_settings.default_payment_method as string | null
}

/** Whether tax can be calculated: the address has a country and, in the US, a valid ZIP code. */
export function isPlaced(address: Customer['address']): boolean {
  if (!address?.country) return false
  return address.country !== 'US' || /^(?!00000)\d{5}(-\d{4})?$/.test(address.postal_code ?? '')
}

/** Refuses another currency than that of the customer's invoices. */
export function refuseCombining({ currency: own }: Pick<Customer, 'currency'>, currency: string) {
  if (own && own !== currency) throw refused(refusals.otherCurrency, { currency: own })
}
