// @module-tag slow
import { expect, test } from 'vitest'
import { rateLimits } from '#config/limits.ts'
import { aDatabase, hold, holdNotices, untilSomebodyWaits } from '../../tests/database.ts'
import { aDatabaseProxy } from '../../tests/database-proxy.ts'
import { scrape, withMetrics } from '../../tests/metrics.ts'
import { aBrowser } from '../../tests/sign-in/browser.ts'
import { aMockIssuer, ann, google } from '../../tests/sign-in/mock-issuer.ts'
import { aTab } from '../../tests/tab.ts'
import { leaveOneTry } from '../../tests/jobs.ts'
import { deliver } from '../../tests/webhook.ts'
import { aWorld, openWorld } from '../../tests/world.ts'
import { version } from '../platform/version.ts'

const aMeasuredWorld = () => aWorld(withMetrics)
const patient = { timeout: 20_000 }

test('the metrics count API calls by name and outcome, and can be read with METRICS_TOKEN', async () => {
  const world = await aMeasuredWorld()
  await world.aPerson()
  await world.request('/api/made-up', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"data":{}}',
  })
  expect(await scrape(world)).toMatchObject({
    'app_call_duration_seconds_count{call="signUp",outcome="ok"}': 1,
    'app_call_duration_seconds_count{call="unknown",outcome="not-found"}': 1,
    'app_http_requests_total{part="api",status="404"}': 1,
  })
  const headers = { authorization: 'Bearer guessed' }
  expect((await world.request('/metrics', { headers })).status).toBe(401)
})

test('a server without METRICS_TOKEN shows no metrics', async () => {
  const world = await aWorld()
  expect(await (await world.request('/metrics')).text()).not.toContain('app_')
})

test('the metrics say which version runs, and that the server and its database can be used', async () => {
  const world = await aMeasuredWorld()
  const found = await scrape(world)
  expect(found).toMatchObject({ app_ready: 1, app_database_usable: 1 })
  const info = Object.keys(found).find((name) => name.startsWith('app_build_info'))
  expect(info).toMatch(
    new RegExp(
      `^app_build_info\\{version="${version}",schema="\\d{4}",node="${process.versions.node}"\\}$`,
    ),
  )
  world.beginStop()
  expect(await scrape(world)).toMatchObject({ app_ready: 0, app_database_usable: 1 })
})

test('the metrics count jobs by task and state, the same on each server, and their runs', async () => {
  const world = await aMeasuredWorld()
  const other = await openWorld(world.connection, { ...withMetrics, ROLE: 'web' })
  const { pool } = world
  await world.signUp('ann')
  await world.untilWorkedOff()
  expect(await scrape(world)).toMatchObject({
    'app_job_runs_total{task="sendSealedMail",outcome="ok"}': 1,
    'app_job_duration_seconds_count{task="sendSealedMail",outcome="ok"}': 1,
  })
  const letGo = await hold(pool, 'lock table kept_mails in exclusive mode')
  await world.signUp('bob')
  await untilSomebodyWaits(pool)
  // The worker takes no job of a task that it does not know.
  await pool.query(`
    insert into jobs (task, payload, run_at, last_error, created_at) values
      ('later', '{}', now() + interval '1 hour', null, now()),
      ('due', '{}', now() - interval '90 seconds', null, now()),
      ('tried', '{}', now() + interval '1 hour', 'failed', now() - interval '2 hours'),
      ('dead', '{}', null, 'failed', now() - interval '2 hours')`)
  const found = await scrape(world)
  expect(found).toMatchObject({
    'app_jobs{task="sendSealedMail",state="running"}': 1,
    'app_jobs{task="later",state="waiting"}': 1,
    'app_jobs{task="due",state="waiting"}': 1,
    'app_jobs{task="tried",state="retrying"}': 1,
    'app_jobs{task="dead",state="failed"}': 1,
    'app_jobs_oldest_seconds{task="later",state="waiting"}': 0,
  })
  const oldest = (task: string, state: string) =>
    Math.floor(found[`app_jobs_oldest_seconds{task="${task}",state="${state}"}`]! / 60)
  expect([oldest('due', 'waiting'), oldest('tried', 'retrying'), oldest('dead', 'failed')]).toEqual(
    [1, 120, 120],
  )
  const jobs = (samples: Record<string, number>) =>
    Object.entries(samples).filter(([name]) => name.startsWith('app_jobs{'))
  expect(new Set(jobs(await scrape(other)))).toEqual(new Set(jobs(found)))
  await letGo()
})

test('the metrics count the runs of jobs that are tried again, and of those that have failed for good', async () => {
  const world = await aMeasuredWorld()
  await world.pool.query('alter table kept_mails add check (subject is null)')
  await world.signUp('ann')
  const runs = async (outcome: string) =>
    (await scrape(world))[`app_job_runs_total{task="sendSealedMail",outcome="${outcome}"}`]
  await expect.poll(() => runs('retried'), patient).toBe(1)
  await leaveOneTry(world)
  await expect.poll(() => runs('failed'), patient).toBe(1)
})

