import { chosenKinds } from '#contract/notices.ts'
import { expect, test } from 'vitest'
import { aBilledProject } from '../../tests/a-billed-project.ts'
import { aTab } from '../../tests/tab.ts'
import { aProject, openWorld, reasonOf, type Person, type World } from '../../tests/world.ts'
import { otherJobs } from '../../server/jobs/jobs.ts'
import { startWork } from './digest.ts'

const newest = { page: 1, pageSize: 50 } as const
const day = 24 * 3_600_000
/** Seconds of a day, as the provider's clock counts. */
const days = 86_400

const titles = async (person: Person) =>
  (await person.does('listNotices', newest)).notices.map(({ title }) => title)

/** A project called Engine, whose administrator Max invites and whose member Eve has a role. */
async function anEngine() {
  const made = await aProject({ plan: 'pro', people: { max: ['admin'], eve: [] } })
  await made.owner.renames(made.id, 'Engine')
  await made.world.untilWorkedOff()
  await made.world.pool.query('delete from kept_mails')
  return made
}

type Engine = Awaited<ReturnType<typeof anEngine>>

/** Does what each kind tells of. */
const doing: Record<(typeof chosenKinds)[number], (engine: Engine) => Promise<Person>> = {
  memberRemoved: async ({ owner, id, eve }) => {
    await owner.does('removeUser', { subscriptionId: id, userId: eve.uid })
    return eve
  },
  roleChanged: async ({ owner, id, eve }) => (await owner.permits(id, eve, ['editor']), eve),
  projectEnded: async ({ world, owner, id, max }) => {
    await owner.cancels(id)
    await world.untilWorkedOff()
    return max
  },
  invitationAccepted: async ({ world, id, max }) => {
    const fay = await world.aPerson('fay')
    await fay.does('acceptInvite', await max.invites(id, fay.email))
    return max
  },
  joinRequested: async ({ world, id, max }) => {
    const gil = await world.aPerson('gil')
    await gil.does('requestToJoin', { subscriptionId: id })
    return max
  },
  joinAccepted: async ({ id, eve, max }) => {
    const inProject = { subscriptionId: id }
    await eve.does('leaveSubscription', inProject)
    await eve.does('requestToJoin', inProject)
    const { requests } = await max.does('listJoinRequests', inProject)
    await max.does('decideJoinRequest', { requestId: requests[0]!.id, permissions: [] })
    return eve
  },
}

test.each(chosenKinds)(
  '%s is told in the app, at once, once a day, or not, as its reader chose',
  async (kind) => {
    for (const [way, app] of [
      ['atOnce', true],
      ['digest', false],
      ['never', true],
    ] as const) {
      const engine = await anEngine()
      const { world, eve, max } = engine
      for (const person of [eve, max])
        await person.does('saveUser', {
          notices: { [kind]: way !== 'never' },
          notice_ways: { [kind]: { app, digest: way === 'digest' } },
        })
      const reader = await doing[kind](engine)
      await world.untilWorkedOff()
      const mailed = async () => (await world.mails(reader.email)).length
      expect([way, await titles(reader), await mailed()]).toEqual([
        way,
        app ? [expect.stringContaining('Engine')] : [],
        way === 'atOnce' ? 1 : 0,
      ])
      world.pass(day)
      const isDue = async () => (await mailed()) > 0
      if (way !== 'never') await expect.poll(isDue).toBe(true)
      await world.untilWorkedOff()
      expect([way, await mailed()]).toEqual([way, way === 'never' ? 0 : 1])
    }
  },
)

test('notices are unread until one or all are marked, and open tabs of their reader hear of both', async () => {
  const { world, id, owner, eve } = await anEngine()
  const other = (await owner.starts()).subscriptionId
  await world.addMember(other, eve)
  const tab = await aTab(world, eve)
  await owner.permits(id, eve, ['editor'])
  await owner.permits(other, eve, ['editor'])
  expect((await tab.heard({ notices: true })).what).toContain('notices')
  const { notices, total } = await eve.does('listNotices', newest)
  expect(total).toBe(2)
  expect(notices[1]).toEqual({
    id: expect.any(String),
    kind: 'roleChanged',
    title: 'Your role in Engine has changed',
    by: 'owner',
    subscription_id: id,
    project: 'Engine',
    path: `/subscription/${id}`,
    created: expect.any(Number),
    is_read: false,
  })
  const inEngine = await eve.does('listNotices', { ...newest, project: id })
  expect(inEngine.notices).toEqual([notices[1]])
  const unread = async (person: Person) => (await person.does('countNotices', {})).unread
  expect([await unread(eve), await unread(owner)]).toEqual([2, 0])

  await owner.does('markNoticesRead', { noticeIds: notices.map(({ id }) => id) })
  expect(await unread(eve)).toBe(2)
  await eve.does('markNoticesRead', { noticeIds: [notices[1]!.id] })
  expect((await tab.heard({ notices: true })).what).toContain('notices')
  const left = await eve.does('listNotices', { ...newest, unread: true })
  expect(left.notices).toEqual([notices[0]])
  await eve.does('markNoticesRead', {})
  expect(await unread(eve)).toBe(0)
})

