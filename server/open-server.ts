import { slug } from '#contract/slug.ts'
import { signInProviders as enabledProviders } from '#config/sign-in-providers.ts'
import type pg from 'pg'
import type { Logger } from 'pino'
import { watchDatabase } from './running/database-watch.ts'
import { aboutServer, openPresence } from './running/presence.ts'
import { loadModules } from './core/modules.ts'
import { openRateLimits } from './core/rate-limits.ts'
import { openReadLimits } from './core/read-limits.ts'
import { openOwnSecrets } from './core/secret-key.ts'
import { openServices, type Services } from './core/services.ts'
import { openTokenUses } from './core/token-uses.ts'
import { findPasskeyPlace } from './core/passkey-place.ts'
import { onlyForOperators, openApp } from './http/app.ts'
import { watchPools } from './running/busy.ts'
import { openInProgress } from './running/in-progress.ts'
import { startWorker } from './jobs/worker.ts'
import { openLive } from './live/live.ts'
import { openRelay } from './jobs/relay.ts'
import { openBell } from './platform/bell.ts'
import { newToken } from './platform/ids.ts'
import { openPools } from './open-pools.ts'
import { billing } from '#config/billing.ts'
import { plans } from '#config/plans.ts'
import { nextAlarm } from './billing/moments.ts'
import { requireSound } from './billing/plan-problems.ts'
import { openProviders } from './open-providers.ts'
import { openKeyedHash } from './platform/keyed-hash.ts'
import { openMetrics } from './observe/metrics.ts'
import { observers } from './observe/observer.ts'
import { openTracing } from './observe/tracing.ts'
import { version } from './platform/version.ts'
import { openBuiltInIdentity } from './providers/identity/built-in.ts'
import { connectFirebase } from './providers/identity/firebase/firebase.ts'
import type { Env } from './running/env.ts'
import { sealWaiting } from './mails/sealed-orders.ts'
import { openDatabase } from './sql/database.ts'
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

/** Puts a server together. */
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
  requireSound(plans, billing, log)
  const { publicUrl, role } = env
  const metrics = env.metricsToken === undefined ? undefined : await openMetrics()
  const service = { name: slug, version }
  const tracing = env.tracing && (await openTracing({ ...env.tracing, service, log }))
  const observer = observers(tracing?.observer, metrics?.observer)
  // Metrics don't count statements, so only traces follow them.
  const { pools, atOnce, endPools } = openPools(env, { connection, direct }, log, tracing?.observer)
  const { schema } = await migrateDatabase(direct, log)
  const presence = await openPresence({ connection: direct, about: aboutServer(as, schema), log })
  const store = openStore(openDatabase(pools.jobs))
  const giveUp = async (error: unknown): Promise<never> => {
    await presence.stop()
    await endPools()
    throw error
  }

  const [webhookSecret, hashKey] = await Promise.all([
    env.webhookSecret ?? store.installation.keepOnce('sandbox webhook secret', newToken),
    store.installation.keepOnce('hash key', newToken),
  ])
  const keyedHash = openKeyedHash(hashKey)
  const secrets = await openOwnSecrets(env, keyedHash, { store, now }).catch(giveUp)
  const passkeys = await findPasskeyPlace(env, { store, log }).catch(giveUp)
  await store.queue.moveFormer()
  await sealWaiting(store, secrets)
  /** Set once they are worked on. */
  let jobs: Services['jobs'] | undefined
  const shown = { keyedHash, secrets, log, observer, now }
  const { sandbox, cardForm, account, ...providers } = await openProviders({
    ...shown,
    env,
    store,
    sandboxPool: pools.sandbox,
    webhookSecret,
    enabled,
    wire,
    deliver,
    isBusy: async () => ((await jobs?.isBusy()) ?? false) || store.billing.isAnyLeased(now()),
    ahead: {
      next: () => nextAlarm({ store }),
      look: async () => jobs?.add('lookAhead', {}, { key: 'lookAhead' }),
    },
  }).catch(giveUp)
  const [jobBell, noticeBell] = [openBell(), openBell()]
  const relay = openRelay(pools.jobs, log, noticeBell)
  const shared = {
    ...shown,
    ...providers,
    serverId: presence.id,
    publicUrl,
    allowPrivateWebhooks: env.allowPrivateWebhooks,
    passkeys,
    modules: await loadModules(),
    rateLimits: openRateLimits(openDatabase(pools.rateLimits)),
    readLimits: openReadLimits(),
    tokenUses: openTokenUses(log),
    wake: () => [noticeBell, jobBell].forEach((bell) => bell.ring()),
  }
  const accounts = env.firebase
    ? connectFirebase(env.firebase, log, observer)
    : { open: openBuiltInIdentity }
  const services = openServices(shared, accounts, pools.calls)
  const jobServices = openServices(shared, accounts, pools.jobs)
  const [live, worker] = await Promise.all([
    role === 'worker' ? undefined : openLive({ presence, services, log }),
    role === 'web'
      ? undefined
      : startWorker(pools.jobs, jobServices, { bell: jobBell, alone, scheduled, atOnce }),
  ])
  if (alone) await presence.takeOverAll(openDatabase(pools.jobs))
  presence.start()
  relay.start()
  jobs = services.jobs
  const inProgress = openInProgress()
  const database = watchDatabase({
    own: pools.watch,
    others: [pools.calls, pools.rateLimits, pools.jobs],
    log,
    refuse: (atLeast) => inProgress.refuse(atLeast),
  })
  const isCrowded = watchPools(log, pools.calls, pools.rateLimits)
  const isBusy = () => database.isSilent() || isCrowded()
  let isStopping = false
  const isReady = () => database.isReady() && !isStopping
  metrics?.addGauges({
    build: { version, schema },
    isUsable: database.isReady,
    isReady,
    pools,
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
      live?.stop()
      // Closes the sandbox while the worker stops, because a job may be waiting for the sandbox.
      await Promise.all([
        database.stop(),
        relay.stop(),
        worker?.stop(),
        sandbox?.close(),
        shared.tokenUses.putAll(),
      ])
      await Promise.all([presence.stop(), endPools(), tracing?.stop()])
    },
    /** Frees what the server holds for others, also if its work does not end. */
    leave: () => presence.stop(),
  }
}
