import { limits } from '#config/limits.ts'
import Stripe from 'stripe'
import type { Payments } from '../payments.ts'
import { serverAt } from './server-at.ts'
import { found } from './asked.ts'
import { cards } from './cards.ts'
import { customers } from './customers.ts'
import { plans } from './plans.ts'
import { openPrices } from './prices.ts'
import { previews } from './previews.ts'
import { readEvent, toEvent } from './read-event.ts'
import { returned } from './returned.ts'
import { toInvoice } from './to-plan.ts'

type Options = {
  secretKey: string
  webhookSecret: string
  /** Ids or lookup keys of every price that the plans have. */
  prices: readonly string[]
  /** The provider reckons tax, and puts it on top. */
  tax?: boolean
  fetch?: typeof fetch | undefined
  /** Another server that speaks Stripe's API, as `http://localhost:4242`. */
  apiBase?: string | undefined
  /** Milliseconds that one request may take; it is repeated once. */
  timeout?: number
}

/** Payments through Stripe's own SDK. With another `fetch` the same requests reach a stand-in instead. */
export function openStripePayments({
  secretKey,
  webhookSecret,
  prices: names,
  tax = false,
  fetch,
  apiBase,
  timeout = limits.billing.providerTimeout,
}: Options): Payments {
  const stripe = new Stripe(secretKey, {
    maxNetworkRetries: 1,
    timeout,
    ...serverAt(apiBase),
    ...(fetch && { httpClient: Stripe.createFetchHttpClient(fetch) }),
  })
  const prices = openPrices(stripe, names)

  return {
    ...customers(stripe, tax),
    ...plans(stripe, prices, tax),
    ...previews(stripe, prices, tax),
    ...cards(stripe),
    ...returned(stripe),

    async findInvoice(id) {
      const invoice = await found(stripe.invoices.retrieve(id))
      if (!invoice) return undefined
      return { invoice: toInvoice(invoice), subscriptionId: invoice.parent?.subscription_details?.metadata?.['subscriptionId'] }
    },

    async findInvoiceLinks(id) {
      const { hosted_invoice_url: page, invoice_pdf: pdf } = (await found(stripe.invoices.retrieve(id))) ?? {}
      return page && pdf ? { page, pdf } : undefined
    },

    async *listUndelivered() {
      for await (const found of stripe.events.list({ delivery_success: false, limit: 100 })) {
        const event = toEvent(found)
        if (event) yield event
      }
    },

    readEvent: (body, signature) => readEvent(stripe, { body, signature, secret: webhookSecret }),
  }
}
