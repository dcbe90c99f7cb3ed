import { rateLimits, readLimits } from '#config/limits.ts'
import { calls, type CallName } from '#contract/calls.ts'
import type { CallRow, Needs, NeedsPermission } from '#contract/rows.ts'
import type { SubscriptionId } from '../platform/ids.ts'
import { expect, onTestFinished, test } from 'vitest'
import { inputFor } from '../../tests/inputs.ts'
import { aLog, aWorld, aWorldWith, reasonOf, type Person } from '../../tests/world.ts'

const standings = [
  'signedOut',
  'ended',
  'unverified',
  'stranger',
  'invited',
  'former',
  'member',
  'editor',
  'admin',
  'owner',
  'ownerOfCanceled',
  'ownerOfLookOnly',
  'ownerShutOut',
] as const
type Standing = (typeof standings)[number]
type Outcomes = Record<Standing, string>

const anyone = Object.fromEntries(standings.map((standing) => [standing, 'may'])) as Outcomes
const signedIn = { ...anyone, signedOut: 'notSignedIn', ended: 'sessionEnded' }
const verified = { ...signedIn, unverified: 'emailNotVerified' }
const denied = 'accessDenied'
const member = {
  ...signedIn,
  unverified: denied,
  stranger: denied,
  invited: denied,
  former: denied,
}
const admin = { ...member, member: 'adminOnly', editor: 'adminOnly' }
const owner = { ...member, member: 'ownerOnly', editor: 'ownerOnly', admin: 'ownerOnly' }

/** The expected outcome for each kind of caller, written by hand for each value of `needs`. */
const expectedFor: Record<Exclude<Needs, object>, Outcomes> = {
  anyone,
  signedIn,
  member,
  admin,
  owner,
}

/** What each kind of caller holds, of those who need a permission. */
const heldBy = { member: ['access'], editor: ['access', 'editor'], admin: ['access', 'admin'] }

function expectedOfPermissions({ permissions, all }: NeedsPermission): Outcomes {
  const outcomes: Outcomes = { ...member }
  for (const standing of ['member', 'editor', 'admin'] as const) {
    const held = permissions.filter((key) => heldBy[standing].includes(key))
    const isEnough = all ? held.length === permissions.length : held.length > 0
    if (!isEnough) outcomes[standing] = 'permissionRequired'
  }
  return outcomes
}

/** Calls whose functions refuse more callers than `needs` in their row of `calls`. */
const exceptions: Partial<Record<CallName, Outcomes>> = {
  updateEmail: { ...signedIn, unverified: 'auth/operation-not-allowed' },
  startProviderFlow: verified,
  acceptInvite: verified,
  rejectInvite: verified,
  joinByLink: verified,
  requestToJoin: verified,
  completePayment: owner,
  // The owner's session has passed no second step.
  updateSubscriptionSecurity: {
    ...owner,
    owner: 'factorRequired',
    ownerOfLookOnly: 'factorRequired',
  },
}

/** Calls about one project, which its owner can shut to sessions without a second step. */
function isOfProject(name: CallName) {
  const { needs } = calls[name]
  return (needs !== 'anyone' && needs !== 'signedIn') || name === 'completePayment'
}

function expectedOf(name: CallName): Outcomes {
  const row: CallRow = calls[name]
  const { needs } = row
  const outcomes =
    exceptions[name] ??
    (typeof needs === 'object' ? expectedOfPermissions(needs) : expectedFor[needs])
  return {
    ...outcomes,
    ...(row.onlyActive && { ownerOfCanceled: 'subscriptionCanceled' }),
    ...(row.onlyActive === true && { ownerOfLookOnly: 'lookOnly' }),
    ...(isOfProject(name) && !row.evenWithoutFactor && { ownerShutOut: 'factorRequired' }),
  }
}

/** The refusal reasons that depend on who the caller is. */
const ofStanding: ReadonlySet<unknown> = new Set([
  ...Object.values({ ...expectedFor, ...exceptions }).flatMap((row) => Object.values(row)),
  'subscriptionCanceled',
  'lookOnly',
  'factorRequired',
  'permissionRequired',
])

/** An internal error counts as a refusal for who the caller is, so that a bug fails the test. */
function isOfStanding(name: CallName, reason: unknown) {
  if (reason === 'internal') return true
  // `refreshSession` takes its session from a cookie, which no caller in this test sends.
  return ofStanding.has(reason) && name !== 'refreshSession'
}

