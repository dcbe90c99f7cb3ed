import { billingLimits, limits } from '#config/limits.ts'
import { product } from '#config/product.ts'
import { signInProviders as enabledProviders } from '#config/sign-in-providers.ts'
import type pg from 'pg'
import type { Logger } from 'pino'
import { cardForm, openSandbox } from '@atrium/sandbox'
import { guardAccount } from './billing/account.ts'
import { pricedPlans, sandboxPrices } from './billing/plans.ts'
import { watchDatabase } from './running/database-watch.ts'
import { openPresence } from './running/presence.ts'
import { openRateLimits } from './core/rate-limits.ts'
import { openReadLimits } from './core/read-limits.ts'
import { openOwnSecrets } from './core/secret-key.ts'
import { openServices, type Services } from './core/services.ts'
import { onlyForOperators, openApp } from './http/app.ts'
import { watchPools } from './running/busy.ts'
import { openInProgress } from './running/in-progress.ts'
import { migrateQueue } from './jobs/migrate-queue.ts'
import { sealWaiting } from './jobs/seal-waiting.ts'
import { startWorker } from './jobs/worker.ts'
import { openLive } from './live/live.ts'
import { openRelay } from './jobs/relay.ts'
import { newToken } from './platform/ids.ts'
import { openKeyedHash } from './platform/keyed-hash.ts'
import { openMetrics } from './observe/metrics.ts'
import { observers } from './observe/observer.ts'
import { openTracing } from './observe/tracing.ts'
import { waitWhile } from './platform/time.ts'
import { version } from './platform/version.ts'
import { openBuiltInIdentity } from './providers/identity/built-in.ts'
import { connectFirebase } from './providers/identity/firebase/firebase.ts'
import { openKeptMailer } from './providers/mail/kept-mailer.ts'
import { openSmtpMailer } from './providers/mail/mailer.ts'
import { watchedMailer } from './providers/mail/watched-mailer.ts'
import { openStripePayments } from './providers/payments/stripe/stripe.ts'
import { reportTo } from './providers/payments/stripe/requests.ts'
import { openSignInProviders } from './providers/sign-in/sign-in-providers.ts'
import { aboutServer } from './running/about-server.ts'
import type { Env } from './running/env.ts'
import { readMark } from './running/mark.ts'
import { withRights } from './migrate/change-schema.ts'
import { openDatabase, openPool } from './sql/database.ts'
import { migrateDatabase } from './migrate/migrate.ts'
import { openStore } from './store/store.ts'

export type Parts = {
  env: Env
  connection: pg.PoolConfig
  /** Leads to PostgreSQL without a pooler. */
  direct?: pg.PoolConfig
  log: Logger
  now?: () => Date
  enabled?: Record<string, { enabled: boolean }>
  /** What this process is, for operators who ask which servers run. */
  as?: string
  /** True if no other server uses this database. */
  alone?: boolean
  /** Wraps the `fetch` from the payments SDK to the sandbox, so that tests see its requests. */
  wire?: (fetch: typeof globalThis.fetch) => typeof globalThis.fetch
  /** Whether the worker runs the jobs of the crontab. */
  scheduled?: boolean
}

