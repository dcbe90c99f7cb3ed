import { rateLimits } from '#config/limits.ts'
import { calls, type CallName } from '#contract/calls.ts'
import { newId } from '../platform/ids.ts'
import { expect, test } from 'vitest'
import { aDatabase } from '../../tests/database.ts'
import { aWorld, billingInfo, openWorld, reasonOf, type Person } from '../../tests/world.ts'

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
] as const
type Standing = (typeof standings)[number]
type Outcome =
  | 'may'
  | 'notSignedIn'
  | 'sessionEnded'
  | 'emailNotVerified'
  | 'auth/operation-not-allowed'
  | 'accessDenied'
  | 'adminOnly'
  | 'ownerOnly'
  | 'subscriptionCanceled'
type Row = Record<Standing, Outcome>

const anyone = Object.fromEntries(standings.map((standing) => [standing, 'may'])) as Row
const signedIn: Row = { ...anyone, signedOut: 'notSignedIn', ended: 'sessionEnded' }
const verified: Row = { ...signedIn, unverified: 'emailNotVerified' }
const denied = 'accessDenied'
const members: Row = {
  ...signedIn,
  unverified: denied,
  stranger: denied,
  invited: denied,
  former: denied,
}
const admins: Row = { ...members, member: 'adminOnly', editor: 'adminOnly' }
const owners: Row = { ...members, member: 'ownerOnly', editor: 'ownerOnly', admin: 'ownerOnly' }
const onlyActive = (row: Row): Row => ({ ...row, ownerOfCanceled: 'subscriptionCanceled' })

/** Written by hand, so that the table of calls is compared with what is meant and not with itself. */
const expected: Record<CallName, Row> = {
  signUp: anyone,
  signIn: anyone,
  refreshSession: anyone,
  sendPasswordResetEmail: anyone,
  checkActionCode: anyone,
  applyActionCode: anyone,
  rejectVerification: anyone,
  confirmPasswordReset: anyone,
  checkInvite: anyone,
  reauthenticate: signedIn,
  updateEmail: { ...signedIn, unverified: 'auth/operation-not-allowed' },
  updatePassword: signedIn,
  deleteAccount: signedIn,
  listSessions: signedIn,
  revokeSession: signedIn,
  revokeOtherSessions: signedIn,
  startProviderFlow: verified,
  unlinkProvider: signedIn,
  exportUser: signedIn,
  sendVerificationEmail: signedIn,
  getUser: signedIn,
  saveUser: signedIn,
  updateProfile: signedIn,
  listSubscriptions: signedIn,
  previewSubscription: signedIn,
  createSubscription: signedIn,
  completePayment: owners,
  listInvites: signedIn,
  listSentInvites: signedIn,
  acceptInvite: verified,
  rejectInvite: verified,
  getSubscription: members,
  updateSubscriptionSettings: onlyActive(admins),
  createInvite: onlyActive(admins),
  getSubscriptionUsers: admins,
  listInvoices: admins,
  revokeInvite: onlyActive(admins),
  resendInvite: onlyActive(admins),
  updateUserPermissions: onlyActive(admins),
  removeUser: onlyActive(admins),
  leaveSubscription: members,
  listActivity: admins,
  exportActivity: admins,
  listOwnActivity: signedIn,
  exportOwnActivity: signedIn,
  previewPlanChange: onlyActive(owners),
  changeSubscriptionPlan: onlyActive(owners),
  cancelSubscription: onlyActive(owners),
  previewPayment: onlyActive(owners),
  payInvoice: onlyActive(owners),
  getPaymentMethods: owners,
  createSetupIntent: onlyActive(owners),
  setDefaultPaymentMethod: onlyActive(owners),
  deletePaymentMethod: onlyActive(owners),
  getBillingDetails: owners,
  updateBillingDetails: onlyActive(owners),
  transferSubscriptionOwnership: onlyActive(owners),
  listOwnPaymentMethods: signedIn,
  deleteOwnPaymentMethod: signedIn,
  signOut: signedIn,
}

