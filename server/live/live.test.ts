// @module-tag slow
import { limits } from '#config/limits.ts'
import type { CallName } from '#contract/calls.ts'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { aTab, openTab } from '../../tests/tab.ts'
import {
  aWorld,
  aWorldWith,
  inParallel,
  openWorld,
  reasonOf,
  type Person,
} from '../../tests/world.ts'
import { newId, type SubscriptionId } from '../platform/ids.ts'
import type { shownColumns } from '../store/shown-subscription.ts'

/** Two servers on one database. Tests change data at `world` and open tabs at `other`. */
async function twoServers() {
  const world = await aWorld()
  return { world, other: await openWorld(world.connection), pool: world.pool }
}

/** The owner of a project, a member and a stranger, each with a browser tab at `other`. */
async function aTeamWatching() {
  const { world, other, pool } = await twoServers()
  const project = await world.aProject({ people: { max: [] } })
  const stranger = await world.aPerson('stranger')
  const people = { owner: project.owner, max: project.max, stranger }
  const tabs = {
    owner: await aTab(other, people.owner),
    max: await aTab(other, people.max),
    stranger: await aTab(other, stranger),
  }
  return { world, other, pool, project, ...people, tabs }
}

type Tabs = Awaited<ReturnType<typeof aTeamWatching>>['tabs']

async function heardBy(tabs: Tabs) {
  return {
    owner: await tabs.owner.heard(),
    max: await tabs.max.heard(),
    stranger: await tabs.stranger.heard(),
  }
}

const nothing = { subscriptions: [], what: [] }

test('a changed project setting is reported to open tabs of every member on every server, and to nobody else', async () => {
  const { owner, project, tabs } = await aTeamWatching()
  await owner.renames(project.id, 'Bridge renewal')
  expect(await tabs.owner.change()).toEqual({ subscriptions: [project.id], what: ['subscription'] })
  expect(await tabs.max.change()).toEqual({ subscriptions: [project.id], what: ['subscription'] })
  expect(await heardBy(tabs)).toEqual({ owner: nothing, max: nothing, stranger: nothing })
})

test('the answer to a call names the change that open tabs hear of, which no other call has', async () => {
  const { world, owner, project, tabs } = await aTeamWatching()
  const renames = async (name: string) => {
    const input = { subscriptionId: project.id, settings: { name } }
    const headers = { 'idempotency-key': name }
    const answer = await world.call('updateSubscriptionSettings', input, {
      token: owner.token,
      headers,
    })
    return answer.headers.get('change-id')
  }
  const first = await renames('Bridge')
  expect((await tabs.owner.changed()).changes).toEqual([first])
  expect((await tabs.max.changed()).changes).toEqual([first])
  // Two at once may come in one message, which then has both.
  const [second, third] = await Promise.all([renames('Ferry'), renames('Tunnel')])
  const heard = new Set<string>()
  while (heard.size < 2) for (const id of (await tabs.max.changed()).changes!) heard.add(id)
  expect(heard).toEqual(new Set([second, third]))
  expect(new Set([first, second, third]).size).toBe(3)
})

test('the answer to a call of several transactions names all changes that open tabs hear of', async () => {
  const { world, other, pool } = await twoServers()
  const owner = await world.aPerson('owner')
  const heir = await world.aPerson('heir')
  const { subscriptionId } = await owner.buys()
  await world.addMember(subscriptionId, heir, ['admin'])
  const tab = await aTab(other, owner)
  await world.control({ webhooks: { mode: 'hold' } })
  // A job tells both owners of the transfer, after the call.
  await pool.query('alter table notices disable trigger live_came')
  const changesOf = async (name: CallName, by: Person, input: object) => {
    const headers = { 'idempotency-key': newId() }
    const answer = await world.call(name, input as never, { token: by.token, headers })
    return answer.headers.get('change-id')!.split(', ')
  }
  for (const [name, by, input] of [
    ['changeSubscriptionPlan', owner, { planId: 'enterprise' }],
    ['transferSubscriptionOwnership', owner, { newOwnerId: heir.uid }],
    ['cancelSubscription', heir, { confirmationId: subscriptionId }],
  ] as const) {
    const named = await changesOf(name, by, { subscriptionId, ...input })
    const [last] = await changesOf('updateProfile', owner, { displayName: name })
    const heard = new Set<string>()
    while (!heard.has(last!)) for (const id of (await tab.changed()).changes!) heard.add(id)
    expect.soft(heard.size, name).toBeGreaterThan(1)
    expect.soft([...named, last], name).toEqual(expect.arrayContaining([...heard]))
  }
})

