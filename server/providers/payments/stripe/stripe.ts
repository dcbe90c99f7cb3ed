import { limits } from '#config/limits.ts'
import Stripe from 'stripe'
import type { Payments } from '../payments.ts'
import { allOf, found, idOf } from './asked.ts'
import { cards } from './cards.ts'
import { closeInvoice } from './close-invoice.ts'
import { customers } from './customers.ts'
import { plans } from './plans.ts'
import { openPrices } from './prices.ts'
import { previews } from './previews.ts'
import { readEvent, toEvent } from './read-event.ts'
import { toInvoice } from './to-plan.ts'
import { watched, type ProviderRequest } from './watched.ts'

type Options = {
  secretKey: string
  webhookSecret: string
  /** Ids or lookup keys of every price that the plans have. */
  prices: readonly string[]
  fetch?: typeof globalThis.fetch | undefined
  /** Milliseconds that one request may take; it is repeated once. */
  timeout?: number
  now?: () => Date
  /** Is told of each request, once it is over. */
  onRequest?: (request: ProviderRequest) => void
}

/** Payments through Stripe's own SDK. With another `fetch` the same requests reach a stand-in instead. */
export function openStripePayments({
  secretKey,
  webhookSecret,
  prices: names,
  fetch = globalThis.fetch,
  timeout = limits.billing.providerTimeout,
  now = () => new Date(),
  onRequest = () => {},
}: Options): Payments {
  const stripe = new Stripe(secretKey, {
    maxNetworkRetries: 1,
    timeout,
    httpClient: Stripe.createFetchHttpClient(watched(fetch, onRequest)),
  })
  const prices = openPrices(stripe, names, now)

  return {
    ...customers(stripe),
    ...plans(stripe, prices),
    ...previews(stripe, prices),
    ...cards(stripe),

    async findInvoice(id) {
      const invoice = await found(stripe.invoices.retrieve(id))
      if (!invoice) return undefined
      const { metadata, subscription } = invoice.parent?.subscription_details ?? {}
      return { invoice: toInvoice(invoice), subscriptionId: metadata?.['subscriptionId'], planId: idOf(subscription) }
    },

    async closeInvoice(id) {
      const invoice = await found(stripe.invoices.retrieve(id))
      if (invoice) await closeInvoice(stripe, invoice)
    },

    async findInvoiceLinks(id) {
      const { hosted_invoice_url: page, invoice_pdf: pdf } = (await found(stripe.invoices.retrieve(id))) ?? {}
      return page && pdf ? { page, pdf } : undefined
    },

    async *listUndelivered() {
      for await (const found of allOf(stripe.events.list({ delivery_success: false, limit: 100 }))) {
        const event = toEvent(found)
        if (event) yield event
      }
    },

    readEvent: (body, signature) => readEvent(stripe, { body, signature, secret: webhookSecret }),
  }
}
