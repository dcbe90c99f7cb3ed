import { billingLimits } from '#config/limits.ts'
import Stripe from 'stripe'
import type { Payments, Unpaid } from '../payments.ts'
import { account } from './account.ts'
import { allOf, found, idOf } from './asked.ts'
import { cards } from './cards.ts'
import { closeInvoice } from './close-invoice.ts'
import { customers } from './customers.ts'
import { plans } from './plans.ts'
import { openPrices } from './prices.ts'
import { previews } from './previews.ts'
import { readEvent, toEvent } from './read-event.ts'
import { returned } from './returned.ts'
import { serverAt } from './server-at.ts'
import { events } from './set-up-endpoint.ts'
import { toPage } from './to-page.ts'
import { projectOf, toInvoice } from './to-plan.ts'
import { watched, type ProviderRequest } from './watched.ts'

type Options = {
  secretKey: string
  webhookSecret: string
  /** Ids or lookup keys of every price that the plans have. */
  prices: readonly string[]
  /** The provider reckons tax, and puts it on top. */
  tax?: boolean
  unpaid?: Unpaid
  fetch?: typeof globalThis.fetch | undefined
  /** Another server that speaks Stripe's API, as `http://localhost:4242`. */
  apiBase?: string | undefined
  /** Milliseconds that one request may take; it is repeated once. */
  timeout?: number
  now?: () => Date
  /** Awaited before each request, which is not sent if it rejects. */
  before?: () => Promise<void>
  /** Called with each request, once it is over. */
  onRequest?: (request: ProviderRequest) => void
}

/** Payments through Stripe's own SDK. With another `fetch` the same requests reach a stand-in instead. */
export function openStripePayments({
  secretKey,
  webhookSecret,
  prices: names,
  tax = false,
  unpaid = 'void',
  fetch = globalThis.fetch,
  apiBase,
  timeout = billingLimits.providerTimeout,
  now = () => new Date(),
  before = async () => {},
  onRequest = () => {},
}: Options): Payments {
  const stripe = new Stripe(secretKey, {
    maxNetworkRetries: 1,
    timeout,
    ...serverAt(apiBase),
    httpClient: Stripe.createFetchHttpClient(waiting(watched(fetch, onRequest), before)),
  })
  const prices = openPrices(stripe, names, now)

  return {
    ...account(stripe, secretKey),
    ...customers(stripe, tax),
    ...plans(stripe, prices, { tax, unpaid }),
    ...previews(stripe, prices, tax),
    ...cards(stripe),
    ...returned(stripe),

    async findInvoice(id) {
      const invoice = await found(stripe.invoices.retrieve(id))
      if (!invoice) return undefined
      const { subscription } = invoice.parent?.subscription_details ?? {}
      return {
        invoice: toInvoice(invoice),
        subscriptionId: projectOf(invoice),
        planId: idOf(subscription),
      }
    },

    async closeInvoice(id) {
      const invoice = await found(stripe.invoices.retrieve(id))
      if (invoice) await closeInvoice(stripe, invoice, unpaid)
    },

    async findInvoiceLinks(id) {
      const { hosted_invoice_url: page, invoice_pdf: pdf } =
        (await found(stripe.invoices.retrieve(id))) ?? {}
      return page && pdf ? { page, pdf } : undefined
    },

    async *listInvoices(part) {
      for await (const invoice of allOf(stripe.invoices.list(toPage(part))))
        yield { ...toInvoice(invoice), subscriptionId: projectOf(invoice) }
    },

    async *listUndelivered(part) {
      for await (const found of allOf(
        stripe.events.list({ ...toPage(part), delivery_success: false, types: [...events] }),
      )) {
        const event = toEvent(found)
        if (event) yield event
      }
    },

    readEvent: (body, signature) => readEvent(stripe, { body, signature, secret: webhookSecret }),
  }
}

function waiting(send: typeof fetch, before: () => Promise<void>): typeof fetch {
  return async (...request) => {
    await before()
    return send(...request)
  }
}