test('a new invitation and its end are reported to open tabs of the members and of the invitee', async () => {
  const { owner, stranger, project, tabs } = await aTeamWatching()
  const told = { subscriptions: [project.id], what: ['invites'] }
  const { inviteId } = await owner.invites(project.id, stranger.email)
  expect(await heardBy(tabs)).toEqual({ owner: told, max: told, stranger: told })
  await owner.call('resendInvite', { subscriptionId: project.id, inviteId })
  expect(await heardBy(tabs)).toEqual({ owner: told, max: told, stranger: told })
  await owner.call('revokeInvite', { subscriptionId: project.id, inviteId })
  expect(await heardBy(tabs)).toEqual({ owner: told, max: told, stranger: told })
})

test('invitations are reported to open tabs of an invitee only after the invitee has verified their email address', async () => {
  const { world, other } = await twoServers()
  const { id, owner } = await world.aProject()
  const eve = await world.aPerson('eve', { verified: false })
  const oobCode = await world.mailedCode(eve.email)
  const tab = await aTab(other, eve)
  const { inviteId } = await owner.invites(id, eve.email)
  expect(await tab.heard()).toEqual(nothing)
  await eve.call('applyActionCode', { oobCode })
  expect(await tab.change()).toEqual({ subscriptions: [], what: ['user'] })
  await owner.call('resendInvite', { subscriptionId: id, inviteId })
  expect(await tab.heard()).toEqual({ subscriptions: [id], what: ['invites'] })
})

test('changes of a project are reported to open tabs of a new member from the moment they join', async () => {
  const { owner, stranger, project, tabs } = await aTeamWatching()
  const { inviteId } = await owner.invites(project.id, stranger.email)
  await heardBy(tabs)
  await stranger.call('acceptInvite', { inviteId })
  const joined = { subscriptions: [project.id], what: ['invites', 'members'] }
  expect(await heardBy(tabs)).toEqual({ owner: joined, max: joined, stranger: joined })
  await owner.renames(project.id, 'Bridge renewal')
  expect((await tabs.stranger.heard()).what).toEqual(['subscription'])
})

test('a join link, who joins by it, and a request to join are reported to open tabs', async () => {
  const { owner, stranger, world, project, tabs } = await aTeamWatching()
  const told = { subscriptions: [project.id], what: ['invites'] }
  const wish = { subscriptionId: project.id, permissions: [], uses: 1 }
  const link = await owner.does('createJoinLink', wish)
  expect(await heardBy(tabs)).toEqual({ owner: told, max: told, stranger: nothing })
  const other = await world.aPerson('other')
  await other.does('requestToJoin', { subscriptionId: project.id })
  expect(await heardBy(tabs)).toEqual({ owner: told, max: told, stranger: nothing })
  await stranger.does('joinByLink', link)
  const joined = { subscriptions: [project.id], what: ['invites', 'members'] }
  expect(await heardBy(tabs)).toEqual({ owner: joined, max: joined, stranger: joined })
})

test('changed permissions of a member are reported to open tabs of every member', async () => {
  const { owner, max, project, tabs } = await aTeamWatching()
  await owner.permits(project.id, max, ['admin'])
  const told = { subscriptions: [project.id], what: ['members'] }
  expect(await heardBy(tabs)).toEqual({ owner: told, max: told, stranger: nothing })
})

test('the removal of a member is reported to their open tabs, and no later change of the project', async () => {
  const { owner, max, project, tabs } = await aTeamWatching()
  await owner.call('removeUser', { subscriptionId: project.id, userId: max.uid })
  await owner.renames(project.id, 'Bridge renewal')
  expect(await tabs.max.heard()).toEqual({ subscriptions: [project.id], what: ['members'] })
  expect((await tabs.owner.heard()).what).toEqual(['members', 'subscription'])
})

