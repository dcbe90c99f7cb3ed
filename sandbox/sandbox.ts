import type { Pool } from 'pg'
import { stripeApi } from './api/api.ts'
import { isPublishable } from './api/keys.ts'
import { openTestClocks } from './clock/test-clocks.ts'
import { openTimekeeper } from './clock/timekeeper.ts'
import { brokenConnection, unreliable } from './control/unreliable.ts'
import { openCourier, type Deliver } from './events/courier.ts'
import { retryUndelivered } from './events/outbox.ts'
import type { SandboxPrice } from './objects/price.ts'
import { sandboxRoutes } from './pages/routes.ts'
import { allRoutes } from './resources/all.ts'
import { createSchema } from './store/schema.ts'
import { ensurePrices } from './store/seed.ts'
import { sandboxTime, type FramedBy, type Log, type World } from './store/tx.ts'

export { cardForm } from './pages/card.ts'

export type SandboxOptions = {
  /** A pool of any PostgreSQL database, in which the sandbox uses the schema `sandbox`. */
  pool: Pool
  /** Where browsers reach the pages for invoices and 3-D Secure: `http://localhost:3000`. */
  publicUrl: string
  /** Where browsers reach the product, to which 3-D Secure returns. By default `publicUrl`. */
  productUrl?: string
  webhookSecret: string
  /** Posts a webhook and resolves to the HTTP status. Rejects if the webhook did not arrive. */
  deliver: Deliver
  /**
   * Resolves when the receiver has done what webhooks caused, and what it was about to do. The clock
   * waits for it when it is moved: what takes a receiver a moment would otherwise take it hours.
   * `now` is the sandbox's time in seconds.
   */
  settle?: (now: number) => Promise<void>
  /**
   * When the receiver next does something by the sandbox's clock, in seconds. The clock stops there
   * when it is moved, and waits for `settle`.
   */
  nextAlarm?: () => Promise<number | undefined>
  /** The prices, which the sandbox creates if they are missing. */
  prices: SandboxPrice[]
  /** The merchant's name on invoices and pages. */
  productName: string
  /** A PNG of the merchant's mark, for invoices and pages. */
  mark?: Uint8Array | undefined
  /** The pages that may frame the 3-D Secure page. By default these have the same origin. */
  framedBy?: FramedBy
  log: Log
}

export type Sandbox = Awaited<ReturnType<typeof openSandbox>>

/** Opens a stand-in for Stripe's API with data in PostgreSQL and a clock that can be moved. */
export async function openSandbox({
  pool,
  publicUrl,
  productUrl = publicUrl,
  webhookSecret,
  deliver,
  settle = async () => undefined,
  nextAlarm = async () => undefined,
  prices,
  productName,
  mark,
  framedBy = "'self'",
  log,
}: SandboxOptions) {
  await createSchema(pool)
  const world: World = {
    pool,
    merchant: { publicUrl, productUrl, name: productName, mark, linkSecret: webhookSecret },
    framedBy,
    committed: () => courier.wake(),
    settle,
    nextAlarm,
    log,
  }
  const courier = openCourier(world, webhookSecret, deliver)
  // `committed` does nothing here, because new prices have no events to deliver.
  await ensurePrices({ ...world, committed: () => undefined }, prices)
  await retryUndelivered(pool)
  const timekeeper = openTimekeeper(world, courier)
  const testClocks = openTestClocks(world, timekeeper)
  const api = stripeApi(world, allRoutes, 'secret')
  const browserApi = stripeApi(world, allRoutes, 'publishable')
  const closing = new AbortController()
  const asServer = unreliable(async (request) => api.fetch(request), pool, closing.signal)
  return {
    /** For `Stripe.createFetchHttpClient`: answers requests to `https://api.stripe.com/v1/…`. */
    fetch: async (url: string | URL | Request, init?: RequestInit) => {
      const request = new Request(url, init)
      return isPublishable(request.headers.get('authorization') ?? undefined)
        ? browserApi.fetch(request)
        : asServer(request)
    },
    /** The sandbox's time in seconds. */
    now: () => sandboxTime(pool),
    /** The pages of the sandbox, and its API for browsers. Mount them at `/sandbox`. */
    routes: sandboxRoutes(world, browserApi, timekeeper, courier),
    /** Stops the clock and aborts delayed answers. Resolves when running deliveries have ended. */
    close: async () => {
      closing.abort(brokenConnection())
      await testClocks.close()
      await timekeeper.close()
      await courier.close()
    },
  }
}
