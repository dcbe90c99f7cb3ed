import { languages } from '#config/languages.ts'
import type { Address, TaxId } from '#contract/entities.ts'
import type { TaxIdType } from '#contract/tax-ids.ts'
import type Stripe from 'stripe'
import type { OnInvoices, Payments } from '../payments.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { CustomerId } from '../../../platform/ids.ts'
import { once, orUndefined } from './answers.ts'

/** With `tax`, Stripe refuses an address for which it can't calculate tax. */
export function customers(stripe: Stripe, tax: boolean) {
  /** Creates the new tax id first, so that the old one stays if the new one is wrong. */
  async function setTaxId(customerId: string, taxId: TaxId | null) {
    const { data } = await known(stripe.customers.listTaxIds(customerId, { limit: 100 }))
    const isKept = (known: Stripe.TaxId) =>
      known.type === taxId?.type && known.value === taxId.value
    if (taxId && !data.some(isKept)) await stripe.customers.createTaxId(customerId, taxId)
    for (const known of data)
      if (!isKept(known)) await orUndefined(stripe.customers.deleteTaxId(customerId, known.id))
  }

  return {
    setTaxId,

    /** Sends only the subscription's id, so that a repeated request equals the first one. */
    async createCustomer({ subscriptionId, attempt }) {
      const customer = await once({
        key: `${attempt}:customer`,
        send: (options) => stripe.customers.create({ metadata: { subscriptionId } }, options),
      })
      return customer.id as CustomerId
    },

    async updateCustomer(customerId, { address, language, onInvoices, ...about }) {
      const changed = {
        ...about,
        ...(address && {
          address: toStripe(address),
          ...(tax && { tax: { validate_location: 'immediately' as const } }),
        }),
        ...(language && { preferred_locales: [languages[language].paymentLocale ?? language] }),
        ...(onInvoices && {
          invoice_settings: {
            custom_fields: onInvoices.fields.map(toCustomField),
            footer: onInvoices.footer,
          },
        }),
      }
      await known(stripe.customers.update(customerId, changed))
    },

    async findBillingDetails(customerId) {
      const [customer, taxIds] = await Promise.all([
        orUndefined(stripe.customers.retrieve(customerId)),
        orUndefined(stripe.customers.listTaxIds(customerId, { limit: 1 })),
      ])
      if (!customer || customer.deleted || !taxIds) return undefined
      const [taxId] = taxIds.data
      return {
        name: customer.name ?? '',
        phone: customer.phone ?? '',
        address: toAddress(customer.address),
        credit: Math.max(0, -customer.balance),
        tax_id: taxId ? { type: taxId.type as TaxIdType, value: taxId.value } : null,
      }
    },

    /** With `tax`, Stripe needs the state, postal code and country to bill the next week. */
    async clearBillingDetails(customerId) {
      await setTaxId(customerId, null)
      const customer = tax ? await known(stripe.customers.retrieve(customerId)) : undefined
      const { state, postal_code, country } = toAddress(
        customer?.deleted ? null : customer?.address,
      )
      const address = { line1: '', line2: '', city: '', state, postal_code, country }
      await known(stripe.customers.update(customerId, { name: '', phone: '', address }))
    },

    async removeCustomer(customerId) {
      await orUndefined(stripe.customers.del(customerId))
    },
  } satisfies Partial<Payments>
}

/** For a deleted customer, Stripe's own error does not say that the customer is missing. */
async function known<Answer>(answer: Promise<Answer>): Promise<Answer> {
  const got = await orUndefined(answer)
  if (got === undefined) throw new Refusal('customerNotFound')
  return got
}

function toAddress(address: Stripe.Address | null | undefined): Address {
  const { line1, line2, city, state, postal_code, country } = address ?? {}
  return {
    line1: line1 ?? '',
    ...(line2 && { line2 }),
    city: city ?? '',
    state: state ?? '',
    postal_code: postal_code ?? '',
    country: country ?? '',
  }
}

/** Stripe takes 40 characters of a name and 140 of a value. */
function toCustomField({ label, value }: OnInvoices['fields'][number]) {
  const first = (most: number, text: string) => Array.from(text).slice(0, most).join('')
  return { name: first(40, label), value: first(140, value) }
}

/** Sends an empty `line2` if the address has none, which makes Stripe empty the field. */
function toStripe({ line2 = '', ...address }: Address): Stripe.AddressParam {
  return { ...address, line2 }
}