test('while the database is away, the metrics say so and give no number that only it knows', async () => {
  const { connection } = await aDatabase()
  const proxy = await aDatabaseProxy(connection)
  const world = await openWorld(proxy.connection, withMetrics)
  expect(await scrape(world)).toMatchObject({ app_live_listening: 1, app_outbox_entries: 0 })
  proxy.cut()
  await expect
    .poll(() => scrape(world), patient)
    .toMatchObject({ app_database_usable: 0, app_ready: 0, app_live_listening: 0 })
  const found = await scrape(world)
  expect(found['app_inbox_failed']).toBeNaN()
  expect(found['app_outbox_entries']).toBeNaN()
  expect(Object.keys(found).join('\n')).not.toContain('app_jobs')
  proxy.restore()
  await expect.poll(() => scrape(world), patient).toMatchObject({ app_live_listening: 1 })
})

test('the metrics show what waits in the outbox, and the use of each pool of connections', async () => {
  const world = await aMeasuredWorld()
  const { id, owner } = await world.aProject()
  const letGo = await holdNotices(world.pool)
  await owner.renames(id, 'Bridge')
  const first = await scrape(world)
  expect(first['app_outbox_entries']).toBeGreaterThan(0)
  const second = await scrape(world)
  expect(second['app_outbox_oldest_seconds']).toBeGreaterThan(0)
  await letGo()
  await world.untilWorkedOff()
  await expect
    .poll(() => scrape(world), patient)
    .toMatchObject({
      app_outbox_entries: 0,
      app_outbox_oldest_seconds: 0,
      'app_database_connections{pool="calls",state="active"}': 0,
      'app_database_connections{pool="calls",state="idle"}': expect.any(Number),
      'app_database_waiting{pool="calls"}': 0,
      'app_database_waiting{pool="jobs"}': 0,
    })
})

test('the metrics count webhooks by outcome, and show events that are not processed', async () => {
  const world = await aMeasuredWorld()
  const event = { id: 'evt_1', type: 'a.made.up', objectType: 'thing', objectId: 'thing_1' }
  const receivedAt = new Date(Date.now() - 90_000)
  await world.pool.query(
    'insert into provider_events (id, type, object_type, object_id, received_at) values ($1, $2, $3, $4, $5)',
    [...Object.values(event), receivedAt],
  )
  await deliver(world, '{}', 't=1,v1=00')
  const found = await scrape(world)
  expect(found).toMatchObject({
    'app_webhooks_total{outcome="signature"}': 1,
    app_inbox_waiting: 1,
    app_inbox_failed: 0,
  })
  expect(Math.floor(found['app_inbox_oldest_seconds']! / 60)).toBe(1)
})

test('the metrics show open live streams and the changes that were heard', async () => {
  const world = await aMeasuredWorld()
  const tab = await aTab(world, await world.aPerson('ann'))
  const found = await scrape(world)
  expect(found).toMatchObject({ app_live_streams: 1 })
  expect(found['app_live_notices_total{what="user"}']).toBeGreaterThan(0)
  await tab.close()
  expect(await scrape(world)).toMatchObject({ app_live_streams: 0 })
})

test('the metrics count refusals by rate limit, and sign-ins by way and outcome', async () => {
  const issuer = await aMockIssuer(ann)
  const world = await aWorld({ ...withMetrics, ...google(issuer) })
  const ben = await world.aPerson('ben')
  await world.signIn(ben)
  await world.signIn({ ...ben, password: 'a wrong one' })
  await aBrowser(world).open('/auth/provider/google')
  await aBrowser(world).open('/auth/provider/google/callback')
  await aBrowser(world).open('/auth/provider/made-up')
  await world.useUp('verificationByAccount', ben.uid, rateLimits.verificationByAccount.tries)
  await ben.call('sendVerificationEmail', {})
  expect(await scrape(world)).toMatchObject({
    'app_sign_ins_total{way="password",outcome="ok"}': 1,
    'app_sign_ins_total{way="password",outcome="auth/invalid-credential"}': 1,
    'app_sign_ins_total{way="google",outcome="ok"}': 1,
    'app_sign_ins_total{way="google",outcome="auth/expired-provider-flow"}': 1,
    'app_sign_ins_total{way="unknown",outcome="auth/unknown-provider"}': 1,
    'app_rate_limited_total{limit="verificationByAccount"}': 1,
    'app_provider_requests_total{provider="google",operation="POST /token",outcome="ok"}': 1,
  })
})

test('the metrics count mails and requests to Firebase that nobody answers', async () => {
  const world = await aWorld({
    ...withMetrics,
    SMTP_URL: 'smtp://127.0.0.1:1',
    IDENTITY: 'firebase',
    FIREBASE_PROJECT_ID: 'demo',
    FIREBASE_API_KEY: 'a-key',
    FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:1',
  })
  const asked = 'provider="firebase",operation="POST accounts:signInWithPassword"'
  await world.signIn({ email: 'ann@example.com', password: 'correct horse' })
  const values = { name: 'Ann' }
  const mail = { to: 'ann@example.com', language: 'en', mail: 'accountDeleted', values } as const
  await world.services.jobs.add('sendMail', mail)
  await expect
    .poll(() => scrape(world), patient)
    .toMatchObject({
      [`app_provider_requests_total{${asked},outcome="unavailable"}`]: 1,
      'app_provider_requests_total{provider="smtp",operation="send",outcome="unavailable"}': 1,
    })
})
