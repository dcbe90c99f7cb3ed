// npm run bench: compares the product with bare servers. Read the ratios, since the times are this
// machine's. npm run bench:data makes a large database for it.
import { limits } from '#config/limits.ts'
import { hash } from '@node-rs/argon2'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { pino } from 'pino'
import Stripe from 'stripe'
import { readEnv } from '../../server/start/env.ts'
import { openServer } from '../../server/main.ts'
import { startEmbeddedPostgres } from '../../server/store/postgres/embedded-postgres.ts'
import { newId } from '../../server/platform/ids.ts'
import { billingDetails } from '../../tests/billing-details.ts'
import { callerOf, type Ask } from '../seed/people.ts'
import { hasData } from './data.ts'
import { compareFloods, memoryOf } from './floods.ts'
import { load, type Figures, type Target } from './load.ts'
import { compareSizes } from './sizes.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'atrium-bench-'))
chmodSync(dataDir, 0o711)
const log = pino({ level: 'silent' })
const postgres = await startEmbeddedPostgres({ dataDir, log })
const { host, port: pgPort, user, database } = postgres.connection
const url = `postgres://${user}@localhost:${pgPort}/${database}?host=${encodeURIComponent(host!)}`
const password = 'a good secret'
const webhookSecret = 'whsec_of_the_bench'
const pool = new pg.Pool(postgres.connection)
const people = 64
const billingInfo = { billingDetails, paymentMethodId: 'pm_card_visa' }
const ports = { product: 3461, floor: 3462 }

const { token, others, providerSubscription } = await fill()
const passwordHash = await hash(password, limits.passwords.cost)
const product = await start(
  '../../server/main.ts',
  ports.product,
  `http://127.0.0.1:${ports.product}/readyz`,
)
const floor = await start('floor.ts', ports.floor)

