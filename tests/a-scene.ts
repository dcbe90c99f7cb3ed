import { anAuthenticator, codeAt, waiting } from './an-authenticator.ts'
import { calls, type CallInput, type CallName } from '#contract/calls.ts'
import type { PlanId } from '#config/plans.ts'
import { newId, type SubscriptionId } from '../server/platform/ids.ts'
import { billingDetails } from '../operate/seed/billing-details.ts'
import { loadExamples } from '../operate/seed/examples.ts'
import { inputFor } from './inputs.ts'
import { ann, aMockIssuer, google } from './sign-in/mock-issuer.ts'
import { aWorld, type Person } from './world.ts'

type Scene = Awaited<ReturnType<typeof openScene>>
type Asked<Name extends CallName> = {
  by?: Person
  input?: CallInput<Name>
  headers?: Record<string, string>
}

/** A world in which every call can succeed, again and again. */
export async function aScene() {
  const [scene, examples] = [await openScene(), await loadExamples()]

  /** The input that the call's module prepares, if it does. */
  function inputOf<Name extends CallName>(name: Name) {
    const prepare = examples.map(({ inputs }) => inputs?.[name]).find(Boolean)
    return prepare?.(scene.owner.does, scene.id)
  }

  return {
    world: scene.world,
    /** Prepares a call that succeeds. If no person makes it, a visitor does, or the owner. */
    prepare: async <Name extends CallName>(name: Name): Promise<Asked<Name>> => {
      const prepared = await preparations[name]?.(scene)
      const input = (await inputOf(name)) ?? (inputFor(name, scene.id) as CallInput<Name>)
      const by = calls[name].needs === 'anyone' ? {} : { by: scene.owner }
      return { ...by, input, ...prepared }
    },
  }
}

async function openScene() {
  const world = await aWorld(google(await aMockIssuer(ann)))
  const { id, owner } = await world.aProject({ plan: 'enterprise' })
  const payer = await world.aPerson('payer')
  const { subscriptionId: paidId } = await payer.buys()

  const aPerson = (options = {}) => world.aPerson(newId(), options)

  async function aMember() {
    const person = await aPerson()
    await world.addMember(id, person)
    return person
  }

  /** An administrator, who may become the owner. */
  async function anHeir(subscriptionId: string) {
    const person = await aPerson()
    await world.addMember(subscriptionId, person, ['admin'])
    return person
  }

  async function anInvite() {
    const person = await aPerson()
    return { person, ...(await owner.invites(id, person.email)) }
  }

  const aJoinLink = () => owner.does('createJoinLink', { subscriptionId: id, permissions: [] })

  async function aPurchase(card?: string) {
    const by = await aPerson()
    return { by, ...(await by.buys(card)) }
  }

  /** The owner of a project, in a session that has passed a second step. */
  async function aPassed() {
    const by = await aPerson()
    await anAuthenticator(world, by)
    return { by, ...(await by.starts()) }
  }

  return {
    aPassed,
    world,
    id,
    owner,
    payer,
    paidId,
    aPerson,
    aMember,
    anHeir,
    anInvite,
    aJoinLink,
    aPurchase,
  }
}

