import { Hono } from 'hono'
import Stripe from 'stripe'
import { expect, onTestFinished } from 'vitest'
import type { CustomerShown, EventShown, PaymentShown } from '../pages/control-overview.ts'
import type { Settings } from '../control/settings.ts'
import type { SandboxPrice } from '../objects/price.ts'
import { openSandbox, type SandboxOptions } from '../sandbox.ts'
import { aPool } from './a-database.ts'
import { validatingFetch } from './wire/validating-fetch.ts'
import { violationsOfAnswer, type WireResponse } from './wire/violations.ts'

export { day, hour, week } from '../objects/due-at.ts'

export const webhookSecret = 'whsec_sandbox'

/** The JSON of an answer, with types for the fields that tests read. */
export type Wire = {
  object?: string
  id?: string
  status?: string
  client_secret?: string
  data?: Wire[]
  payments?: { data: Wire[] }
  payment?: { payment_intent: string }
  next_action?: { redirect_to_url?: { url: string } }
  error?: { type: string; message: string; payment_intent?: object }
  [name: string]: unknown
}

type Overview = {
  settings: Settings
  customers: CustomerShown[]
  payments: PaymentShown[]
  events: EventShown[]
}

const silent = { info: () => undefined, error: () => undefined }
const weekly = { interval: 'week', intervalCount: 1 } as const
const prices: SandboxPrice[] = [
  {
    id: 'price_pro',
    product: { id: 'prod_pro', name: 'Pro' },
    ...weekly,
    amounts: { usd: 1000, eur: 900 },
  },
  {
    id: 'price_enterprise',
    product: { id: 'prod_enterprise', name: 'Enterprise' },
    ...weekly,
    amounts: { usd: 3000 },
  },
]

/** A sandbox with Stripe's SDK, requests as from a browser, and a recorder of webhooks. */
export async function aSandbox(changed: Partial<SandboxOptions> = {}) {
  const pool = changed.pool ?? (await aPool())
  const received: { body: string; headers: Record<string, string> }[] = []
  const opened = await openSandbox({
    pool,
    publicUrl: 'http://localhost:3000',
    webhookSecret,
    deliver: async (body, headers) => {
      received.push({ body, headers })
      return 200
    },
    prices,
    productName: 'Pergola',
    log: silent,
    ...changed,
  })
  const violations: string[] = []
  onTestFinished(async () => {
    await opened.close()
    expect(violations).toEqual([])
  })
  const sandbox = { ...opened, fetch: validatingFetch(opened.fetch, violations) }
  const app = new Hono().route('/sandbox', sandbox.routes)
  const stripe = new Stripe('sk_test_sandbox', {
    httpClient: Stripe.createFetchHttpClient(sandbox.fetch),
    maxNetworkRetries: 0,
  })

  const open = async (path: string, init?: RequestInit) =>
    app.fetch(new Request(new URL(path, 'http://localhost:3000'), init))
  const submit = (
    path: string,
    form: Record<string, string>,
    headers: Record<string, string> = {},
  ) => open(path, { method: 'POST', headers, body: new URLSearchParams(form) })

  const json = async (path: string, body: object) => {
    const answer = await open(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: answer.status, body: (await answer.json()) as object }
  }

  return {
    pool,
    stripe,
    sandbox,
    received,
    open,
    submit,
    events: () => received.map(({ body }) => JSON.parse(body) as Stripe.Event),
    advance: async (seconds: number) => {
      const { body } = await json('/sandbox/clock', { advanceSeconds: seconds })
      return body as { now: number; at: string }
    },
    control: (wish: object) => json('/sandbox/control', wish),
    overview: async () => (await (await open('/sandbox/control.json')).json()) as Overview,
    /** Sends a form to the API as Stripe.js does, with a publishable key. */
    asBrowser: async (path: string, form: Record<string, string>) => {
      const answer = await submit(`/sandbox/stripe/v1${path}`, form, {
        authorization: 'Bearer pk_test_sandbox',
      })
      return { status: answer.status, body: (await answer.json()) as Wire }
    },
    /** Sends a request without the SDK, so that tests can send invalid requests. */
    raw: async (
      method: string,
      path: string,
      form?: Record<string, string>,
      headers: Record<string, string> = {},
    ) => {
      const url = `https://api.stripe.com/v1${path}`
      const answer = await opened.fetch(url, {
        method,
        headers: { authorization: 'Bearer sk_test_sandbox', ...headers },
        body: form ? new URLSearchParams(form) : null,
      })
      const { status } = answer
      const response: WireResponse = { status, headers: answer.headers, body: await answer.text() }
      violations.push(...violationsOfAnswer({ method, url }, response))
      return { ...response, body: JSON.parse(response.body) as Wire }
    },
    aCustomer: async (card?: string) => {
      const customer = await stripe.customers.create({
        email: 'ann@example.com',
        name: 'Ann',
        address: { country: 'US', city: 'Boston' },
      })
      if (!card) return { customer, card: undefined }
      const attached = await stripe.paymentMethods.attach(card, { customer: customer.id })
      await stripe.customers.update(customer.id, {
        invoice_settings: { default_payment_method: attached.id },
      })
      return { customer, card: attached }
    },
    balanceOf: async (customer: string) =>
      ((await stripe.customers.retrieve(customer)) as Stripe.Customer).balance,
    /** Creates a subscription with the parameters that a typical server sends. */
    subscribes: async (
      customer: string,
      card: string | undefined,
      price = 'price_pro',
      more: Partial<Stripe.SubscriptionCreateParams> = {},
    ) =>
      withIntent(
        stripe,
        await stripe.subscriptions.create({
          customer,
          items: [{ price }],
          ...(card ? { default_payment_method: card } : {}),
          payment_behavior: 'allow_incomplete',
          payment_settings: { save_default_payment_method: 'on_subscription' },
          off_session: false,
          expand: [
            'latest_invoice.confirmation_secret',
            'latest_invoice.payments',
            'pending_setup_intent',
          ],
          ...more,
        }),
      ),
  }
}

