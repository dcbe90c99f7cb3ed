import { calls, type CallName } from '#contract/calls.ts'
import { newId } from './store/ids.ts'
import { expect, test } from 'vitest'
import { aWorld, billingInfo, reasonOf, type Person } from '../tests/world.ts'

type Standing = 'signedOut' | 'ended' | 'stranger' | 'member' | 'editor' | 'admin' | 'owner'
type Outcome = 'may' | 'notSignedIn' | 'sessionEnded' | 'subscriptionNotFound' | 'adminOnly' | 'ownerOnly'

const anyone: Record<Standing, Outcome> = {
  signedOut: 'may',
  ended: 'may',
  stranger: 'may',
  member: 'may',
  editor: 'may',
  admin: 'may',
  owner: 'may',
}
const signedIn: Record<Standing, Outcome> = { ...anyone, signedOut: 'notSignedIn', ended: 'sessionEnded' }
const members: Record<Standing, Outcome> = { ...signedIn, stranger: 'subscriptionNotFound' }
const admins: Record<Standing, Outcome> = { ...members, member: 'adminOnly', editor: 'adminOnly' }

const owners: Record<Standing, Outcome> = { ...members, member: 'ownerOnly', editor: 'ownerOnly', admin: 'ownerOnly' }

/** Written by hand, so that the table of calls is compared with what is meant and not with itself. */
const expected: Record<CallName, Record<Standing, Outcome>> = {
  signUp: anyone,
  signIn: anyone,
  refreshSession: anyone,
  sendPasswordResetEmail: anyone,
  checkActionCode: anyone,
  applyActionCode: anyone,
  confirmPasswordReset: anyone,
  checkInvite: anyone,
  reauthenticate: signedIn,
  updateEmail: signedIn,
  updatePassword: signedIn,
  deleteAccount: signedIn,
  listSessions: signedIn,
  revokeSession: signedIn,
  revokeOtherSessions: signedIn,
  startProviderFlow: signedIn,
  unlinkProvider: signedIn,
  exportUser: signedIn,
  sendVerificationEmail: signedIn,
  getUser: signedIn,
  saveUser: signedIn,
  updateProfile: signedIn,
  listSubscriptions: signedIn,
  createSubscription: signedIn,
  completePayment: signedIn,
  listInvites: signedIn,
  acceptInvite: signedIn,
  rejectInvite: signedIn,
  getSubscription: members,
  updateSubscriptionSettings: admins,
  createInvite: admins,
  getSubscriptionUsers: admins,
  listInvoices: admins,
  previewPlanChange: owners,
  changeSubscriptionPlan: owners,
  cancelSubscription: owners,
  payInvoice: owners,
  getPaymentMethods: owners,
  createSetupIntent: owners,
  setDefaultPaymentMethod: owners,
  deletePaymentMethod: owners,
  getBillingDetails: owners,
  updateBillingDetails: owners,
  transferSubscriptionOwnership: owners,
  signOut: signedIn,
}

