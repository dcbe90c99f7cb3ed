// @module-tag slow
import { expect, test } from 'vitest'
import { anAuthenticator, waiting } from '../../tests/an-authenticator.ts'
import { addPasskey } from '../../tests/a-passkey.ts'
import { adminOf } from '../../tests/an-operator.ts'
import { untilSomebodyWaits } from '../../tests/database.ts'
import { holdMails } from '../../tests/jobs.ts'
import { aTab } from '../../tests/tab.ts'
import {
  aWorld,
  cookieHeader,
  countOutcomes,
  openWorld,
  reasonOf,
  type Person,
  type World,
} from '../../tests/world.ts'
import { inTransaction } from '../sql/database.ts'
import { openStore } from '../store/store.ts'

const rounds = Number(process.env['RACE_ROUNDS'] ?? 6)
const soon = 5 * 60_000
const nothing = { subscriptions: [], what: [] }

/**
 * A project whose owner has an app for codes, and two members: Ann without a factor, and Ben, who is
 * an administrator. Ben's session began before he set his app up in another browser.
 */
async function aCarefulProject() {
  const world = await aWorld()
  const { id, owner, ann, ben } = await world.aProject({
    plan: 'enterprise',
    people: { ann: [], ben: ['admin'] },
  })
  const other = await world.signedIn(ben)
  const app = await anAuthenticator(world, other)
  await anAuthenticator(world, owner)
  const asks = (from?: number) =>
    owner.does('updateSubscriptionSecurity', {
      subscriptionId: id,
      requireSecondFactor: true,
      from,
    })
  const asksNobody = () =>
    owner.does('updateSubscriptionSecurity', { subscriptionId: id, requireSecondFactor: false })
  return { world, id, owner, ann, ben, other, app, asks, asksNobody }
}

const seconds = ({ services }: World, later = 0) =>
  Math.floor((services.now().getTime() + later) / 1000)

const opens = (person: Person, subscriptionId: string) =>
  person.refusal('getSubscription', { subscriptionId })

test('a demand shuts a project to sessions without a second step, and tells when it began', async () => {
  const { world, id, owner, ann, ben, other, asks } = await aCarefulProject()
  const before = seconds(world)
  await asks()
  const { second_factor_from: from } = await owner.project(id)
  expect(from).toBeGreaterThanOrEqual(before)
  expect(from).toBeLessThanOrEqual(seconds(world))
  for (const person of [ann, ben]) {
    const { error } = await person.call('getSubscription', { subscriptionId: id })
    expect(error?.details).toEqual({ reason: 'factorRequired', from })
  }
  for (const person of [owner, other])
    expect(await person.project(id)).toMatchObject({ second_factor_from: from })
  const stranger = await world.aPerson('stranger')
  expect(await opens(stranger, id)).toBe('accessDenied')
})

test('of a project that is shut, a list has the name and plan, and no people or money', async () => {
  const { id, owner, ben, asks } = await aCarefulProject()
  await owner.renames(id, 'Bridge')
  const [open] = await ben.projects()
  await asks()
  const [row] = await ben.projects()
  expect(row).toEqual({
    ...open,
    second_factor_from: expect.any(Number),
    renews: null,
    price: null,
    weekly: null,
    currency: null,
    settings: { name: 'Bridge' },
    permissions: { access: [ben.uid], admin: [ben.uid] },
    people: [],
    is_shut: true,
  })
  const { subscriptions } = await ben.does('listSubscriptions', { page: 1, search: 'bridge' })
  expect(subscriptions).toEqual([row])
  expect((await owner.projects())[0]).not.toHaveProperty('is_shut')
})