type Subscribing = Partial<SandboxOptions> & { card?: string; price?: string }
type PaymentBehavior = Stripe.SubscriptionUpdateParams.PaymentBehavior

/** A sandbox with a customer who pays for a subscription by card. */
export async function aSubscription({
  card: testId = 'pm_card_visa',
  price = 'price_pro',
  ...options
}: Subscribing = {}) {
  const sandbox = await aSandbox(options)
  const { stripe } = sandbox
  const { customer, card } = await sandbox.aCustomer(testId)
  const subscription = await sandbox.subscribes(customer.id, card?.id, price)
  const { id } = subscription
  const item = subscription.items.data[0]!.id
  return {
    ...sandbox,
    customer,
    card: card!.id,
    subscription,
    item,
    now: () => stripe.subscriptions.retrieve(id),
    status: async () => (await stripe.subscriptions.retrieve(id)).status,
    invoices: async (params: Stripe.InvoiceListParams = {}) =>
      (await stripe.invoices.list({ subscription: id, limit: 100, ...params })).data,
    /** Attaches another card and makes it the subscription's default. */
    use: async (other: string) => {
      const attached = await stripe.paymentMethods.attach(other, { customer: customer.id })
      await stripe.subscriptions.update(id, { default_payment_method: attached.id })
      return attached.id
    },
    /** Changes the price, and invoices the difference at once. */
    change: async (to: string, payment_behavior: PaymentBehavior = 'error_if_incomplete') => {
      const changed = await stripe.subscriptions.update(id, {
        items: [{ id: item, price: to }],
        proration_behavior: 'always_invoice',
        payment_behavior,
        expand: ['latest_invoice.payments'],
      })
      return withIntent(stripe, changed)
    },
  }
}

/** The subscription with its newest invoice's payment intent, too deep for `expand`. */
export async function withIntent(stripe: Stripe, subscription: Stripe.Subscription) {
  const payment = invoiceOf(subscription).payments?.data[0]?.payment
  if (payment?.payment_intent)
    payment.payment_intent = await stripe.paymentIntents.retrieve(payment.payment_intent as string)
  return subscription
}

export function invoiceOf(subscription: Stripe.Subscription): Stripe.Invoice {
  return subscription.latest_invoice as Stripe.Invoice
}

export function intentOf(subscription: Stripe.Subscription): Stripe.PaymentIntent {
  return invoiceOf(subscription).payments?.data[0]?.payment.payment_intent as Stripe.PaymentIntent
}
