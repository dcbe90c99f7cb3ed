import { languages } from '#config/languages.ts'
import type { Address } from '#contract/entities.ts'
import type { TaxIdType } from '#contract/tax-ids.ts'
import type Stripe from 'stripe'
import type { Payments } from '../payments.ts'
import { asked, found } from './asked.ts'

type Customers = Pick<Payments, 'addCustomer' | 'setCustomer' | 'findBillingDetails' | 'setTaxId' | 'removeCustomer'>

/** `tax`: only an address whose tax can be reckoned is taken. */
export function customers(stripe: Stripe, tax: boolean): Customers {
  return {
    /** Told nothing but its project, so that asking again is the same request. */
    async addCustomer({ subscriptionId, attempt }) {
      const customer = await asked(stripe.customers.create({ metadata: { subscriptionId } }, { idempotencyKey: `${attempt}:customer` }))
      return customer.id
    },

    async setCustomer(customerId, { address, language, ...about }) {
      const changed = {
        ...about,
        ...(address && { address: toStripe(address), ...(tax && { tax: { validate_location: 'immediately' as const } }) }),
        ...(language && { preferred_locales: [languages[language].paymentLocale] }),
      }
      await asked(stripe.customers.update(customerId, changed))
    },

    async findBillingDetails(customerId) {
      const [customer, taxIds] = await Promise.all([
        asked(stripe.customers.retrieve(customerId)),
        asked(stripe.customers.listTaxIds(customerId, { limit: 1 })),
      ])
      if (customer.deleted) throw new Error(`Customer ${customerId} was deleted at the provider.`)
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
      const { data } = await asked(stripe.customers.listTaxIds(customerId, { limit: 100 }))
      const isKept = (known: Stripe.TaxId) => known.type === taxId?.type && known.value === taxId.value
      if (taxId && !data.some(isKept)) await asked(stripe.customers.createTaxId(customerId, taxId))
      for (const known of data) if (!isKept(known)) await found(stripe.customers.deleteTaxId(customerId, known.id))
    },

    async removeCustomer(customerId) {
      await found(stripe.customers.del(customerId))
    },
  }
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