test('a reload, sent invitations and the export of a person leave out what is shut', async () => {
  const { world, id, ben, asks } = await aCarefulProject()
  await ben.invites(id, 'cy@example.com')
  // As if the product had another setting.
  await world.pool.query(`update subscriptions set settings = settings || '{"budget": 5}'`)
  const seen = async ({ token, cookie }: Person) => {
    const renewed = await world.call(
      'refreshSession',
      { subscriptionId: id },
      { headers: { cookie } },
    )
    const { invites } = await world.does('listSentInvites', {}, { token })
    const { data } = await world.does('exportUser', {}, { token })
    const [project] = data['projects'] as { settings: object }[]
    return {
      reloaded: renewed.result!.subscription?.id,
      invites: invites.length,
      exported: (data['invitations_sent'] as unknown[]).length,
      settings: project!.settings,
    }
  }
  expect(await seen(ben)).toMatchObject({
    reloaded: id,
    invites: 1,
    exported: 1,
    settings: { budget: 5 },
  })
  await asks()
  expect(await seen(ben)).toEqual({
    reloaded: undefined,
    invites: 0,
    exported: 0,
    settings: {},
  })
})

test('before its date a demand refuses nobody, and from then on an open session too', async () => {
  const { world, id, ann, ben, other, asks } = await aCarefulProject()
  await asks(seconds(world, soon))
  for (const person of [ann, ben, other]) expect(await opens(person, id)).toBeUndefined()
  world.pass(soon)
  for (const person of [ann, ben]) expect(await opens(person, id)).toBe('factorRequired')
  expect(await opens(other, id)).toBeUndefined()
})

test('a session passes in place, by a code after the password or by a passkey alone', async () => {
  const { world, id, ann, ben, app, asks } = await aCarefulProject()
  const passkey = await addPasskey(ann)
  await asks()
  await ben.does('reauthenticate', { password: ben.password, code: app.code() })
  expect(await opens(ben, id)).toBeUndefined()
  // Ann's second step is off, so her password alone says nothing of a second factor.
  await ann.does('reauthenticate', { password: ann.password })
  expect(await opens(ann, id)).toBe('factorRequired')
  const { result, headers } = await world.call('startPasskeySignIn', {})
  const credential = passkey.get(result!.options)
  const cookie = cookieHeader(headers.getSetCookie())
  expect(reasonOf(await ann.call('reauthenticate', { credential }, { cookie }))).toBeUndefined()
  expect(await opens(ann, id)).toBeUndefined()
})

test('setting up an app opens a shut project, and adding a passkey does not', async () => {
  const { world, id, ann, asks } = await aCarefulProject()
  await asks()
  await addPasskey(ann)
  expect(await opens(ann, id)).toBe('factorRequired')
  await anAuthenticator(world, ann)
  expect(await opens(ann, id)).toBeUndefined()
})

test('a remembered browser skips the code at a sign-in, and its session stays shut out', async () => {
  const { world, id, ben, app, asks } = await aCarefulProject()
  await asks()
  const { resolver, headers } = waiting(await world.signIn(ben))
  const input = { resolver, code: app.code(), rememberBrowser: true }
  const passed = await world.call('finishSignIn', input, { headers })
  const cookie = cookieHeader(passed.headers.getSetCookie())
  const { email, password } = ben
  const remembered = await world.call('signIn', { email, password }, { headers: { cookie } })
  const opensWith = ({ result }: typeof passed | typeof remembered) =>
    world.refusal('getSubscription', { subscriptionId: id }, { token: result!.token })
  expect(await opensWith(passed)).toBeUndefined()
  expect(await opensWith(remembered)).toBe('factorRequired')
})

test('whoever removes their last factor is shut out again, in every session', async () => {
  const { world, id, ben, other, app, asks } = await aCarefulProject()
  await asks()
  await ben.does('reauthenticate', { password: ben.password, code: app.code() })
  for (const person of [ben, other]) expect(await opens(person, id)).toBeUndefined()
  await other.does('removeFactor', { factorId: app.id })
  for (const person of [ben, other]) expect(await opens(person, id)).toBe('factorRequired')
  await anAuthenticator(world, other)
  expect(await opens(other, id)).toBeUndefined()
  expect(await opens(ben, id)).toBe('factorRequired')
})

