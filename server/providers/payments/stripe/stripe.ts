import { billingLimits } from '#config/limits.ts'
import Stripe from 'stripe'
import * as z from 'zod/mini'
import { unobserved, type Observer } from '../../../observe/observer.ts'
import type { Payments, ProviderEvent, Unpaid } from '../payments.ts'
import { listParams, orUndefined, refusing } from './answers.ts'
import { cards } from './cards.ts'
import { customers } from './customers.ts'
import { openFinder } from './find-subscriptions.ts'
import { invoices } from './invoices.ts'
import { openPreviewInvoice, previews } from './previews.ts'
import { openPrices } from './prices.ts'
import { watched, type Report } from './requests.ts'
import { eventGroups } from './events.ts'
import { promotions } from './promotions.ts'
import { schedules } from './schedules.ts'
import { subscriptions } from './subscriptions.ts'
import { unused } from './unused.ts'

type Options = {
  secretKey: string
  webhookSecret: string
  /** The ids or lookup keys of all prices of all plans. */
  prices: readonly string[]
  /** Whether Stripe calculates tax and adds it to prices. */
  tax?: boolean
  unpaid?: Unpaid
  fetch?: typeof globalThis.fetch | undefined
  /** The address of a server that is used instead of Stripe, like `http://localhost:4242`. */
  apiBase?: string | undefined
  /** Milliseconds that one request may take. A failed request is repeated once. */
  timeout?: number
  now?: () => Date
  /** The time of the server that is used instead of Stripe. */
  timeThere?: (() => Promise<Date>) | undefined
  /** Runs before each request. If it rejects, the request is not sent. */
  before?: () => Promise<void>
  onRequest?: Report
  observer?: Observer
}

/** With the sandbox's `fetch`, the requests of Stripe's SDK reach the sandbox. */
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
  timeThere = async () => now(),
  before = async () => {},
  onRequest = () => {},
  observer = unobserved,
}: Options): Payments {
  const send = watched(fetch, onRequest, observer)
  const stripe = new Stripe(secretKey, {
    maxNetworkRetries: 1,
    telemetry: false,
    timeout,
    ...serverAt(apiBase),
    httpClient: Stripe.createFetchHttpClient(async (...request: Parameters<typeof fetch>) => {
      await before()
      return send(...request)
    }),
  })
  const prices = openPrices(stripe, names, now)
  const finder = openFinder(stripe, prices, timeThere)
  const previewInvoice = openPreviewInvoice(stripe, tax)

  const ofUnused = unused(stripe, previewInvoice, timeThere)

  const asking: Omit<Payments, 'readEvent'> = {
    ...customers(stripe, tax),
    ...finder.finding,
    ...schedules(stripe, prices),
    ...subscriptions(stripe, prices, finder, {
      tax,
      unpaid,
      previewInvoice,
      findUnused: ofUnused.findUnused,
    }),
    ...ofUnused.calls,
    ...previews(stripe, prices, previewInvoice),
    ...promotions(stripe),
    ...cards(stripe),
    ...invoices(stripe, unpaid),

    now: timeThere,

    async findAccount() {
      // A restricted key may not be allowed to read the account.
      const account = await stripe.accounts.retrieveCurrent().catch((error: unknown) => {
        if (error instanceof Stripe.errors.StripePermissionError) return undefined
        throw error
      })
      return { id: account?.id, mode: modeOf(secretKey) }
    },

    /** Stripe still returns customers that were deleted, so they count as known. */
    knowsCustomer: async (id) => (await orUndefined(stripe.customers.retrieve(id))) !== undefined,

    async *listUndeliveredEvents({ after, ...page } = {}) {
      const last = after && (await stripe.events.retrieve(after)).type
      const isBegun = (types: string[]) => last !== undefined && types.includes(last)
      const groups = eventGroups.slice(Math.max(0, eventGroups.findIndex(isBegun)))
      for (const types of groups) {
        const params = listParams({ ...page, ...(isBegun(types) && { after }) })
        for await (const found of stripe.events.list({
          ...params,
          delivery_success: false,
          types,
        })) {
          const event = toEvent(found)
          if (event) yield event
        }
      }
    },
  }

  return {
    ...refusing(asking),

    readEvent(body, signature) {
      try {
        return toEvent(stripe.webhooks.constructEvent(body, signature, webhookSecret))
      } catch {
        // Each error here is about the body or the signature. Some have no class of their own.
        return undefined
      }
    },
  }
}

export function modeOf(secretKey: string) {
  return secretKey.includes('_live_') ? 'live' : 'test'
}

/** The SDK's options for a server used instead of Stripe, like `http://localhost:4242`. */
export function serverAt(
  base: string | undefined,
): Pick<Stripe.StripeConfig, 'protocol' | 'host' | 'port'> {
  if (base === undefined) return {}
  const { protocol, hostname, port } = new URL(base)
  const isHttps = protocol === 'https:'
  return {
    protocol: isHttps ? 'https' : 'http',
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port || (isHttps ? 443 : 80),
  }
}

const storable = z.string().check(z.maxLength(255), z.regex(/^[^\0]*$/))
const eventShape = z.object({
  id: storable,
  type: storable,
  data: z.object({
    object: z.object({
      id: z.optional(storable),
      object: storable,
      subscription: z.optional(z.unknown()),
      released_subscription: z.optional(z.unknown()),
    }),
  }),
})

/** Returns undefined for a signed body that is not an event. Our own tools can sign such bodies. */
function toEvent(event: unknown): ProviderEvent | undefined {
  const { success, data } = eventShape.safeParse(event)
  if (!success) return undefined
  const { id, type } = data
  const { object } = data.data
  // What a schedule plans is read with its subscription.
  if (object.object === 'subscription_schedule') {
    const ofSchedule = object.subscription ?? object.released_subscription
    const { data: objectId } = storable.safeParse(ofSchedule)
    return { id, type, objectType: 'subscription', objectId }
  }
  return { id, type, objectType: object.object, objectId: object.id }
}