/** Puts a server together. Only this function knows which provider is behind which interface. */
export async function openServer({
  env,
  connection,
  direct = connection,
  log,
  now = () => new Date(),
  enabled = enabledProviders,
  as = env.role,
  alone = false,
  scheduled = true,
  wire = (fetch) => fetch,
}: Parts) {
  const { publicUrl, role } = env
  const metrics = env.metricsToken === undefined ? undefined : await openMetrics()
  const service = { name: product.name.toLowerCase(), version }
  const tracing = env.tracing && (await openTracing({ ...env.tracing, service, log }))
  const observer = observers(tracing?.observer, metrics?.observer)
  const { calls: callConnections, jobs: jobConnections } = connectionsOf(env)
  // Metrics don't count statements, so only traces follow them.
  const traced = { observer: tracing?.observer }
  // A worker's other work needs the way without a pooler, so it has no use for a second way.
  const [calling, pooler] = role === 'worker' ? [direct] : [connection, env.pooler]
  const ofCalls = { pooler, places: limits.calls.places, ...traced }
  const pool = openPool({ ...calling, max: callConnections }, log, ofCalls)
  // Rate limits never wait for a connection that a call's transaction holds.
  const rateLimitPool = openPool({ ...calling, max: 2 }, log, ofCalls)
  const watchPool = openPool({ ...calling, max: 1 }, log, { work: 'watch', pooler })
  // Jobs have connections of their own, so that people's calls never wait for theirs, and one that
  // listens. The queries of the queue need plans for its length.
  const jobPool = openPool({ ...direct, max: jobConnections + 1 }, log, { work: 'jobs', ...traced })
  // The sandbox has connections of its own, because it plays another company's machine.
  const sandboxPool = openPool({ ...direct, max: 6, application_name: 'atrium sandbox' }, log)
  const endPools = () =>
    Promise.all(
      [pool, rateLimitPool, watchPool, jobPool, sandboxPool].map(async (pool) => pool.end()),
    )
  const { schema } = await migrateDatabase(direct, log)
  const presence = await openPresence({ connection: direct, about: aboutServer(as), log })
  const store = openStore(openDatabase(jobPool))
  const giveUp = async (error: unknown): Promise<never> => {
    await presence.stop()
    await endPools()
    throw error
  }

  const [webhookSecret, hashKey] = await Promise.all([
    env.webhookSecret ?? store.installation.keepOnce('sandbox webhook secret', newToken),
    store.installation.keepOnce('hash key', newToken),
    migrateQueue(direct, log),
  ])
  const keyedHash = openKeyedHash(hashKey)
  const secrets = await openOwnSecrets(env, keyedHash, { store, now }).catch(giveUp)
  await sealWaiting(store, secrets)
  /** Set once they are worked on. */
  let jobs: Services['jobs'] | undefined
  // See docs/decisions/010-sandbox-as-a-package.md.
  const sandbox = env.stripe
    ? undefined
    : await withRights(
        openSandbox({
          pool: sandboxPool,
          publicUrl,
          webhookSecret,
          deliver,
          // A call about billing and a job that wait for something else may take longer.
          settle: () =>
            waitWhile(
              async () =>
                (jobs !== undefined && (await jobs.isBusy())) || store.billing.isAnyLeased(now()),
              2000,
            ),
          prices: sandboxPrices,
          productName: product.name,
          mark: readMark(),
          log,
        }),
      )
  const stripe = {
    secretKey: env.stripe?.secretKey ?? 'sk_test_sandbox',
    webhookSecret,
    prices: pricedPlans.flatMap(({ priceIds }) => priceIds),
    tax: env.tax,
    unpaid: env.unpaid,
    apiBase: env.stripeApiBase,
    fetch: sandbox && wire(sandbox.fetch as typeof fetch),
    now,
    onRequest: reportTo(log),
    observer,
  }
  const unguarded = openStripePayments({ ...stripe, timeout: billingLimits.accountTimeout })
  const account = await guardAccount({ payments: unguarded, store, log }).catch(
    async (error: unknown) => {
      await sandbox?.close()
      return giveUp(error)
    },
  )
  const relay = openRelay(jobPool, log)
  const shared = {
    serverId: presence.id,
    publicUrl,
    rateLimits: openRateLimits(openDatabase(rateLimitPool)),
    readLimits: openReadLimits(),
    mailer: env.smtpUrl
      ? watchedMailer(
          await openSmtpMailer({
            url: env.smtpUrl,
            from: env.mailFrom,
            mark: readMark(),
            keyedHash,
          }),
          observer,
        )
      : openKeptMailer({ store, secrets, now }),
    payments: openStripePayments({ ...stripe, before: account.checked }),
    signInProviders: openSignInProviders({ settings: env.signIn, enabled, publicUrl, observer }),
    keyedHash,
    secrets,
    log,
    observer,
    now,
    wakeRelay: relay.wake,
  }
  const accounts = env.firebase
    ? connectFirebase(env.firebase, log, observer)
    : { open: openBuiltInIdentity }
  const services = openServices(shared, accounts, pool)
  const jobServices = openServices(shared, accounts, jobPool)
  const [live, worker] = await Promise.all([
    role === 'worker' ? undefined : openLive({ presence, services, log }),
    role === 'web'
      ? undefined
      : startWorker(jobPool, jobServices, { presence, alone, scheduled, atOnce: jobConnections }),
  ])
  if (alone) await presence.takeOverAll(openDatabase(jobPool))
  presence.start()
  relay.start()
  jobs = services.jobs
  const inProgress = openInProgress()
  const database = watchDatabase({
    own: watchPool,
    others: [pool, rateLimitPool, jobPool],
    log,
    refuse: (atLeast) => inProgress.refuse(atLeast),
  })
  const isCrowded = watchPools(log, pool, rateLimitPool)
  const isBusy = () => database.isSilent() || isCrowded()
  let isStopping = false
  const isReady = () => database.isReady() && !isStopping
  metrics?.addGauges({
    build: { version, schema },
    isUsable: database.isReady,
    isReady,
    pools: {
      calls: pool,
      rateLimits: rateLimitPool,
      watch: watchPool,
      jobs: jobPool,
      sandbox: sandboxPool,
    },
    live,
    countJobs: store.queue.countJobs,
    countOutbox: relay.countWaiting,
    countEvents: () => store.providerEvents.countUnprocessed(now()),
  })
  const app = openApp({
    env,
    services,
    live,
    isReady,
    isBusy,
    inProgress,
    metrics: metrics?.text,
    sandbox: sandbox?.routes,
    cardForm,
  })

  /** Delivers a webhook of the sandbox to the route of Stripe's. Returns the HTTP status. */
  async function deliver(body: string, headers: Record<string, string>) {
    const response = await app.fetch(
      new Request(`${publicUrl}/webhooks/stripe`, { method: 'POST', body, headers }),
    )
    return response.status
  }

  return {
    app: role === 'worker' ? onlyForOperators(app) : app,
    services,
    observer,
    isBusy,
    /** Resolves if the Stripe account turns out not to be the one that this database belongs to. */
    refused: account.refused,
    /** From now on the server says that it is not ready, and goes on answering. */
    beginStop: () => void (isStopping = true),
    /** Call it before `listen`'s `close`, which waits for open requests. */
    closeStreams: () => live?.close(),
    /** Refuses the calls that are in progress, because the server doesn't wait for them. */
    refuseAll: () => inProgress.refuse(),
    async stop() {
      account.close()
      // Closes the sandbox while the worker stops, because a job may be waiting for the sandbox.
      await Promise.all([
        database.stop(),
        live?.stop(),
        relay.stop(),
        worker?.stop(),
        sandbox?.close(),
      ])
      await Promise.all([presence.stop(), endPools(), tracing?.stop()])
    },
    /** Frees what the server holds for others, also if its work does not end. */
    leave: () => presence.stop(),
  }
}

/** What a server needs of the database, by what it does. The operator may set other numbers. */
function connectionsOf({ role, databasePool }: Env) {
  const calls = role === 'worker' ? 2 : (databasePool ?? limits.calls.connections)
  // Without a worker, only the outbox is handed on.
  const jobs = role === 'web' ? 2 : (databasePool ?? limits.jobs.atOnce)
  return { calls, jobs }
}
