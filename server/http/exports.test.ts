// @module-tag slow
import { rateLimits } from '#config/limits.ts'
import type pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { aProgram } from '../../tests/a-program.ts'
import { anAuthenticator } from '../../tests/an-authenticator.ts'
import { aProject, aWorld, aWorldWith, type Person, type World } from '../../tests/world.ts'
import { listen } from '../running/listen.ts'

const own = { path: '/api/exportOwnActivity', data: {} }
const of = (subscriptionId: string) => ({ path: '/api/exportActivity', data: { subscriptionId } })
type Wish = typeof own

function requestOf({ token }: Pick<Person, 'token'>, data: object, signal?: AbortSignal) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  return { method: 'POST', headers, body: JSON.stringify({ data }), signal: signal ?? null }
}

/** Begins an export whose answer nobody reads yet. */
async function begin(world: World, person: Pick<Person, 'token'>, { path, data }: Wish) {
  const response = await world.request(path, requestOf(person, data))
  expect(response.status).toBe(200)
  return response
}

/** Adds so many entries that an export is not sent at once, or, if they are large, not to a port. */
async function addEntries(
  pool: pg.Pool,
  entry: { actor: Person; subject?: Person; in?: string; size?: number },
) {
  await pool.query(
    `insert into activity (at, kind, actor_id, actor_name, subject_id, subscription_id, details)
     select now(), 'settingsChanged', $1, 'somebody', $2, $3, jsonb_build_object('fields', repeat('x', $4))
     from generate_series(1, 500)`,
    [entry.actor.uid, entry.subject?.uid, entry.in, entry.size ?? 900],
  )
}

const idsOf = (activity: { id: string }[]) => activity.map(({ id }) => Number(id))

/** Serves a world on a port, because only a connection can be cut. */
async function aServer(world: World) {
  const { port, close } = await listen(world.app, { host: '127.0.0.1', port: 0, trustedProxies: 0 })
  onTestFinished(() => close())
  return (person: Person, { path, data }: Wish, signal?: AbortSignal) =>
    fetch(`http://127.0.0.1:${port}${path}`, requestOf(person, data, signal))
}

test('an export of many pages has every entry once, newest first, by and about the person', async () => {
  const { world, id, owner, bob } = await aProject({ people: { bob: ['admin'] } })
  await addEntries(world.pool, { actor: bob, in: id })
  await owner.permits(id, bob, ['admin', 'editor'])
  await addEntries(world.pool, { actor: owner, subject: bob, in: id })
  const { activity } = await bob.does('exportOwnActivity', {})
  expect(activity).toHaveLength(1002)
  expect(idsOf(activity)).toEqual(idsOf(activity).toSorted((a, b) => b - a))
  const page = { pageSize: 100 } as const
  expect(activity.slice(0, 100)).toEqual((await bob.does('listOwnActivity', page)).activity)
  const { activity: ofProject } = await owner.does('exportActivity', { subscriptionId: id })
  expect(idsOf(ofProject)).toEqual(idsOf(activity).slice(0, -1))
})

test('an export of what is kept about a person has every project and invitation once', async () => {
  const [world, ann, bob] = await aWorldWith('ann', 'bob')
  await world.pool.query(
    `with project as (
       insert into subscriptions (id, owner_id, plan_id, status, settings, created_at)
       select 'project' || n, $1, 'free', 'active', '{}', now() from generate_series(1, 401) n returning id
     ), invite as (
       insert into invites (id, subscription_id, email, permissions, status, host_id, code_hash, created_at, expires_at)
       select id, id, $2, '{access}', 'pending', $1, id, now(), now() from project
     )
     insert into members (subscription_id, user_id, permissions, created_at) select id, $1, '{access}', now() from project`,
    [ann.uid, bob.email],
  )
  const countOf = (list: unknown) => new Set((list as { id: string }[]).map(({ id }) => id)).size
  const { data } = await ann.does('exportUser', {})
  expect(data['projects']).toHaveLength(401)
  expect([countOf(data['projects']), countOf(data['invitations_sent'])]).toEqual([401, 401])
  expect(data).toMatchObject({ payment_methods: [], invitations_received: [] })
  const about = (await bob.does('exportUser', {})).data
  expect(about['invitations_received']).toHaveLength(401)
  expect(countOf(about['invitations_received'])).toBe(401)
  const unverified = await world.aPerson('carol', { verified: false })
  expect((await unverified.does('exportUser', {})).data['invitations_received']).toEqual([])
})

