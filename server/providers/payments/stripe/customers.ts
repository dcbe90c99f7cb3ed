import { languages } from '#config/languages.ts'
import type { Address } from '#contract/entities.ts'
import type { TaxIdType } from '#contract/tax-ids.ts'
import type Stripe from 'stripe'
import type { Payments } from '../payments.ts'
import { Refusal } from '../../../refusal.ts'
import { asked, found, once } from './asked.ts'

type Customers = Pick<Payments, 'addCustomer' | 'setCustomer' | 'findBillingDetails' | 'setTaxId' | 'removeCustomer'>

/** `tax`: only an address whose tax can be reckoned is taken. */
export function customers(stripe: Stripe, tax: boolean): Customers {
  return {
    /** Told nothing but its project, so that asking again is the same request. */
    async addCustomer({ subscriptionId, attempt }) {
      const customer = await once({
        key: `${attempt}:customer`,
        send: (options) => stripe.customers.create({ metadata: { subscriptionId } }, options),
      })
      return customer.id
    },

    async setCustomer(customerId, { address, language, ...about }) {
      const changed = {
        ...about,
        ...(address && { address: toStripe(address), ...(tax && { tax: { validate_location: 'immediately' as const } }) }),
        ...(language && { preferred_locales: [languages[language].paymentLocale] }),
      }
      await known(stripe.customers.update(customerId, changed))
    },

    async findBillingDetails(customerId) {
      const [customer, taxIds] = await Promise.all([
        found(stripe.customers.retrieve(customerId)),
        found(stripe.customers.listTaxIds(customerId, { limit: 1 })),
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

    /** The new one first: a wrong one leaves the old one in place. */
    async setTaxId(customerId, taxId) {
      const { data } = await known(stripe.customers.listTaxIds(customerId, { limit: 100 }))
      const isKept = (known: Stripe.TaxId) => known.type === taxId?.type && known.value === taxId.value
      if (taxId && !data.some(isKept)) await asked(stripe.customers.createTaxId(customerId, taxId))
      for (const known of data) if (!isKept(known)) await found(stripe.customers.deleteTaxId(customerId, known.id))
    },

    async removeCustomer(customerId) {
      await found(stripe.customers.del(customerId))
    },
  }
}

/** Of a customer who was deleted there, the provider's error names no more than an id. */
async function known<Answer>(answer: Promise<Answer>): Promise<Answer> {
  const got = await found(answer)
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

/** What is empty here is emptied there. */
function toStripe({ line2 = '', ...address }: Address): Stripe.AddressParam {
  return { ...address, line2 }
}
