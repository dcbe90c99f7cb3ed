// @module-tag slow
import { ownerPermissions } from '#contract/access.ts'
import { calls, type CallName } from '#contract/calls.ts'
import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { aBackup, aFile, aRestored, backUpTo } from '../../tests/a-backup.ts'
import { aBilledProject } from '../../tests/a-billed-project.ts'
import { aDatabase, aRole, grantRights, hold, untilSomebodyWaits } from '../../tests/database.ts'
import { inputFor } from '../../tests/inputs.ts'
import { aWorld, inParallel, type Person, type World } from '../../tests/world.ts'
import { newId } from '../../server/platform/ids.ts'
import { StartError } from '../../server/platform/start-error.ts'
import { onOwnConnection } from '../../server/migrate/change-schema.ts'
import { openProgress } from './progress.ts'
import { openSnapshot, textOf } from './write-backup.ts'

const log = pino({ level: 'silent' })
const week = 7 * 24 * 3600
const reads = (Object.keys(calls) as CallName[]).filter((name) => calls[name].effect === 'read')

/** What each call that reads answers each person about each project. */
async function answersOf(world: World, people: Person[], projects: string[]) {
  await world.untilWorkedOff()
  const answers: Record<string, unknown> = {}
  for (const { email, token } of people)
    for (const project of projects)
      for (const name of reads) {
        const input = inputFor(name, project) as never
        const { status, result, error } = await world.call(name, input, { token })
        answers[`${email} ${name} ${project}`] = { status, result, error }
      }
  return answers
}

/** A project with a paid week, and people who may do different things in it. */
async function aTeam() {
  const world = await aWorld()
  const { owner, subscriptionId } = await aBilledProject({ world })
  const [admin, member] = await world.somePeople('admin', 'member')
  await world.addMember(subscriptionId, admin, ['admin'])
  await world.addMember(subscriptionId, member)
  await owner.invites(subscriptionId, 'invited@example.com')
  await world.passAtProvider(week + 3600)
  const canceled = (await member.starts()).subscriptionId
  await member.cancels(canceled)
  const answers = (of: World) => answersOf(of, [owner, admin, member], [subscriptionId, canceled])
  return { world, answers }
}

test('a backup made while people work gives everybody the same answers on the restored database', async () => {
  const { world, answers } = await aTeam()
  const { connection, services } = world
  const before = await answers(world)

  const { promise: ended, resolve: end } = Promise.withResolvers<'ended'>()
  const busy = await world.aPerson('busy')
  const project = { planId: 'free', status: 'active', permissions: ownerPermissions } as const
  const working = inParallel(3, async () => {
    const pause = () => Promise.race([ended, setImmediate('go on')])
    while ((await pause()) !== 'ended')
      await services.store.subscriptions.add({
        ...project,
        id: newId(),
        ownerId: busy.uid,
        now: new Date(),
      })
  })
  while ((await busy.projects()).length < 5);
  const { file, said } = await aBackup(connection)
  end('ended')
  await working

  const restored = await aRestored(file)
  expect(said).toMatch(/^Wrote .*a\.sql\.gz: made at .*\n\d+ rows in \d+ tables: \d+ people/)
  expect(restored.said.split('\n')[1]).toBe(said.split('\n')[1])
  expect(await answers(await restored.open())).toEqual(before)
  const torn = `select from subscriptions where owner_id is not null and not exists (
    select from members where subscription_id = subscriptions.id and user_id = owner_id)`
  expect((await restored.pool.query(torn)).rowCount).toBe(0)
})

test('a backup has nothing that was written after its beginning', async () => {
  const world = await aWorld()
  await world.signUp('ann')
  let text = ''
  await onOwnConnection(world.connection, log, async (client) => {
    const snapshot = await openSnapshot(client)
    await world.signUp('ben')
    await world.untilWorkedOff()
    const notes = { rows: {}, progress: openProgress('Backup') }
    for await (const piece of textOf(client, snapshot, notes)) text += piece.toString()
  })
  expect(text).toContain('ann@example.com')
  expect(text).not.toContain('ben@example.com')
})