test('leaving a shut project works, and an invitation to one can be accepted', async () => {
  const { world, id, owner, ann, asks } = await aCarefulProject()
  const cy = await world.aPerson('cy')
  await asks()
  await ann.does('leaveSubscription', { subscriptionId: id })
  expect(await ann.projects()).toEqual([])
  await owner.invites(id, cy.email)
  const { invites } = await cy.does('listInvites', {})
  expect(invites).toMatchObject([{ second_factor_from: expect.any(Number) }])
  await cy.does('acceptInvite', { inviteId: invites[0]!.id })
  expect(await opens(cy, id)).toBe('factorRequired')
})

test('an invitation says by mail what the project asks when the mail leaves', async () => {
  const { world, id, owner, asks, asksNobody } = await aCarefulProject()
  const said = async (email: string) => (await world.mails(email))[0]!.text
  const words = 'the project asks for two-step sign-in'
  await world.untilWorkedOff()
  const letGo = await holdMails(world)
  await owner.invites(id, 'cy@example.com')
  await asks(seconds(world, soon))
  await letGo()
  expect(await said('cy@example.com')).toContain(words)
  const letGoAgain = await holdMails(world)
  await owner.invites(id, 'di@example.com')
  await asksNobody()
  await letGoAgain()
  expect(await said('di@example.com')).not.toContain(words)
})

test('only a session that passed a second step turns a demand on or off', async () => {
  const { world, id, owner, asks, asksNobody } = await aCarefulProject()
  const plain = await world.aPerson('plain')
  const own = await plain.starts()
  for (const requireSecondFactor of [true, false])
    await plain.cannot(
      'updateSubscriptionSecurity',
      { ...own, requireSecondFactor },
      'factorRequired',
    )
  await asks()
  await asksNobody()
  const invalid = { subscriptionId: id, requireSecondFactor: false, from: seconds(world) }
  await owner.cannot('updateSubscriptionSecurity', invalid, 'invalidInput')
  expect((await owner.project(id)).second_factor_from).toBeNull()
})

test('the same demand again changes nothing and tells nobody', async () => {
  const { world, id, owner, ann, ben, asks, asksNobody } = await aCarefulProject()
  const told = async ({ email }: Person) => {
    await world.untilWorkedOff()
    const about = (await world.mails(email)).filter(({ subject }) => subject.includes('two-step'))
    return about.length
  }
  const kinds = async () => {
    const { activity } = await owner.does('listActivity', { subscriptionId: id, page: 1 })
    return activity.map(({ kind }) => kind).filter((kind) => kind.startsWith('secondFactor'))
  }
  await asksNobody()
  expect(await kinds()).toEqual([])
  await asks()
  world.pass(1000)
  await asks()
  await asks(0)
  expect(await kinds()).toEqual(['secondFactorRequired'])
  expect([await told(ann), await told(ben), await told(owner)]).toEqual([1, 0, 0])
  await asks(seconds(world, soon))
  expect(await opens(ann, id)).toBeUndefined()
  expect(await told(ann)).toBe(2)
  await asksNobody()
  await asksNobody()
  expect(await kinds()).toEqual([
    'secondFactorNotRequired',
    'secondFactorRequired',
    'secondFactorRequired',
  ])
  expect([await told(ann), await told(ben), await told(owner)]).toEqual([2, 1, 1])
})

test('the mail is in the reader’s language, and comes to nobody with a factor', async () => {
  const { world, ann, ben, asks } = await aCarefulProject()
  await ann.does('saveUser', { language: 'de' })
  await asks(seconds(world, soon))
  await world.untilWorkedOff()
  const [mail] = await world.mails(ann.email)
  expect(mail!.html).toContain('<html lang="de"')
  expect(mail!.text).toContain('Asked for by owner.')
  expect(mail!.links[0]).toMatch(/\/profile$/)
  const others = (await world.mails(ben.email)).map(({ subject }) => subject)
  expect(others).not.toContain(mail!.subject)
})