try {
  console.log(
    `${availableParallelism()} cores; 16 connections; times in ms, CPU in µs per request\n`,
  )
  const list = {
    path: '/api/listSubscriptions',
    headers: () => ({ authorization: `Bearer ${token}` }),
    body: () => '{"data":{}}',
  }
  report(
    '20 projects, listed',
    await side(list),
    await load({ ...list, port: ports.floor }, { pid: floor.pid! }),
  )

  // The accounts take turns, because many tries for one account at once count as guesses.
  let turn = 0
  const signIn = {
    path: '/api/signIn',
    body: () => JSON.stringify({ data: { email: addressOf(turn++ % people), password } }),
  }
  const bare = { path: '/hash', body: () => JSON.stringify({ password }) }
  report(
    'sign-in beside bare argon2id',
    await side(signIn),
    await load({ ...bare, port: ports.floor }, { pid: floor.pid! }),
  )

  const [busy] = await Promise.all([side({ ...list }, 2), side(signIn)])
  const quiet = await side(list, 2)
  console.log(
    `listing on 2 connections while sign-ins saturate: p99 ${busy.p99.toFixed(1)}, else ${quiet.p99.toFixed(1)}: ${(busy.p99 / quiet.p99).toFixed(2)}×`,
  )
  await compareFloods({ port: ports.product, pid: product.pid!, token, others })
  await webhooks()
  if (hasData()) await compareSizes(start)
  else
    console.log(
      'npm run bench:data makes a database of a million projects, to be compared with one of a thousand here.',
    )
  console.log(`\nmemory of the product after it all: ${memoryOf(product.pid!)} MiB`)
} finally {
  product.kill('SIGTERM')
  floor.kill('SIGKILL')
  await once(product, 'exit')
  await pool.end()
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

/** Compares the webhooks of one paid project with bare inserts of the same rows. */
async function webhooks() {
  let count = 0
  const body = () =>
    JSON.stringify({
      id: `evt_${++count}`,
      object: 'event',
      type: 'customer.subscription.updated',
      data: { object: { id: providerSubscription, object: 'subscription' } },
    })
  const headers = (payload: string) => ({
    'stripe-signature': Stripe.webhooks.generateTestHeaderString({
      payload,
      secret: webhookSecret,
    }),
  })
  report(
    'webhooks, stored',
    await side({ path: '/webhooks/stripe', headers, body }),
    await load({ path: '/event', body, port: ports.floor }, { pid: floor.pid! }),
  )
  const waiting = async () =>
    Number(
      (await pool.query('select count(*) from provider_events where processed_at is null')).rows[0]
        .count,
    )
  const [before, since] = [await waiting(), performance.now()]
  await delay(4000)
  const applied = before - (await waiting())
  console.log(
    `webhooks, applied: ${(applied / ((performance.now() - since) / 1000)).toFixed(0)}/s, each with a question to the provider\n`,
  )
}

function addressOf(index: number) {
  return `bench${index}@example.com`
}

/** Signs in a user with 20 projects of five members each. */
async function fill() {
  const server = await openServer({ env: readEnv({}), connection: postgres.connection, log })
  const { store } = server.services
  const now = new Date()
  const ask: Ask = async (path, init) =>
    server.app.fetch(new Request(`http://localhost${path}`, init))
  const signUp = (index: number) =>
    callerOf(ask)('signUp', { fullName: 'Bench', email: addressOf(index), password })
  const signedUp = await signUp(0)
  const others: { token: string }[] = []
  for (let index = 1; index < people; index++) others.push(await signUp(index))
  for (let project = 0; project < 20; project++) {
    const id = newId()
    await store.subscriptions.add({
      id,
      ownerId: signedUp.user.uid,
      planId: 'free',
      status: 'active',
      permissions: ['access', 'admin'],
      now,
    })
    await store.subscriptions.setSettings(id, { name: `Project ${project}` })
    for (let member = 0; member < 4; member++) {
      const userId = newId()
      await store.users.add({
        id: userId,
        email: `${userId}@example.com`,
        emailVerified: true,
        displayName: 'Member',
        language: null,
        now,
      })
      await store.members.add({ subscriptionId: id, userId, permissions: ['access'], now })
    }
  }
  const { subscriptionId } = await callerOf(ask, signedUp.token)('createSubscription', {
    planId: 'pro',
    billingInfo,
  })
  const { providerSubscriptionId } = (await store.billing.find(subscriptionId))!
  await pool.query('create table bare_events (like provider_events including all)')
  await server.stop()
  return { token: signedUp.token, others, providerSubscription: providerSubscriptionId! }
}

async function start(file: string, port: number, ready?: string, databaseUrl = url) {
  const env = {
    ...process.env,
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    PASSWORD_HASH: passwordHash,
    LOG_LEVEL: 'warn',
    STRIPE_WEBHOOK_SECRET: webhookSecret,
  }
  const child = fork(join(import.meta.dirname, file), {
    env,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  if (!ready) await once(child, 'message')
  else
    while (
      !(await fetch(ready).then(
        ({ ok }) => ok,
        () => false,
      ))
    )
      await delay(50)
  return child
}

async function side(target: Omit<Target, 'port'>, connections = 16) {
  return load({ ...target, port: ports.product }, { pid: product.pid!, connections })
}

function report(name: string, ours: Figures, theirs: Figures) {
  const line = (who: string, { rate, p50, p99, cpu }: Figures) =>
    `  ${who.padEnd(8)}${rate.toFixed(0).padStart(7)}/s  p50 ${p50.toFixed(1)}  p99 ${p99.toFixed(1)}  CPU ${cpu.toFixed(0)}`
  const ratios = `rate ${(ours.rate / theirs.rate).toFixed(2)}, p99 ${(ours.p99 / theirs.p99).toFixed(2)}×, CPU ${(ours.cpu / theirs.cpu).toFixed(2)}×`
  console.log(`${name}\n${line('product', ours)}\n${line('floor', theirs)}\n  ${ratios}\n`)
}