test('of a project that somebody left or was removed from, only the removal is listed', async () => {
  const { world, id, owner, max, eve } = await anEngine()
  for (const person of [eve, max]) await owner.permits(id, person, ['editor', 'admin'])
  await max.does('leaveSubscription', { subscriptionId: id })
  await owner.does('removeUser', { subscriptionId: id, userId: eve.uid })
  await owner.renames(id, 'Secret')
  expect([await titles(max), await titles(eve)]).toEqual([[], ['You were removed from Engine']])
  expect((await max.does('countNotices', {})).unread).toBe(0)
  const { data } = await eve.does('exportUser', {})
  expect(data['notices']).toMatchObject([{ kind: 'memberRemoved', project: 'Engine' }])
  await world.addMember(id, max)
  expect(await titles(max)).toEqual(['Your role in Engine has changed'])
})

test('of a project that asks for a second step, a session without one lists nothing', async () => {
  const { world, id, owner, eve } = await anEngine()
  await owner.permits(id, eve, ['editor'])
  await world.pool.query(
    `update subscriptions set second_factor_from = now() - interval '1 minute'`,
  )
  expect(await titles(eve)).toEqual([])
  expect((await eve.does('exportUser', {})).data['notices']).toEqual([])
  await world.pool.query('update sessions set second_step_at = now()')
  expect(await titles(eve)).toEqual(['Your role in Engine has changed'])
})

test('a canceled project keeps its notices', async () => {
  const { world, id, owner, max } = await anEngine()
  await owner.permits(id, max, ['editor', 'admin'])
  await owner.cancels(id)
  await world.untilWorkedOff()
  expect(await titles(max)).toEqual(['Engine is canceled', 'Your role in Engine has changed'])
  expect(await titles(owner)).toEqual(['Engine is canceled'])
})

test('somebody who has not shown that an address is theirs is told nothing in the app, nor is its owner later', async () => {
  const { world, id, owner } = await anEngine()
  const zoe = await world.aPerson('zoe', { verified: false })
  await world.addMember(id, zoe)
  await owner.permits(id, zoe, ['editor'])
  expect(await titles(zoe)).toEqual([])
  await world.openMail(zoe.email, zoe)
  expect(await titles(zoe)).toEqual([])
})

test('notices go after 90 days, and with the account', async () => {
  const { world, id, owner, max, eve } = await anEngine()
  for (const person of [eve, max]) await owner.permits(id, person, ['editor', 'admin'])
  await eve.does('deleteAccount', { confirmationId: eve.uid })
  const count = async () => {
    const { rows } = await world.pool.query('select user_id from notices')
    return rows.filter((row: { user_id: string }) => row.user_id !== owner.uid).length
  }
  expect(await count()).toBe(1)
  world.pass(89 * day)
  await otherJobs.removeExpired({}, world.services)
  expect(await count()).toBe(1)
  world.pass(2 * day)
  await otherJobs.removeExpired({}, world.services)
  expect(await count()).toBe(0)
})

test('the bell tells once of a payment that fails again, and has nothing unread once it is paid', async () => {
  const { world, owner, subscriptionId } = await aBilledProject()
  const max = await world.aPerson('max')
  await world.addMember(subscriptionId, max, ['admin'])
  await world.control({ charges: { fail: 100 } })
  await world.passAtProvider(7 * days + 7200)
  for (const _ of ['a second try', 'a third']) await world.passAtProvider(2 * days)
  const failed = "The payment for Untitled Project didn't go through"
  for (const person of [owner, max]) expect(await titles(person)).toEqual([failed])
  await world.control({ charges: { fail: 0 } })
  expect(await owner.does('payInvoice', { subscriptionId })).toEqual({})
  for (const person of [owner, max])
    expect(await person.does('countNotices', {})).toMatchObject({ unread: 0 })
})

test('a request to join is unread until an administrator answers it, for all of them', async () => {
  const { world, owner, max, id } = await anEngine()
  const unread = (person: Person) => person.does('listNotices', { ...newest, unread: true })
  for (const name of ['gil', 'hal'])
    await (await world.aPerson(name)).does('requestToJoin', { subscriptionId: id })
  for (const permissions of [[], null]) {
    const { requests } = await max.does('listJoinRequests', { subscriptionId: id })
    for (const admin of [owner, max])
      expect((await unread(admin)).total, String(permissions)).toBe(requests.length)
    await max.does('decideJoinRequest', { requestId: requests[0]!.id, permissions })
  }
  for (const admin of [owner, max]) expect((await unread(admin)).notices).toEqual([])
})