/** Input that gets past the parsing; what it names need not exist. */
const inputs: Record<CallName, (subscriptionId: string) => object> = {
  signUp: () => ({ fullName: 'X', email: `${newId()}@example.com`, password: 'secret1' }),
  signIn: () => ({ email: 'x@example.com', password: 'secret1' }),
  refreshSession: () => ({}),
  sendPasswordResetEmail: () => ({ email: `${newId()}@example.com` }),
  checkActionCode: () => ({ oobCode: 'x' }),
  applyActionCode: () => ({ oobCode: 'x' }),
  confirmPasswordReset: () => ({ oobCode: 'x', newPassword: 'secret1' }),
  checkInvite: () => ({ code: 'x' }),
  sendVerificationEmail: () => ({}),
  getUser: () => ({}),
  saveUser: () => ({ language: 'en' }),
  updateProfile: () => ({ displayName: 'X' }),
  listSubscriptions: () => ({}),
  createSubscription: () => ({ planId: 'free' }),
  completePayment: () => ({ subscriptionId: 'x' }),
  listInvites: () => ({}),
  acceptInvite: () => ({ inviteId: 'x' }),
  rejectInvite: () => ({ inviteId: 'x' }),
  getSubscription: (subscriptionId) => ({ subscriptionId }),
  updateSubscriptionSettings: (subscriptionId) => ({ subscriptionId, settings: { name: 'X' } }),
  createInvite: (subscriptionId) => ({ subscriptionId, email: `${newId()}@example.com`, permissions: [] }),
  getSubscriptionUsers: (subscriptionId) => ({ subscriptionId }),
  listInvoices: (subscriptionId) => ({ subscriptionId }),
  previewPlanChange: (subscriptionId) => ({ subscriptionId, planId: 'x' }),
  changeSubscriptionPlan: (subscriptionId) => ({ subscriptionId, planId: 'x' }),
  cancelSubscription: (subscriptionId) => ({ subscriptionId, confirmationId: 'x' }),
  payInvoice: (subscriptionId) => ({ subscriptionId }),
  getPaymentMethods: (subscriptionId) => ({ subscriptionId }),
  createSetupIntent: (subscriptionId) => ({ subscriptionId }),
  setDefaultPaymentMethod: (subscriptionId) => ({ subscriptionId, paymentMethodId: 'x' }),
  deletePaymentMethod: (subscriptionId) => ({ subscriptionId, paymentMethodId: 'x' }),
  getBillingDetails: (subscriptionId) => ({ subscriptionId }),
  updateBillingDetails: (subscriptionId) => ({ subscriptionId, ...billingInfo('x').billingDetails }),
  transferSubscriptionOwnership: (subscriptionId) => ({ subscriptionId, newOwnerId: 'x' }),
  reauthenticate: () => ({ password: 'x' }),
  updateEmail: () => ({ newEmail: `${newId()}@example.com` }),
  updatePassword: () => ({ newPassword: 'secret1' }),
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
const ofStanding: ReadonlySet<unknown> = new Set(['notSignedIn', 'sessionEnded', 'subscriptionNotFound', 'adminOnly', 'ownerOnly'])

test('every call answers every standing as it is written here', async () => {
  const world = await aWorld()
  const { id, owner, admin, editor, member } = await world.aProject({
    plan: 'enterprise',
    people: { admin: ['admin'], editor: ['editor'], member: [] },
  })
  const [stranger, ended] = [await world.aPerson('stranger'), await world.aPerson('ended')]
  await ended.call('signOut', {})
  const people: Record<Standing, Person | undefined> = { signedOut: undefined, ended, stranger, member, editor, admin, owner }

  for (const name of Object.keys(expected) as CallName[]) {
    const outcomes: Record<string, unknown> = {}
    for (const [standing, person] of Object.entries(people)) {
      const answer = await world.call(name, inputs[name](id) as never, { token: person?.token })
      const reason = reasonOf(answer)
      // These two name a session or a project of their own, which is not there.
      const isOwn = name === 'refreshSession' || (name === 'completePayment' && reason === 'subscriptionNotFound')
      outcomes[standing] = ofStanding.has(reason) && !isOwn ? reason : 'may'
    }
    expect(outcomes, name).toEqual(expected[name])
  }
  expect(Object.keys(expected).toSorted()).toEqual(Object.keys(calls).toSorted())
})

const looks: ReadonlySet<CallName> = new Set([
  'getSubscription',
  'getSubscriptionUsers',
  'listInvoices',
  'getPaymentMethods',
  'getBillingDetails',
])

test('in a canceled project members look and nothing changes', async () => {
  const world = await aWorld()
  const { id, owner } = await world.aProject()
  await world.services.store.subscriptions.cancel(id)
  for (const [name, row] of Object.entries(calls) as [CallName, (typeof calls)[CallName]][]) {
    if (!['member', 'admin', 'owner'].includes(row.needs)) continue
    const answer = await owner.call(name, inputs[name](id) as never)
    expect(reasonOf(answer), name).toBe(looks.has(name) ? undefined : 'subscriptionCanceled')
  }
  expect(reasonOf(await owner.call('createSubscription', { planId: 'pro', billingInfo: billingInfo('pm_card_visa') }))).toBeUndefined()
})