test('a new invoice is reported to open tabs of the members, and storing it again unchanged is not reported', async () => {
  const { world, project, tabs } = await aTeamWatching()
  const invoice = {
    id: 'in_1',
    number: null,
    created: 1,
    total: 1000,
    currency: 'usd',
    status: 'open',
    amount_paid: 0,
    reason: 'subscription_cycle',
    next_payment_attempt: null,
    attempts: 0,
    remaining: 1000,
  } as const
  await world.services.store.invoices.put(project.id, invoice, undefined)
  const told = { subscriptions: [project.id], what: ['invoices'] }
  expect(await heardBy(tabs)).toEqual({ owner: told, max: told, stranger: nothing })
  await world.services.store.invoices.put(project.id, invoice, undefined)
  expect(await heardBy(tabs)).toEqual({ owner: nothing, max: nothing, stranger: nothing })
})

test('the cancellation of a project is reported to open tabs, and changes of columns that no screen shows are not', async () => {
  const { world, owner, project, tabs, pool } = await aTeamWatching()
  await pool.query(
    'update subscriptions set billing_lease_until = now(), synced = synced + 1, settings = settings where id = $1',
    [project.id],
  )
  expect(await heardBy(tabs)).toEqual({ owner: nothing, max: nothing, stranger: nothing })
  await owner.cancels(project.id)
  await world.untilWorkedOff()
  const told = { subscriptions: [project.id], what: ['subscription'] }
  expect(await heardBy(tabs)).toEqual({ owner: told, max: told, stranger: nothing })
})

test('open tabs hear of a change of each column that screens show of a project', async () => {
  const { world, tabs, project, stranger } = await aTeamWatching()
  const id = project.id as SubscriptionId
  const someday = new Date('2030-01-01T00:00:00Z')
  const changed: Omit<Record<(typeof shownColumns)[number], unknown>, 'id' | 'createdAt'> = {
    ownerId: stranger.uid,
    planId: 'pro',
    status: 'canceled',
    payment: 'past_due',
    settings: { name: 'Bridge' },
    renewsAt: someday,
    amount: 1,
    frequency: 'year',
    every: 2,
    currency: 'eur',
    endsAt: someday,
    endsBy: 'operator',
    scheduled: { planId: 'free', price: null, at: 1, isOwn: true },
    trialEndsAt: someday,
    discount: { percent: 10, until: null },
    lookOnly: { because: 'overdue', until: null },
    collectionPaused: true,
    hasCard: false,
    secondFactorFrom: someday,
  }
  for (const [column, value] of Object.entries(changed)) {
    await world.services.store.billing.update(id, { [column]: value })
    expect((await tabs.max.change()).what, column).toEqual(['subscription'])
  }
})

test('a change that is rolled back is not reported to open tabs', async () => {
  const { project, pool, tabs } = await aTeamWatching()
  const client = await pool.connect()
  await client.query('begin')
  await client.query(`update subscriptions set settings = '{"name": "x"}' where id = $1`, [
    project.id,
  ])
  await client.query('rollback')
  client.release()
  expect(await heardBy(tabs)).toEqual({ owner: nothing, max: nothing, stranger: nothing })
})

test('changes in one transaction are reported to open tabs in one message', async () => {
  const { pool, project, max, tabs } = await aTeamWatching()
  await pool.query(
    `with renamed as (update subscriptions set settings = '{"name": "x"}' where id = $1)
     update members set permissions = '{access,editor}' where subscription_id = $1 and user_id = $2`,
    [project.id, max.uid],
  )
  expect(await tabs.max.change()).toEqual({
    subscriptions: [project.id],
    what: ['members', 'subscription'],
  })
  expect(await tabs.max.heard()).toEqual(nothing)
})

test('revoking a session ends its live streams on every server, and streams of the user’s other sessions go on', async () => {
  const { world, other } = await twoServers()
  const ann = await world.aPerson()
  const again = await world.signIn(ann)
  const tab = await aTab(other, ann)
  const lost = await openTab(other, again.result!.token)
  const { sessions } = await ann.does('listSessions', {})
  await ann.call('revokeSession', { sessionId: sessions.find(({ is_current }) => !is_current)!.id })
  expect(await lost.end()).toBe('sessionEnded')
  expect(await tab.heard()).toEqual(nothing)
})

test('a live stream ends when its access token expires', async () => {
  const [world, ann] = await aWorldWith('ann')
  world.pass(limits.sessions.accessToken - 2000)
  const tab = await openTab(world, ann.token)
  expect(await tab.end()).toBe('tokenExpired')
})