test('a receipt is mailed, and is no news in the app', async () => {
  const { world } = await aProject()
  const ann = await world.aPerson('ann')
  await ann.buys()
  await world.untilWorkedOff()
  expect((await world.mails(ann.email))[0]!.subject).toMatch(/^Your receipt/)
  expect(await titles(ann)).toEqual([])
})

/** Wants the mail of the day about roles, and has waited for one. */
async function wantsDigest(person: Person) {
  const roleChanged = { app: true, digest: true }
  await person.does('saveUser', { notice_ways: { roleChanged } })
}

async function untilMailed(world: World, { email }: Person) {
  await expect.poll(async () => (await world.mails(email)).length).toBe(1)
  return (await world.mails(email))[0]!
}

test('the mail of the day about 100 notices counts them by project and kind, and lists the newest', async () => {
  const { world, id, owner, eve } = await anEngine()
  const other = (await owner.starts()).subscriptionId
  await owner.renames(other, 'Harbour lights')
  await world.addMember(other, eve)
  await wantsDigest(eve)
  for (let change = 0; change < 37; change++)
    await owner.permits(other, eve, change % 2 === 0 ? ['editor'] : [])
  for (let change = 0; change < 63; change++)
    await owner.permits(id, eve, change % 2 === 0 ? ['editor'] : [])
  world.pass(day)
  const { subject, text, links } = await untilMailed(world, eve)
  expect(subject).toBe('100 notices from your projects')
  const blocks = text.split('\n\n')
  expect(blocks[1]).toBe('This is what others did since the last email, the newest first.')
  const [engine, harbour] = [blocks[2]!.split('\n'), blocks[3]!.split('\n')]
  expect([engine[0], engine.length, engine.at(-1)]).toEqual([
    'Engine · 63 changes of your role',
    12,
    '- and 53 more',
  ])
  expect(engine[1]).toMatch(
    /^- Your role in Engine has changed · \w{3} \d+, 20\d\d, \d+:\d\d [AP]M UTC$/,
  )
  expect([harbour[0], harbour.at(-1)]).toEqual([
    'Harbour lights · 37 changes of your role',
    '- and 27 more',
  ])
  expect(links[0]).toBe('http://localhost:3000/notices')

  const stop = links.find((link) => link.includes('/unsubscribe?'))!
  await world.request(stop.slice('http://localhost:3000'.length), { method: 'POST' })
  const { notices } = (await (await world.signedIn(eve)).does('getUser', {})).user
  expect(notices).toMatchObject({ roleChanged: false, memberRemoved: true })
})

test('the mail of the day tells nothing of a project that its reader was removed from since', async () => {
  const { world, id, owner, eve } = await anEngine()
  await wantsDigest(eve)
  await owner.permits(id, eve, ['editor'])
  await owner.does('removeUser', { subscriptionId: id, userId: eve.uid })
  await untilMailed(world, eve)
  world.pass(day)
  const waits = async () => {
    const { rows } = await world.pool.query('select from notices where in_digest')
    return rows.length
  }
  await expect.poll(waits).toBe(0)
  await world.untilWorkedOff()
  expect((await world.mails(eve.email)).map(({ subject }) => subject)).toEqual([
    'You were removed from Engine',
  ])
})

test('the mail of the day comes from eight in the morning on where its reader is', async () => {
  const { world, id, owner, max, eve } = await anEngine()
  const at = (hour: number) => {
    const ahead = ((hour - world.services.now().getUTCHours() + 36) % 24) - 12
    return `Etc/GMT${ahead < 0 ? '+' : '-'}${Math.abs(ahead)}`
  }
  for (const person of [eve, max]) await wantsDigest(person)
  await eve.does('saveTimeZone', { timeZone: at(7) })
  await max.does('saveTimeZone', { timeZone: at(12) })
  const unknown = await max.call('saveTimeZone', { timeZone: 'Mars/Olympus' })
  expect(reasonOf(unknown)).toBe('unknownTimeZone')
  expect((await max.does('countNotices', {})).time_zone).toBe(at(12))
  for (const person of [eve, max]) await owner.permits(id, person, ['editor', 'admin'])
  world.pass(day / 12)
  await untilMailed(world, eve)
  expect(await world.mails(max.email)).toEqual([])
  world.pass((20 * day) / 24)
  await untilMailed(world, max)
})

test('of two servers, one sends the mail of the day', async () => {
  const { world, id, owner, eve } = await anEngine()
  const other = await openWorld(world.connection)
  await wantsDigest(eve)
  await owner.permits(id, eve, ['editor'])
  for (const server of [world, other]) server.pass(day)
  const working = [world, other].map(({ services }) => startWork(services))
  for (const work of working) work.look()
  for (const work of working) await work.stop()
  await untilMailed(world, eve)
  await world.untilWorkedOff()
  expect(await world.mails(eve.email)).toHaveLength(1)
})