/** Calls that need more than the ids of the owner and their project. */
const preparations: { [Name in CallName]?: (scene: Scene) => Promise<Asked<Name>> | Asked<Name> } =
  {
    signUp: () => ({
      input: { fullName: 'New', email: `${newId()}@example.com`, password: 'correct horse' },
    }),
    signIn: ({ owner: { email, password, cookie } }) => ({
      input: { email, password },
      headers: { cookie },
    }),
    refreshSession: async ({ world, owner }) => ({
      headers: { cookie: (await world.signedIn(owner)).cookie },
    }),
    signOut: async ({ world, owner }) => ({ by: await world.signedIn(owner) }),
    sendVerificationEmail: async ({ aPerson }) => ({ by: await aPerson({ verified: false }) }),
    sendPasswordResetEmail: ({ owner: { email } }) => ({ input: { email } }),
    checkActionCode: async ({ world, owner }) => ({
      input: { oobCode: await world.resetCode(owner.email) },
    }),
    applyActionCode: async ({ world, aPerson }) => {
      const { email } = await aPerson({ verified: false })
      return { input: { oobCode: await world.mailedCode(email) } }
    },
    claimAccount: async ({ world, aPerson }) => {
      const { email } = await aPerson({ verified: false })
      return { input: { oobCode: await world.mailedCode(email), newPassword: 'battery staple' } }
    },
    rejectVerification: async ({ world, aPerson }) => {
      const { email } = await aPerson({ verified: false })
      return { input: { oobCode: await world.mailedCode(email) } }
    },
    finishSignIn: async ({ world, aPerson }) => {
      const by = await aPerson()
      const app = await anAuthenticator(world, by)
      const { resolver, headers } = waiting(await world.signIn(by), by.cookie)
      return { input: { resolver, recoveryCode: app.recoveryCodes[0]! }, headers }
    },
    startFactorEnrollment: () => ({ input: { type: 'totp' } }),
    finishFactorEnrollment: async ({ world, aPerson }) => {
      const by = await aPerson()
      const { enrollmentId, secret = '' } = await by.does('startFactorEnrollment', { type: 'totp' })
      return { by, input: { enrollmentId, code: codeAt(secret, world.services.now()) } }
    },
    renewRecoveryCodes: async ({ world, aPerson }) => {
      const by = await aPerson()
      await anAuthenticator(world, by)
      return { by }
    },
    renameFactor: async ({ world, aPerson }) => {
      const by = await aPerson()
      const { id } = await anAuthenticator(world, by)
      return { by, input: { factorId: id, displayName: 'My phone' } }
    },
    removeFactor: async ({ world, aPerson }) => {
      const by = await aPerson()
      const { id } = await anAuthenticator(world, by)
      return { by, input: { factorId: id } }
    },
    reauthenticate: ({ owner }) => ({ input: { password: owner.password } }),
    updateEmail: async ({ aPerson }) => ({
      by: await aPerson(),
      input: { newEmail: `${newId()}@example.com` },
    }),
    correctEmail: async ({ aPerson }) => ({
      by: await aPerson({ verified: false }),
      input: { email: `${newId()}@example.com` },
    }),
    updatePassword: async ({ aPerson }) => ({
      by: await aPerson(),
      input: { newPassword: 'battery staple' },
    }),
    deleteAccount: async ({ aPerson }) => {
      const by = await aPerson()
      return { by, input: { confirmationId: by.uid } }
    },
    revokeSession: async ({ world, owner }) => {
      await world.signedIn(owner)
      const { sessions } = await owner.does('listSessions', {})
      return { input: { sessionId: sessions.find(({ is_current }) => !is_current)!.id } }
    },
    revokeAccessToken: async ({ owner }) => {
      const made = await owner.does('createAccessToken', { name: 'CI', access: 'read' })
      return { input: { accessTokenId: made.accessToken.id } }
    },
    startProviderFlow: () => ({ input: { provider: 'google', intent: 'link' } }),
    unlinkProvider: async ({ world, aPerson }) => {
      const by = await aPerson()
      await world.link(by)
      return { by, input: { provider: 'google' } }
    },
    confirmPasswordReset: async ({ world, aPerson }) => {
      const { email } = await aPerson()
      const oobCode = await world.resetCode(email)
      return { input: { oobCode, newPassword: 'battery staple' } }
    },

    saveUser: () => ({ input: { display_name: newId(), language: 'de' } }),
    updateProfile: () => ({ input: { displayName: newId() } }),

    createSubscription: async ({ aPerson }) => ({ by: await aPerson(), input: { planId: 'free' } }),
    previewSubscription: () => ({ input: { planId: 'pro' } }),
    completePayment: async ({ world, aPurchase }) => {
      const { by, subscriptionId, clientSecret } = await aPurchase('pm_card_authenticationRequired')
      await world.answerChallenge(clientSecret!, 'succeed')
      return { by, input: { subscriptionId } }
    },
    updateSubscriptionSecurity: async ({ aPassed }) => {
      const { by, subscriptionId } = await aPassed()
      return { by, input: { subscriptionId, requireSecondFactor: true } }
    },
    remindOfSecondFactor: async ({ world, aPassed, aPerson }) => {
      const { by, subscriptionId } = await aPassed()
      await world.addMember(subscriptionId, await aPerson())
      await by.does('updateSubscriptionSecurity', { subscriptionId, requireSecondFactor: true })
      return { by, input: { subscriptionId } }
    },
    updateSubscriptionSettings: ({ id }) => ({
      input: { subscriptionId: id, settings: { name: newId() } },
    }),

    checkInvite: async ({ world, anInvite }) => ({
      input: { code: await world.mailedCode((await anInvite()).person.email) },
    }),
    acceptInvite: async ({ anInvite }) => {
      const { person, inviteId } = await anInvite()
      return { by: person, input: { inviteId } }
    },
    rejectInvite: async ({ anInvite }) => {
      const { person, inviteId } = await anInvite()
      return { by: person, input: { inviteId } }
    },
    createInvite: ({ id }) => ({
      input: { subscriptionId: id, email: `${newId()}@example.com`, permissions: [] },
    }),
    revokeInvite: async ({ id, anInvite }) => ({
      input: { subscriptionId: id, inviteId: (await anInvite()).inviteId },
    }),
    resendInvite: async ({ id, anInvite }) => ({
      input: { subscriptionId: id, inviteId: (await anInvite()).inviteId },
    }),
    createInviteLink: async ({ id, anInvite }) => ({
      input: { subscriptionId: id, inviteId: (await anInvite()).inviteId },
    }),

    checkJoinLink: async ({ aJoinLink }) => ({ input: await aJoinLink() }),
    joinByLink: async ({ aJoinLink, aPerson }) => ({
      by: await aPerson(),
      input: await aJoinLink(),
    }),
    requestToJoin: async ({ id, aPerson }) => ({
      by: await aPerson(),
      input: { subscriptionId: id },
    }),
    decideJoinRequest: async ({ id, owner, aPerson }) => {
      await (await aPerson()).does('requestToJoin', { subscriptionId: id })
      const { requests } = await owner.does('listJoinRequests', { subscriptionId: id })
      return { input: { requestId: requests[0]!.id, permissions: [] } }
    },

    updateUserPermissions: async ({ id, aMember }) => ({
      input: { subscriptionId: id, userId: (await aMember()).uid, permissions: ['editor'] },
    }),
    removeUser: async ({ id, aMember }) => ({
      input: { subscriptionId: id, userId: (await aMember()).uid },
    }),
    hideSubscription: async ({ aPerson }) => {
      const by = await aPerson()
      const { subscriptionId } = await by.starts()
      await by.cancels(subscriptionId)
      return { by, input: { subscriptionId, hidden: true } }
    },

    leaveSubscription: async ({ id, aMember }) => ({
      by: await aMember(),
      input: { subscriptionId: id },
    }),

    previewPlanChange: ({ payer, paidId }) => ({
      by: payer,
      input: { subscriptionId: paidId, planId: 'enterprise' },
    }),
    changeSubscriptionPlan: async ({ aPurchase }) => {
      const { by, subscriptionId } = await aPurchase()
      return { by, input: { subscriptionId, planId: 'enterprise' } }
    },
    cancelSubscription: async ({ aPurchase }) => {
      const { by, subscriptionId } = await aPurchase()
      return { by, input: { subscriptionId, confirmationId: subscriptionId } }
    },
    // The tests' own configuration offers no later end, so the provider is asked for it.
    undoPlanChange: async ({ world, aPurchase }) => {
      const { by, subscriptionId } = await aPurchase()
      await endLater(world, subscriptionId, 'free')
      return { by, input: { subscriptionId } }
    },
    previewCancellation: ({ payer, paidId }) => ({ by: payer, input: { subscriptionId: paidId } }),
    resumeSubscription: async ({ world, aPurchase }) => {
      const { by, subscriptionId } = await aPurchase()
      await endLater(world, subscriptionId)
      return { by, input: { subscriptionId } }
    },
    previewPayment: ({ payer, paidId }) => ({ by: payer, input: { subscriptionId: paidId } }),
    payInvoice: async ({ world, aPurchase }) => {
      const { by, subscriptionId } = await aPurchase()
      const [card] = await by.cards(subscriptionId)
      await world.payWith(by, subscriptionId, 'pm_card_chargeCustomerFail')
      await world.control({ reset: true })
      await world.passAtProvider(7 * 24 * 3600 + 7200)
      return { by, input: { subscriptionId, paymentMethodId: card!.id } }
    },
    getPaymentMethods: ({ payer, paidId }) => ({ by: payer, input: { subscriptionId: paidId } }),
    createSetupIntent: ({ payer, paidId }) => ({ by: payer, input: { subscriptionId: paidId } }),
    setDefaultPaymentMethod: async ({ world, payer, paidId }) => ({
      by: payer,
      input: {
        subscriptionId: paidId,
        paymentMethodId: await world.addCard(payer, paidId, 'pm_card_mastercard'),
      },
    }),
    deletePaymentMethod: async ({ payer, paidId, world }) => ({
      by: payer,
      input: {
        subscriptionId: paidId,
        paymentMethodId: await world.addCard(payer, paidId, 'pm_card_amex'),
      },
    }),
    getBillingDetails: ({ payer, paidId }) => ({ by: payer, input: { subscriptionId: paidId } }),
    updateBillingDetails: ({ payer, paidId }) => ({
      by: payer,
      input: { subscriptionId: paidId, ...billingDetails, name: newId() },
    }),
    transferSubscriptionOwnership: async ({ aPurchase, anHeir }) => {
      const { by, subscriptionId } = await aPurchase()
      return { by, input: { subscriptionId, newOwnerId: (await anHeir(subscriptionId)).uid } }
    },
    getOwnershipOffer: ({ payer, paidId }) => ({ by: payer, input: { subscriptionId: paidId } }),
    acceptOwnership: async (scene) => {
      const { subscriptionId, heir: by } = await anOffer(scene)
      return { by, input: { subscriptionId } }
    },
    endOwnershipOffer: async (scene) => {
      const { subscriptionId, by } = await anOffer(scene)
      return { by, input: { subscriptionId } }
    },
    listInvoices: ({ payer, paidId }) => ({ by: payer, input: { subscriptionId: paidId } }),
    listOwnPaymentMethods: ({ payer }) => ({ by: payer }),
    deleteOwnPaymentMethod: async ({ aPurchase, anHeir }) => {
      const { by, subscriptionId } = await aPurchase()
      const [card] = await by.cards(subscriptionId)
      const transfer = { subscriptionId, newOwnerId: (await anHeir(subscriptionId)).uid }
      await by.does('transferSubscriptionOwnership', { ...transfer, keepCard: true })
      return { by, input: { subscriptionId, paymentMethodId: card!.id } }
    },
  }

/** The tests' own configuration gives at once, so the offer is put into the store. */
async function anOffer({ world, aPurchase, anHeir }: Scene) {
  const { by, subscriptionId } = await aPurchase()
  const heir = await anHeir(subscriptionId)
  await world.services.store.ownershipOffers.put({
    subscriptionId: subscriptionId as SubscriptionId,
    userId: heir.uid,
    cardId: null,
    expiresAt: new Date(Date.now() + 3_600_000),
  })
  return { by, heir, subscriptionId }
}

async function endLater({ services }: Scene['world'], subscriptionId: string, planId?: PlanId) {
  const row = await services.store.billing.find(subscriptionId as SubscriptionId)
  await services.payments.endLater(row!.providerSubscriptionId!, planId)
}