test('what a server was at when its backup was made is done once on the restored database, and nothing is held', async () => {
  const world = await aWorld()
  const { owner, subscriptionId, change } = await aBilledProject({ world })
  const { connection, pool, services } = world
  const letGo = await hold(pool, 'lock table kept_mails in exclusive mode')
  await owner.invites(subscriptionId, 'invited@example.com')
  await untilSomebodyWaits(pool, 'into kept_mails')
  const lease = `update subscriptions set billing_lease_by = $1, billing_lease_until = now() + interval '1 hour'`
  await pool.query(lease, [services.serverId])
  const claim = { userId: owner.uid, key: 'k', request: '', by: services.serverId }
  await services.store.idempotency.claim({ ...claim, now: new Date(), leftBefore: new Date(0) })
  const { file } = await aBackup(connection)
  const { pool: copy, open } = await aRestored(file)
  await letGo()

  const held = `select from servers union all select from jobs where server is not null
    union all select from subscriptions where billing_lease_by is not null`
  expect((await copy.query(held)).rowCount).toBe(0)
  const other = await open()
  await other.untilWorkedOff()
  expect(await other.mails('invited@example.com')).toHaveLength(1)
  const { token } = owner
  const input = { subscriptionId, planId: 'enterprise' }
  expect(await other.call('changeSubscriptionPlan', input, { token })).toMatchObject({
    status: 200,
  })
  const now = new Date()
  const again = { ...claim, by: other.services.serverId, now, leftBefore: new Date(0) }
  expect(await other.services.store.idempotency.claim(again)).toBeDefined()
  await pool.query('update subscriptions set billing_lease_by = null, billing_lease_until = null')
  expect(await change('enterprise')).toMatchObject({ status: 200 })
})

test('the sandbox goes on where it was: a week later the restored project is charged, and the other one is not', async () => {
  const world = await aWorld()
  const { owner, subscriptionId, invoices } = await aBilledProject({ world })
  const { file } = await aBackup(world.connection)
  const other = await (await aRestored(file)).open()
  await other.passAtProvider(week + 3600)
  const { token } = owner
  const answer = await other.does('listInvoices', { subscriptionId }, { token })
  expect(answer.invoices).toMatchObject([{ status: 'paid' }, { status: 'paid' }])
  expect(await invoices()).toHaveLength(1)
})

test('a restored database has no more work than before but to ask the payment provider, gives new rows new ids and has all triggers on', async () => {
  const world = await aWorld()
  const ann = await world.aPerson('ann')
  const { subscriptionId } = await ann.starts()
  await world.untilWorkedOff()
  const { file } = await aBackup(world.connection)
  const { pool, open } = await aRestored(file)
  const last = async () =>
    (await pool.query<{ id: number }>('select max(id) id from activity')).rows[0]!.id
  const former = await last()
  expect((await pool.query('select task from jobs')).rows).toEqual([{ task: 'reconcile' }])
  const disabled = `select from pg_trigger where tgenabled = 'D'`
  expect((await pool.query(disabled)).rowCount).toBe(0)
  const other = await open()
  const settings = { name: 'Bridge' }
  await other.does('updateSubscriptionSettings', { subscriptionId, settings }, { token: ann.token })
  expect(await last()).toBeGreaterThan(former)
  const { subscriptions } = await other.does('listSubscriptions', {}, { token: ann.token })
  expect(subscriptions).toMatchObject([{ settings }])
})

test('a backup is a file that only its user can read, and never replaces another', async () => {
  const { connection } = await aDatabase()
  const { file } = await aBackup(connection)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(existsSync(`${file}.part`)).toBe(false)
  const bytes = await readFile(file)
  const again = backUpTo(file, connection)
  await expect(again).rejects.toThrow(
    new StartError(`${file} exists already. Choose another name.`),
  )
  expect(await readFile(file)).toEqual(bytes)
  expect(gunzipSync(bytes).toString()).toMatch(/^-- \w+ backup \{.*\n-- sha256 .*\n$/s)
})

test('a backup that fails leaves no file, and says why', async () => {
  const role = await aRole()
  const { connection, pool } = await aDatabase()
  const file = await aFile()
  const restricted = { ...connection, user: role }
  const refused = (why: RegExp) => expect(backUpTo(file, restricted)).rejects.toThrow(why)
  await refused(
    /^The role of DATABASE_URL lacks a right: .*Use the role that owns the tables\. No file is kept\.$/,
  )
  await grantRights(connection, role)
  await pool.query('alter table users enable row level security')
  await refused(/row-level security.*Use the role that owns the tables/)
  await pool.query('drop schema public cascade; create schema public')
  await expect(backUpTo(file, connection)).rejects.toThrow(
    'There is nothing to back up: no server has run on this database yet.',
  )
  expect(existsSync(file) || existsSync(`${file}.part`)).toBe(false)
})