/** Input that gets past the parsing; what it names need not exist. */
const inputs: Record<CallName, (subscriptionId: string) => object> = {
  signUp: () => ({ fullName: 'X', email: `${newId()}@example.com`, password: 'secret of ann' }),
  signIn: () => ({ email: 'x@example.com', password: 'secret of ann' }),
  refreshSession: () => ({}),
  sendPasswordResetEmail: () => ({ email: `${newId()}@example.com` }),
  checkActionCode: () => ({ oobCode: 'x' }),
  applyActionCode: () => ({ oobCode: 'x' }),
  rejectVerification: () => ({ oobCode: 'x' }),
  confirmPasswordReset: () => ({ oobCode: 'x', newPassword: 'secret of ann' }),
  checkInvite: () => ({ code: 'x' }),
  sendVerificationEmail: () => ({}),
  getUser: () => ({}),
  saveUser: () => ({ language: 'en' }),
  updateProfile: () => ({ displayName: 'X' }),
  listSubscriptions: () => ({}),
  previewSubscription: () => ({ planId: 'pro' }),
  createSubscription: () => ({ planId: 'free' }),
  completePayment: (subscriptionId) => ({ subscriptionId }),
  listInvites: () => ({}),
  listSentInvites: () => ({}),
  acceptInvite: () => ({ inviteId: 'x' }),
  rejectInvite: () => ({ inviteId: 'x' }),
  getSubscription: (subscriptionId) => ({ subscriptionId }),
  updateSubscriptionSettings: (subscriptionId) => ({ subscriptionId, settings: { name: 'X' } }),
  createInvite: (subscriptionId) => ({
    subscriptionId,
    email: `${newId()}@example.com`,
    permissions: [],
  }),
  getSubscriptionUsers: (subscriptionId) => ({ subscriptionId }),
  listInvoices: (subscriptionId) => ({ subscriptionId }),
  revokeInvite: (subscriptionId) => ({ subscriptionId, inviteId: 'x' }),
  resendInvite: (subscriptionId) => ({ subscriptionId, inviteId: 'x' }),
  updateUserPermissions: (subscriptionId) => ({ subscriptionId, userId: 'x', permissions: [] }),
  removeUser: (subscriptionId) => ({ subscriptionId, userId: 'x' }),
  leaveSubscription: (subscriptionId) => ({ subscriptionId }),
  listActivity: (subscriptionId) => ({ subscriptionId }),
  exportActivity: (subscriptionId) => ({ subscriptionId }),
  listOwnActivity: () => ({}),
  exportOwnActivity: () => ({}),
  previewPlanChange: (subscriptionId) => ({ subscriptionId, planId: 'x' }),
  changeSubscriptionPlan: (subscriptionId) => ({ subscriptionId, planId: 'x' }),
  cancelSubscription: (subscriptionId) => ({ subscriptionId, confirmationId: 'x' }),
  previewPayment: (subscriptionId) => ({ subscriptionId }),
  payInvoice: (subscriptionId) => ({ subscriptionId }),
  getPaymentMethods: (subscriptionId) => ({ subscriptionId }),
  createSetupIntent: (subscriptionId) => ({ subscriptionId }),
  setDefaultPaymentMethod: (subscriptionId) => ({ subscriptionId, paymentMethodId: 'x' }),
  deletePaymentMethod: (subscriptionId) => ({ subscriptionId, paymentMethodId: 'x' }),
  getBillingDetails: (subscriptionId) => ({ subscriptionId }),
  updateBillingDetails: (subscriptionId) => ({
    subscriptionId,
    ...billingInfo('x').billingDetails,
  }),
  transferSubscriptionOwnership: (subscriptionId) => ({ subscriptionId, newOwnerId: 'x' }),
  listOwnPaymentMethods: () => ({}),
  deleteOwnPaymentMethod: (subscriptionId) => ({ subscriptionId, paymentMethodId: 'x' }),
  reauthenticate: () => ({ password: 'x' }),
  updateEmail: () => ({ newEmail: `${newId()}@example.com` }),
  updatePassword: () => ({ newPassword: 'secret of ann' }),
  deleteAccount: () => ({ confirmationId: 'x' }),
  listSessions: () => ({}),
  revokeSession: () => ({ sessionId: 'x' }),
  revokeOtherSessions: () => ({}),
  startProviderFlow: () => ({ provider: 'x', intent: 'link' }),
  unlinkProvider: () => ({ provider: 'x' }),
  exportUser: () => ({}),
  signOut: () => ({}),
}