test('of two exports of one account at once the second is refused, until the first was read', async () => {
  const [world, ann, bob] = await aWorldWith('ann', 'bob')
  const first = await begin(world, ann, own)
  await ann.cannot('exportUser', {}, 'exportInProgress')
  await bob.does('exportUser', {})
  expect(await first.json()).toMatchObject({ result: { activity: [{ kind: 'signedIn' }] } })
  await ann.does('exportUser', {})
})

test('an account has six exports of each project an hour, and six of what is kept about itself', async () => {
  const { id, owner, bob } = await aProject({ people: { bob: ['admin'] } })
  const other = (await owner.starts()).subscriptionId
  const exported = (subscriptionId: string) => owner.refusal('exportActivity', { subscriptionId })
  for (let count = 0; count < rateLimits.exportsByAccount.tries; count++) {
    expect(await exported(id)).toBe(undefined)
    await owner.does(count % 2 === 0 ? 'exportOwnActivity' : 'exportUser', {})
  }
  expect(await exported(id)).toBe('auth/too-many-requests')
  for (const call of ['exportOwnActivity', 'exportUser'] as const)
    await owner.cannot(call, {}, 'auth/too-many-requests')
  expect(await exported(other)).toBe(undefined)
  await bob.does('exportActivity', { subscriptionId: id })
})

test('an export that nobody reads on keeps no connection to the database', async () => {
  const world = await aWorld({ DATABASE_POOL: '2' })
  const ann = await world.aPerson('ann')
  await addEntries(world.pool, { actor: ann })
  const unread = await begin(world, ann, own)
  await ann.does('getUser', {})
  await unread.body!.cancel()
  await ann.does('exportOwnActivity', {})
})

test('the export of an administrator who is removed meanwhile breaks off', async () => {
  const { world, id, owner, bob } = await aProject({ people: { bob: ['admin'] } })
  await addEntries(world.pool, { actor: owner, in: id })
  const begun = await begin(world, bob, of(id))
  await owner.does('removeUser', { subscriptionId: id, userId: bob.uid })
  await expect(begun.text()).rejects.toThrow('Access denied')
  await bob.does('exportOwnActivity', {})
})

test('the export of a session that a demand for a second step shuts out breaks off', async () => {
  const { world, id, owner, bob } = await aProject({ people: { bob: ['admin'] } })
  await anAuthenticator(world, owner)
  await addEntries(world.pool, { actor: owner, in: id })
  const begun = { shut: await begin(world, bob, of(id)), passed: await begin(world, owner, of(id)) }
  const demand = { subscriptionId: id, requireSecondFactor: true }
  await owner.does('updateSubscriptionSecurity', demand)
  await expect(begun.shut.text()).rejects.toThrow('has passed a second step')
  expect(await begun.passed.json()).toMatchObject({ result: { activity: expect.any(Array) } })
})

test('the export of a program whose token is revoked meanwhile breaks off', async () => {
  const { world, id, owner } = await aProject()
  const program = await aProgram(world, owner, { subscriptionId: id })
  await addEntries(world.pool, { actor: owner, in: id })
  const begun = await begin(world, program, of(id))
  await owner.does('revokeAccessToken', { accessTokenId: program.id })
  await expect(begun.text()).rejects.toThrow('The session has ended.')
})

test('an export that fails on the way cuts the connection, and its reader takes no part for the whole', async () => {
  const [world, ann] = await aWorldWith('ann')
  const ask = await aServer(world)
  await addEntries(world.pool, { actor: ann, size: 30_000 })
  const answer = await ask(ann, own)
  const reader = answer.body!.getReader()
  await reader.read()
  await ann.does('signOut', {})
  const readOn = async () => {
    while (!(await reader.read()).done);
  }
  await expect(readOn()).rejects.toThrow('terminated')
})

test('after the connection of an export was cut, the account can begin another one', async () => {
  const [world, ann] = await aWorldWith('ann')
  const ask = await aServer(world)
  await addEntries(world.pool, { actor: ann, size: 30_000 })
  const cut = new AbortController()
  const answer = await ask(ann, own, cut.signal)
  await answer.body!.getReader().read()
  expect((await ask(ann, own)).status).toBe(429)
  cut.abort()
  const next = await vi.waitUntil(async () => {
    const again = await ask(ann, own)
    return again.status === 200 && again
  }, 20_000)
  expect(await next.json()).toMatchObject({ result: { activity: { length: 501 } } })
})