test('an operator lets people in again, and gives a project to nobody without a factor', async () => {
  const { world, id, ann, ben, asks } = await aCarefulProject()
  const { run, acts } = adminOf(world)
  await expect(run('allow-without-factor', id)).rejects.toThrow('asks nobody for a second factor.')
  await asks()
  const cy = await world.aPerson('cy')
  await world.addMember(id, cy, ['admin'])
  await expect(run('transfer', id, cy.email)).rejects.toThrow('cy@example.com has none yet.')
  await run('allow-without-factor', id)
  expect(await opens(ann, id)).toBeUndefined()
  expect((await acts()).at(-1)).toMatchObject({ kind: 'secondFactorNotRequired', by: 'maria' })
  await world.untilWorkedOff()
  expect((await world.mails(ben.email))[0]!.text).toContain('Pergola has switched it off')
})

test('a call that waits while a demand is set is refused by it', async () => {
  const { world, id, ben } = await aCarefulProject()
  const { begun } = await inTransaction(world.pool, async (tx) => {
    const { subscriptions } = openStore(tx)
    await subscriptions.lock({ id })
    const begun = ben.call('updateSubscriptionSettings', {
      subscriptionId: id,
      settings: { name: 'x' },
    })
    await untilSomebodyWaits(world.pool, '', 1)
    await subscriptions.setSecondFactorFrom(id, world.services.now())
    return { begun }
  })
  expect(reasonOf(await begun)).toBe('factorRequired')
})

test('of a transfer and the removal of the heir’s last factor, the later one is judged', async () => {
  const world = await aWorld()
  for (let round = 0; round < rounds; round++) {
    await world.pool.query('delete from rate_limits')
    const [giver, heir] = await world.somePeople(`giver${round}`, `heir${round}`)
    await anAuthenticator(world, giver)
    const { id: factorId } = await anAuthenticator(world, heir)
    const { subscriptionId } = await giver.starts()
    await world.addMember(subscriptionId, heir, ['admin'])
    await giver.does('updateSubscriptionSecurity', { subscriptionId, requireSecondFactor: true })
    const [given, removed] = await Promise.all([
      giver.transfers(subscriptionId, heir),
      heir.call('removeFactor', { factorId }),
    ])
    expect(reasonOf(removed)).toBeUndefined()
    expect([undefined, 'factorRequired']).toContain(reasonOf(given))
    const { owner_id: ownerId } = (await world.services.store.subscriptions.find(subscriptionId))!
    expect(ownerId).toBe(reasonOf(given) === undefined ? heir.uid : giver.uid)
  }
})

test('an open tab hears of the demand that shuts it out, and of nothing after that', async () => {
  const { world, id, owner, ben, app, asks, asksNobody } = await aCarefulProject()
  const second = await openWorld(world.connection)
  const tabs = { shut: await aTab(second, ben), passed: await aTab(second, owner) }
  const told = { subscriptions: [id], what: ['subscription'] }
  await asks()
  expect(await tabs.shut.heard()).toEqual(told)
  expect(await tabs.passed.heard()).toEqual(told)
  await owner.renames(id, 'Bridge')
  expect(await tabs.passed.heard()).toEqual(told)
  expect(await tabs.shut.heard()).toEqual(nothing)
  await ben.does('reauthenticate', { password: ben.password, code: app.code() })
  await owner.renames(id, 'Tunnel')
  expect(await tabs.shut.heard()).toMatchObject({ subscriptions: [id] })
  await ben.does('removeFactor', { factorId: app.id })
  await tabs.shut.heard()
  await owner.renames(id, 'Ferry')
  expect(await tabs.shut.heard()).toEqual(nothing)
  await asksNobody()
  expect(await tabs.shut.heard()).toMatchObject({ subscriptions: [id] })
})

test('two demands at once leave one of them, and both are told', async () => {
  const { world, id, owner } = await aCarefulProject()
  const dates = [seconds(world, soon), seconds(world, 2 * soon)]
  const made = dates.map((from) =>
    owner.call('updateSubscriptionSecurity', {
      subscriptionId: id,
      requireSecondFactor: true,
      from,
    }),
  )
  expect(countOutcomes(await Promise.all(made))).toEqual({ done: 2 })
  expect(dates).toContain((await owner.project(id)).second_factor_from)
})
