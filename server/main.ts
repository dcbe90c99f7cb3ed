import { languages } from '#config/languages.ts'
import { billingLimits } from '#config/limits.ts'
import { product } from '#config/product.ts'
import { signInProviders as enabledProviders } from '#config/sign-in-providers.ts'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import { openSandbox } from '../sandbox/sandbox.ts'
import { openApp } from './http/app.ts'
import { openAttempts } from './platform/rate-limits.ts'
import { guardAccount } from './billing/account.ts'
import { readEnv, type Env } from './start/env.ts'
import { startWorker } from './jobs/worker.ts'
import { openBuiltInIdentity } from './providers/identity/built-in.ts'
import { connectFirebase } from './providers/identity/firebase.ts'
import { openKeptMailer } from './providers/mail/kept.ts'
import { openSmtpMailer } from './providers/mail/smtp.ts'
import { openStripePayments } from './providers/payments/stripe/stripe.ts'
import {
  openSignInProviders,
  type EnabledProviders,
} from './providers/sign-in/sign-in-providers.ts'
import { openMetrics } from './platform/metrics.ts'
import { pricedPlans, sandboxPrices } from './billing/priced-plans.ts'
import { watchProvider } from './providers/payments/watch-provider.ts'
import { openLive } from './live/live.ts'
import { openKeyedHash } from './platform/keyed-hash.ts'
import { openPresence } from './platform/presence.ts'
import { openServices } from './core/services.ts'
import { announce } from './start/announce.ts'
import { listen } from './http/listen.ts'
import { passToApi } from './http/pass-to-api.ts'
import { openLogger } from './platform/log.ts'
import { StartError } from './platform/start-error.ts'
import { openPostgres, type Postgres } from './store/postgres/open-postgres.ts'
import { migrateDatabase, openDatabase, openPool } from './store/database.ts'
import { newToken } from './platform/ids.ts'
import { openStore } from './store/store.ts'
import { runUntilAsked } from './start/until-asked-to-stop.ts'

type Parts = {
  env: Env
  connection: pg.PoolConfig
  log: Logger
  now?: () => Date
  enabled?: EnabledProviders
  /** No other server works on this database. */
  alone?: boolean
  /** Stands between the payments SDK and the sandbox, where tests look at what goes over the wire. */
  wire?: (fetch: typeof globalThis.fetch) => typeof globalThis.fetch
  /** Jobs of the crontab run, when the real time has come. */
  scheduled?: boolean
}