/** Refusals that speak of standing; any other answer means that the caller was let in. */
const ofStanding: ReadonlySet<unknown> = new Set(
  Object.values(expected).flatMap((row) => Object.values(row)),
)

test('every call answers every standing as it is written here', async () => {
  const world = await aWorld()
  const { id, owner, admin, editor, member, former } = await world.aProject({
    plan: 'enterprise',
    people: { admin: ['admin'], editor: ['editor'], member: [], former: [] },
  })
  await former.call('leaveSubscription', { subscriptionId: id })
  const [stranger, ended, invited] = [
    await world.aPerson('stranger'),
    await world.aPerson('ended'),
    await world.aPerson('invited'),
  ]
  const [unverified, ownerOfCanceled] = [
    await world.aPerson('unverified', { verified: false }),
    await world.aPerson('ending'),
  ]
  await owner.call('createInvite', {
    subscriptionId: id,
    email: 'invited@example.com',
    permissions: [],
  })
  const canceledId = (await ownerOfCanceled.call('createSubscription', { planId: 'free' })).result!
    .subscriptionId
  await ownerOfCanceled.call('cancelSubscription', {
    subscriptionId: canceledId,
    confirmationId: canceledId,
  })
  await ended.call('signOut', {})
  const people: Record<Standing, Person | undefined> = Object.assign(
    { signedOut: undefined, ended, unverified, stranger, invited, former },
    { member, editor, admin, owner, ownerOfCanceled },
  )

  for (const name of inOrder(Object.keys(expected) as CallName[])) {
    const outcomes: Record<string, unknown> = {}
    for (const [standing, person] of Object.entries(people)) {
      const subscriptionId = standing === 'ownerOfCanceled' ? canceledId : id
      const answer = await world.call(name, inputs[name](subscriptionId) as never, {
        token: person?.token,
      })
      const reason = reasonOf(answer)
      // Whose session it renews is said by a cookie, which nobody here has.
      outcomes[standing] = ofStanding.has(reason) && name !== 'refreshSession' ? reason : 'may'
    }
    expect(outcomes, name).toEqual(expected[name])
  }
  expect(Object.keys(expected).toSorted()).toEqual(Object.keys(calls).toSorted())
})

test('every call that changes something has a limit for each account; those that only read have none', async () => {
  const { connection, pool } = await aDatabase()
  const world = await openWorld(connection)
  const [ann, bob] = [await world.aPerson('ann'), await world.aPerson('bob')]
  const names = inOrder(Object.keys(expected) as CallName[]).filter(
    (name) => calls[name].needs !== 'anyone',
  )
  const { tries, within } = rateLimits.writesByAccount
  // What as many calls as there may be leave behind.
  const { sessions } = (await ann.call('listSessions', {})).result!
  const keys = names.map(
    (name) => `writesByAccount:${perSession.has(name) ? sessions[0]!.id : ann.uid}:${name}`,
  )
  await pool.query(
    'insert into rate_limits (key, points, expire) select unnest($1::text[]), $2, $3',
    [keys, tries, Date.now() + within],
  )
  for (const name of names) {
    const ask = (person: Person) =>
      world.call(name, inputs[name]('x') as never, { token: person.token })
    const answer = await ask(ann)
    const isRefused = calls[name].effect !== 'read'
    expect(reasonOf(answer) === 'auth/too-many-requests', name).toBe(isRefused)
    expect(Number(answer.headers.get('retry-after')) > within / 1000 - 60, name).toBe(isRefused)
    expect(reasonOf(await ask(bob)), name).not.toBe('auth/too-many-requests')
  }
})

/** What ends a thief's session is not to be used up by it. */
const perSession: ReadonlySet<CallName> = new Set([
  'signOut',
  'reauthenticate',
  'updatePassword',
  'deleteAccount',
  'revokeSession',
  'revokeOtherSessions',
  'unlinkProvider',
])

/** Those that end a standing come last: leaving, then signing out. */
function inOrder(names: CallName[]) {
  const last: CallName[] = ['leaveSubscription', 'signOut']
  return [...names.filter((name) => !last.includes(name)), ...last]
}
