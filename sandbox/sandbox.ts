import type { Hono } from 'hono'
import type { Pool } from 'pg'
import { stripeApi } from './api/api.ts'
import type { Log } from './clock/run-due.ts'
import { openTimekeeper } from './clock/timekeeper.ts'
import { brokenConnection, unreliable } from './control/unreliable.ts'
import { openCourier, type Deliver } from './events/courier.ts'
import { hurry } from './events/outbox.ts'
import type { WeeklyPrice } from './objects/price.ts'
import { sandboxRoutes } from './pages/routes.ts'
import { allRoutes } from './resources/all.ts'
import { createSchema } from './store/schema.ts'
import { ensurePrices } from './store/seed.ts'
import type { World } from './store/tx.ts'

export type SandboxOptions = {
  /** Any database: the sandbox makes and keeps everything in a schema `sandbox` of its own. */
  pool: Pool
  /** Where browsers reach the server, as `http://localhost:3000`: the base of links to invoices and to 3-D Secure. */
  publicUrl: string
  webhookSecret: string
  /** Posts one webhook and resolves to its HTTP status; rejects when it did not arrive. */
  deliver: Deliver
  /** Sold by the week; created when missing. `unitAmount` in minor units. */
  prices: WeeklyPrice[]
  /** The merchant, as its customers read it on invoices. */
  productName: string
  /** What pages can be read in: each has its file in locales/. */
  languages: readonly string[]
  log: Log
}

export type Sandbox = {
  /** For `Stripe.createFetchHttpClient`: answers `https://api.stripe.com/v1/…` for the key `sk_test_sandbox`. */
  fetch(this: void, url: string | URL | Request, init?: RequestInit): Promise<Response>
  /** To be mounted at `/sandbox`. */
  routes: Hono
  /** Stops the clock, breaks off slow answers, and resolves when webhooks on their way have arrived. */
  close(this: void): Promise<void>
}

/** A stand-in for Stripe: its API on its own wire format, kept in PostgreSQL, with a clock that can be moved. */
export async function openSandbox({
  pool,
  publicUrl,
  webhookSecret,
  deliver,
  prices,
  productName,
  languages,
  log,
}: SandboxOptions): Promise<Sandbox> {
  await createSchema(pool)
  const world: World = {
    pool,
    account: { publicUrl, name: productName, linkSecret: webhookSecret },
    languages,
    committed: () => courier.wake(),
  }
  const courier = openCourier(world, webhookSecret, deliver, log)
  await ensurePrices(pool, prices)
  await hurry(pool)
  const timekeeper = openTimekeeper(world, courier, log)
  const api = stripeApi(world, allRoutes, 'secret', log)
  const closing = new AbortController()
  return {
    fetch: unreliable(async (request) => api.fetch(request), pool, closing.signal),
    routes: sandboxRoutes(world, stripeApi(world, allRoutes, 'publishable', log), timekeeper, courier),
    async close() {
      closing.abort(brokenConnection())
      await timekeeper.close()
      await courier.close()
    },
  }
}
