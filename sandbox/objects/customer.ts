import type Stripe from 'stripe'
import { refused } from '../rules/errors.ts'
import { refusals } from '../rules/refusals.ts'
import { newId, randomLetters } from './ids.ts'
import type { Customer } from './wire.ts'

export type AddressChange = { [Part in keyof Stripe.Address]?: string | null }

export function newCustomer(now: number): Customer {
  return {
    id: newId('cus'),
    object: 'customer',
    address: null,
    balance: 0,
    created: now,
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: null,
    discount: null,
    email: null,
    invoice_prefix: randomLetters(8).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: {},
    name: null,
    next_invoice_sequence: 1,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  }
}

const noAddress: Stripe.Address = {
  city: null,
  country: null,
  line1: null,
  line2: null,
  postal_code: null,
  state: null,
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