const endings: CallName[] = ['leaveSubscription', 'signOut']
/** `leaveSubscription` and `signOut` come last, because later calls would be refused. */
const names = (Object.keys(calls) as CallName[]).toSorted(
  (one, other) => endings.indexOf(one) - endings.indexOf(other),
)

async function aWorldOfStandings() {
  const { lines, log } = aLog('error')
  const world = await aWorld({}, log)
  const { id, owner, admin, editor, member, former } = await world.aProject({
    plan: 'enterprise',
    people: { admin: ['admin'], editor: ['editor'], member: [], former: [] },
  })
  await former.call('leaveSubscription', { subscriptionId: id })
  const [stranger, ended, invited] = await world.somePeople('stranger', 'ended', 'invited')
  const [unverified, ownerOfCanceled, ownerOfLookOnly, ownerShutOut] = [
    await world.aPerson('unverified', { verified: false }),
    await world.aPerson('ending'),
    await world.aPerson('overdue'),
    await world.aPerson('shut'),
  ]
  await owner.invites(id, 'invited@example.com')
  const canceledId = (await ownerOfCanceled.starts()).subscriptionId
  await ownerOfCanceled.cancels(canceledId)
  const lookOnlyId = (await ownerOfLookOnly.starts()).subscriptionId as SubscriptionId
  const shutId = (await ownerShutOut.starts()).subscriptionId
  await world.services.store.subscriptions.setSecondFactorFrom(shutId, world.services.now())
  const lookOnly = { because: 'overdue', until: null } as const
  await world.services.store.billing.update(lookOnlyId, { lookOnly })
  const others: Partial<Record<string, string>> = {
    ownerOfCanceled: canceledId,
    ownerOfLookOnly: lookOnlyId,
    ownerShutOut: shutId,
  }
  await ended.call('signOut', {})
  const people: Record<Standing, Person | undefined> = Object.assign(
    { signedOut: undefined, ended, unverified, stranger, invited, former },
    { member, editor, admin, owner, ownerOfCanceled, ownerOfLookOnly, ownerShutOut },
  )

  /** What becomes of a call by each kind of caller. */
  async function outcomesOf(name: CallName) {
    const outcomes: Record<string, unknown> = {}
    for (const [standing, person] of Object.entries(people)) {
      const input = inputFor(name, others[standing] ?? id)
      const reason = await world.refusal(name, input as never, { token: person?.token })
      outcomes[standing] = isOfStanding(name, reason) ? reason : 'may'
    }
    return outcomes
  }
  return { world, lines, id, people, outcomesOf }
}

test('every API call accepts and refuses each kind of caller as the table of calls says', async () => {
  const { outcomesOf } = await aWorldOfStandings()
  for (const name of names) expect(await outcomesOf(name), name).toEqual(expectedOf(name))
})

test('a row can name permissions, of which a member needs one or all, and which an owner never needs', async () => {
  const { world, lines, id, people, outcomesOf } = await aWorldOfStandings()
  const name = 'updateSubscriptionSettings'
  const row: { needs: Needs } = calls[name]
  const { needs } = row
  onTestFinished(() => void (row.needs = needs))
  const refused = async (person: Person | undefined) => {
    const answer = await world.call(name, inputFor(name, id) as never, { token: person?.token })
    return answer.error?.details
  }

  for (const [permissions, all, withoutThem] of [
    [['editor'], undefined, 'admin'],
    [['editor', 'admin'], undefined, 'member'],
    [['editor', 'admin'], true, 'editor'],
  ] as const) {
    row.needs = { permissions, ...(all && { all }) }
    expect(await outcomesOf(name), permissions.join()).toEqual(expectedOf(name))
    expect(await refused(people[withoutThem])).toEqual({
      reason: 'permissionRequired',
      permissions,
      all: all ?? false,
    })
  }

  // What the compiler refuses may still come by a cast. Then nobody may make the call.
  // @ts-expect-error -- there is no such permission
  const unknown: NeedsPermission = { permissions: ['editor', 'captain'] }
  // @ts-expect-error -- no name lets nobody in
  const empty: NeedsPermission = { permissions: [], all: true }
  for (const invalid of [unknown, empty]) {
    row.needs = invalid
    for (const standing of ['owner', 'editor', 'stranger'] as const)
      expect(await refused(people[standing]), standing).toMatchObject({
        reason: standing === 'stranger' ? 'accessDenied' : 'permissionRequired',
      })
    const line = JSON.parse(lines.at(-1)!) as object
    expect(line).toMatchObject({ needs: invalid, msg: 'invalid permission requested' })
  }
})