/** Puts a server together on a database: the one place that knows which provider stands behind which seam. */
export async function openServer({
  env,
  connection,
  log,
  now = () => new Date(),
  enabled = enabledProviders,
  alone = false,
  scheduled = true,
  wire = (fetch) => fetch,
}: Parts) {
  const pool = openPool(connection, log)
  // Counting tries must not wait for a connection that a call in a transaction holds.
  const countingPool = openPool({ ...connection, max: 2 }, log)
  // Nor may the sandbox, which stands for a machine of somebody else's.
  const sandboxPool = openPool({ ...connection, max: 6 }, log)
  await migrateDatabase(pool)
  const db = openDatabase(pool)
  const store = openStore(db)

  const webhookSecret =
    env.stripe?.webhookSecret ??
    env.sandboxWebhookSecret ??
    (await store.installation.keepOnce('sandbox webhook secret', newToken))
  const sandbox = env.stripe
    ? undefined
    : await openSandbox({
        pool: sandboxPool,
        publicUrl: env.publicUrl,
        webhookSecret,
        deliver,
        prices: sandboxPrices,
        productName: product.name,
        languages: Object.keys(languages),
        log,
      })
  const metrics =
    env.metricsToken === undefined ? undefined : await openMetrics(store.providerEvents)
  const provider = {
    secretKey: env.stripe?.secretKey ?? 'sk_test_sandbox',
    webhookSecret,
    prices: pricedPlans.flatMap(({ priceIds }) => priceIds),
    tax: env.tax,
    unpaid: env.unpaid,
    apiBase: env.stripeApiBase,
    fetch: sandbox && wire(sandbox.fetch as typeof fetch),
    now,
    onRequest: watchProvider('stripe', log, metrics),
  }
  const unguarded = openStripePayments({ ...provider, timeout: billingLimits.accountTimeout })
  const account = await guardAccount({ payments: unguarded, store, log }).catch(
    async (error: unknown) => {
      await sandbox?.close()
      await Promise.all([pool.end(), countingPool.end(), sandboxPool.end()])
      throw error
    },
  )
  const payments = openStripePayments({ ...provider, before: account.judged })
  const mailer = env.smtpUrl
    ? openSmtpMailer({ url: env.smtpUrl, from: env.mailFrom })
    : openKeptMailer(store, now)
  const openIdentity = env.firebase ? connectFirebase(env.firebase, log) : openBuiltInIdentity
  const signInProviders = openSignInProviders({
    settings: env.signIn,
    enabled,
    publicUrl: env.publicUrl,
  })
  const keyedHash = openKeyedHash(await store.installation.keepOnce('hash key', newToken))
  const presence = await openPresence({ connection, log })
  const attempts = openAttempts(countingPool)
  const shared = {
    serverId: presence.id,
    publicUrl: env.publicUrl,
    attempts,
    mailer,
    payments,
    signInProviders,
    keyedHash,
    log,
    now,
  }
  const services = openServices(shared, openIdentity, db)
  const live = await openLive({ connection, services, log })
  const worker = await startWorker(pool, services, { alone, scheduled })
  const app = openApp({
    services,
    live,
    log,
    publicUrl: env.publicUrl,
    trustedProxies: env.trustedProxies,
    isReady: () =>
      pool.query('select 1').then(
        () => true,
        () => false,
      ),
    publicConfig: {
      stripePublishableKey: env.stripeApiBase ? null : (env.stripe?.publishableKey ?? null),
      sandbox: sandbox !== undefined,
      signInProviders: Array.from(signInProviders, ([name, { label }]) => ({ name, label })),
    },
    metrics: metrics && { metrics, token: env.metricsToken! },
    keepsMail: !env.smtpUrl,
    allowSandbox: env.allowSandbox,
    sandbox: env.stripeApiBase
      ? passToApi(env.stripeApiBase, env.stripe!.publishableKey)
      : sandbox?.routes,
  })

  /** The sandbox's webhooks take the way that the provider's would. */
  async function deliver(body: string, headers: Record<string, string>) {
    const response = await app.fetch(
      new Request(`${env.publicUrl}/webhooks/stripe`, { method: 'POST', body, headers }),
    )
    return response.status
  }

  return {
    app,
    services,
    /** Resolves when the payment provider turns out to be another account than the one that this database belongs to. */
    refused: account.refused,
    /** Before the connections are closed: they would be waited for. */
    closeStreams: () => live.close(),
    async stop() {
      account.close()
      // A job that waits for the sandbox is not to be waited for.
      await Promise.all([live.stop(), worker.stop(), sandbox?.close()])
      await Promise.all([presence.stop(), pool.end(), countingPool.end(), sandboxPool.end()])
    },
  }
}

async function main() {
  const env = readEnv(process.env)
  const log = openLogger(env.logLevel)
  const postgres = await openPostgres(env, log)
  const { server, http } = await openAndListen(env, postgres, log).catch(async (error: unknown) => {
    await postgres.stop()
    throw error
  })
  announce(env, postgres.notes)

  const stop = async () => {
    server.closeStreams()
    await http.close()
    // A job that hangs is given back by the next start; nobody waits for it here.
    await Promise.race([server.stop(), delay(1000)])
    await postgres.stop()
  }
  const refused = server.refused.then(({ message }) => message)
  await runUntilAsked({ lost: Promise.race([postgres.ended, refused]), stop, log })
}

async function openAndListen(env: Env, { connection }: Postgres, log: Logger) {
  const server = await openServer({ env, connection, log, alone: env.databaseUrl === undefined })
  const http = await listen(server.app, env).catch(async (error: unknown) => {
    await server.stop()
    throw error
  })
  return { server, http }
}

if (import.meta.main) {
  await main().catch((error: unknown) => {
    console.error(error instanceof StartError ? error.message : error)
    process.exit(1)
  })
}