test.each([
  ['no token', {}, 'notSignedIn'],
  ['a made-up token', { authorization: 'Bearer nonsense' }, 'sessionEnded'],
])('a request for a live stream with %s is refused', async (_, headers, reason) => {
  const world = await aWorld()
  const response = await world.request('/live', { headers: headers as Record<string, string> })
  expect(response.status).toBe(401)
  expect(await response.json()).toMatchObject({
    error: { status: 'UNAUTHENTICATED', details: { reason } },
  })
  expect(response.headers.get('cache-control')).toBe('no-store')
})

test('the headers of a live stream forbid proxies to cache or buffer it, and a HEAD request for it is refused', async () => {
  const [world, ann] = await aWorldWith('ann')
  const { headers } = await openTab(world, ann.token)
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  const head = await world.request('/live', {
    method: 'HEAD',
    headers: { authorization: `Bearer ${ann.token}` },
  })
  expect(head.status).toBe(405)
})

test('when a user opens too many live streams, the oldest one ends', async () => {
  const [world, ann] = await aWorldWith('ann')
  const tabs = []
  for (let index = 0; index <= limits.live.streamsPerUser; index++)
    tabs.push(await openTab(world, ann.token))
  expect(await tabs[0]!.end()).toBe('tooMany')
  await ann.call('updateProfile', { displayName: 'Ann Archer' })
  for (const tab of tabs.slice(1)) {
    while ((await tab.next()).event !== 'ready');
    expect((await tab.change()).what).toContain('user')
  }
})

test('a live stream whose client stops reading is closed, and other streams go on', async () => {
  const [world, ann] = await aWorldWith('ann')
  const { pool } = world
  await pool.query(
    `with made as (insert into subscriptions (id, owner_id, plan_id, status, created_at)
      select 'project-' || n, $1, 'free', 'active', now() from generate_series(1, 1000) n returning id)
    insert into members (subscription_id, user_id, permissions, created_at) select id, $1, '{access}', now() from made`,
    [ann.uid],
  )
  const tab = await aTab(world, ann)
  const response = await world.request('/live', {
    headers: { authorization: `Bearer ${ann.token}` },
  })
  for (let index = 0; index < 8; index++) {
    await pool.query('update subscriptions set settings = $1', [{ name: `Name ${index}` }])
    const told = new Set<string>()
    while (told.size < 1000) for (const id of (await tab.change()).subscriptions) told.add(id)
  }
  await expect(response.body!.getReader().read()).rejects.toThrow('A stream was not read.')
})

test('a server that loses its listening connection to the database reconnects and tells every open tab to reload its data', async () => {
  const { owner, tabs, pool, project } = await aTeamWatching()
  await killListeners(pool)
  for (const tab of [tabs.owner, tabs.max, tabs.stranger])
    expect(await tab.change()).toEqual({ subscriptions: [], what: ['everything'] })
  await owner.renames(project.id, 'Bridge renewal')
  expect(await tabs.max.change()).toEqual({ subscriptions: [project.id], what: ['subscription'] })
})

test('a server that missed notifications from the database finds out after reconnecting which sessions ended and who joined projects', async () => {
  const { world, other, project, owner, stranger, pool, tabs } = await aTeamWatching()
  const again = await world.signIn(stranger)
  const lost = await openTab(other, again.result!.token)
  // Without these triggers the database sends no notifications, as if the server had missed them.
  await pool.query(
    `alter table sessions disable trigger user; alter table members disable trigger user`,
  )
  await stranger.call('revokeOtherSessions', {})
  await world.addMember(project.id, stranger, [])
  await killListeners(pool)
  expect(await lost.end()).toBe('sessionEnded')
  expect(await tabs.stranger.change()).toEqual({ subscriptions: [], what: ['everything'] })
  await owner.renames(project.id, 'Bridge renewal')
  expect(await tabs.stranger.change()).toEqual({
    subscriptions: [project.id],
    what: ['subscription'],
  })
})

async function killListeners(pool: pg.Pool) {
  await pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'presence' and datname = current_database()`,
  )
}

test('a server that stops first ends its live streams, and refuses new ones', async () => {
  const [world, ann] = await aWorldWith('ann')
  const tabs = await inParallel(5, () => openTab(world, ann.token))
  world.closeStreams()
  expect(await Promise.all(tabs.map((tab) => tab.end()))).toEqual(
    Array.from({ length: 5 }, () => 'stopping'),
  )
  const refused = await world.request('/live', {
    headers: { authorization: `Bearer ${ann.token}` },
  })
  expect(refused.status).toBe(503)
  expect(reasonOf((await refused.json()) as never)).toBe('unavailable')
})