test('only the listed API calls are open to people who are not signed in', () => {
  expect(names.filter((name) => calls[name].needs === 'anyone').toSorted()).toEqual([
    'applyActionCode',
    'checkActionCode',
    'checkInvite',
    'checkJoinLink',
    'claimAccount',
    'confirmPasswordReset',
    'finishSignIn',
    'refreshSession',
    'rejectVerification',
    'sendPasswordResetEmail',
    'signIn',
    'signUp',
    'startPasskeySignIn',
  ])
})

test('only the listed API calls take a subscription id from callers who need not be its members', () => {
  const named = names.filter((name) => 'subscriptionId' in calls[name].input.def.shape)
  const open = new Set<unknown>(['anyone', 'signedIn'])
  const without = named.filter((name) => open.has(calls[name].needs))
  expect(without.toSorted()).toEqual([
    'completePayment',
    'createAccessToken',
    'deleteOwnPaymentMethod',
    'listAccessTokens',
    'refreshSession',
    'requestToJoin',
  ])
})

test('API calls that protect an account have a rate limit per session, so that a thief cannot use up the limit of the account’s user', () => {
  expect(names.filter((name) => (calls[name] as CallRow).perSession).toSorted()).toEqual([
    'createAccessToken',
    'deleteAccount',
    'finishFactorEnrollment',
    'reauthenticate',
    'removeFactor',
    'renameFactor',
    'renewRecoveryCodes',
    'revokeAccessToken',
    'revokeOtherSessions',
    'revokeSession',
    'signOut',
    'startFactorEnrollment',
    'unlinkProvider',
    'updatePassword',
  ])
})

test('each API call that changes something has a rate limit of its own per account', async () => {
  const [world, ann, bob] = await aWorldWith('ann', 'bob')
  const limited = names.filter((name) => calls[name].needs !== 'anyone')
  const { tries, within } = rateLimits.writesByAccount
  // As if Ann had used up the rate limit of every call.
  const { sessions } = await ann.does('listSessions', {})
  const keys = limited.map((name) => {
    const { perSession }: CallRow = calls[name]
    return `writesByAccount:${perSession ? sessions[0]!.id : ann.uid}:${name}`
  })
  await world.pool.query(
    'insert into rate_limits (key, points, expire) select unnest($1::text[]), $2, $3',
    [keys, tries, Date.now() + within],
  )
  for (const name of limited) {
    const ask = (person: Person) =>
      world.call(name, inputFor(name, 'x') as never, { token: person.token })
    const answer = await ask(ann)
    const isRefused = calls[name].effect !== 'read'
    expect(reasonOf(answer) === 'auth/too-many-requests', name).toBe(isRefused)
    expect(Number(answer.headers.get('retry-after')) > within / 1000 - 60, name).toBe(isRefused)
    expect(reasonOf(await ask(bob)), name).not.toBe('auth/too-many-requests')
  }
})

test('API calls that only read share a rate limit per account, and change nothing by counting', async () => {
  const [world, ann, bob] = await aWorldWith('ann', 'bob')
  const { tries, within } = readLimits.readsByAccount
  world.services.readLimits.consume('readsByAccount', ann.uid, tries)
  const counted = async () => (await world.pool.query('select from rate_limits')).rowCount
  const before = await counted()
  for (const name of names.filter((name) => calls[name].effect === 'read')) {
    if (calls[name].needs === 'anyone') continue
    const ask = (person: Person) =>
      world.call(name, inputFor(name, 'x') as never, { token: person.token })
    const answer = await ask(ann)
    expect(reasonOf(answer), name).toBe('auth/too-many-requests')
    expect(Number(answer.headers.get('retry-after')), name).toBeLessThanOrEqual(within / 1000)
    if (!(calls[name] as CallRow).streamed) expect((await ask(bob)).status, name).not.toBe(429)
  }
  expect(await counted()).toBe(before)
})
