import { record } from '../activity/record.ts'
import type { CurrentUser, Handlers, Services } from '../core/services.ts'
import { newId } from '../platform/ids.ts'
import { isRefusal, Refusal } from '../platform/refusal.ts'
import { mailCode, refuseReserved } from './action-codes.ts'
import { claim } from './claims.ts'
import { isRecent, requireRecentSignIn } from './credentials.ts'
import { introduceDevice, keepKnownDevice } from './devices.ts'
import { guardGuess } from './guessing.ts'
import { beginFlow } from './provider-flows.ts'
import { requireInviteTo } from './invite-codes.ts'
import { findAnswering, requestOptions, requirePasskeys } from './passkeys.ts'
import {
  endResolver,
  needsSecondStep,
  startChallenge,
  tryChallenge,
  tryResolver,
} from './resolvers.ts'
import { guardSecondStep, hasStep, passSecondStep } from './second-step.ts'
import { lockRow, requireRow, startSession } from './sessions.ts'

export const signInCalls = {
  async signUp({ input, visit }, services) {
    const { fullName: displayName, email, language = null, inviteCode } = input
    await services.rateLimits.consume(['signUpByNetwork', visit.network])
    // The code was mailed to the address, so it proves the address like a verification link.
    const emailVerified = inviteCode !== undefined
    if (emailVerified) await requireInviteTo(email, inviteCode, visit, services)
    const password = await services.identity.preparePassword(input.password, {
      email,
      caller: visit.network,
    })
    const id = newId()
    const user = await services.transaction(async (services) => {
      const account = { email, emailVerified, displayName }
      const row = { id, ...account, claimed: emailVerified, language }
      const now = services.now()
      const [user] = await Promise.all([
        services.store.users.add({ ...row, now }),
        refuseReserved({ email, reason: 'auth/email-already-in-use' }, services),
      ])
      if (!user) throw new Refusal('auth/email-already-in-use')
      const sender = visit.network
      await Promise.all([
        services.identity.createUser({ uid: user.id, ...account, password }),
        !emailVerified && mailCode(user, 'verifyEmail', {}, services, { sender }),
      ])
      return user
    })
    introduceDevice(user, visit, services)
    return startSession(user, visit, services)
  },

  async signIn({ input: { email, password }, visit }, services) {
    const stored = await services.store.users.findCredentials(email)
    const judge = () => services.identity.signInWithPassword(stored, password, visit.network)
    const user = await guardGuess({ email, owner: stored.user, visit, judge }, services)
    return startSession(user, visit, services)
  },

  async finishSignIn({ input, visit }, services) {
    const { resolver, rememberBrowser, ...step } = input
    if (!hasStep(step)) throw new Refusal('invalidInput', { fields: { code: 'required' } })
    const { user: waiting, claims } = await tryResolver(resolver, visit, services)
    if (!waiting && !step.credential)
      throw new Refusal('invalidInput', { fields: { credential: 'required' } })
    const user = waiting ?? (await findAnswering(step.credential!, services)).user
    const passed = await guardSecondStep(user, step, visit, services, () =>
      services.transaction(async (services) => {
        const locked = await services.store.users.lock(user.id)
        // The first step no longer counts if the credentials have changed since.
        const isSame = locked?.credentialsVersion === user.credentialsVersion
        if (!locked || !isSame) throw new Refusal('auth/resolver-expired')
        await endResolver(resolver, services)
        const asked = { challenge: resolver, alone: !waiting }
        await passSecondStep(locked, step, asked, services)
        return claims === locked.email ? claim(locked, services) : locked
      }),
    )
    return startSession(passed, visit, services, { secondStep: true, rememberBrowser })
  },

  async startPasskeySignIn({ visit }, services) {
    const place = requirePasskeys(services)
    await services.rateLimits.consume(['passkeyByNetwork', visit.network])
    const resolver = await startChallenge(visit, services)
    return { resolver, options: await requestOptions(resolver, place) }
  },

  async reauthenticate({ input: { password, ...step }, user, visit }, services) {
    await services.rateLimits.consume(['reauthenticationBySession', user.session.id])
    const isStep = hasStep(step)
    const { credential } = step
    const alone = password === undefined && credential !== undefined
    if (password === undefined && !alone && !(isStep && user.hasSecondStep))
      throw new Refusal('invalidInput', { fields: { password: 'required' } })
    // A code follows a sign-in: alone it shows only that somebody has the app.
    if (password === undefined && !alone && !isRecent(user.session.signedInAt, services))
      throw new Refusal('auth/requires-recent-login')
    const challenge = credential && (await tryChallenge(credential, visit, services))
    const row =
      password === undefined
        ? await requireRow(user, services)
        : await checkPassword(password, user, services)
    const mark = ({ store, now }: Services) => {
      const at = now()
      return store.sessions.markPassed(user.session.id, {
        ...((password !== undefined || alone) && { signedInAt: at }),
        ...((row.hasSecondStep || alone) && { secondStepAt: at }),
      })
    }
    if (!row.hasSecondStep && !alone) await mark(services)
    else if (!isStep) throw await needsSecondStep(row, visit, services)
    else
      await guardSecondStep(row, step, visit, services, () =>
        services.transaction(async (services) => {
          const locked = await lockRow(user, services)
          if (challenge) await endResolver(challenge, services)
          await passSecondStep(locked, step, { challenge, alone }, services)
          await mark(services)
        }),
      )
    return {}
  },

  async startProviderFlow({ input: { provider, intent, language = null }, user, visit }, services) {
    if (intent === 'link') {
      if (!user.emailVerified) throw new Refusal('emailNotVerified')
      if (!user.claimed) throw new Refusal('claimRequired')
      // A thief could use a linked provider like a new password, so linking needs a recent sign-in.
      requireRecentSignIn(user, services)
    }
    const flow = { provider, intent, userId: user.uid, sessionId: user.session.id, language }
    const url = await beginFlow(flow, visit, services)
    return { url: url.href }
  },

  async unlinkProvider({ input, user, visit }, services) {
    const { store, identity, signInProviders } = services
    const { provider } = input
    // From here on the server refuses a sign-in with this provider that is still in progress.
    const [row, found] = await Promise.all([
      store.users.renewCredentials(user.uid),
      store.users.findRecord(user.uid),
    ])
    if (!row || !found) throw new Refusal('sessionEnded')
    if (!found.providers.includes(provider)) throw new Refusal('auth/no-such-provider')
    // Nobody can sign in through a link to a provider that is no longer offered: it doesn't count.
    const hasOther = found.providers.some((name) => name !== provider && signInProviders.has(name))
    if (!hasOther && !(await identity.hasPassword(found))) throw new Refusal('auth/last-credential')
    await Promise.all([
      store.providerLinks.remove(user.uid, provider),
      record('providerUnlinked', { by: user, details: { provider } }, services),
    ])
    keepKnownDevice(row, visit, services)
    return {}
  },
} satisfies Partial<Handlers>

async function checkPassword(password: string, user: CurrentUser, services: Services) {
  const { store, identity } = services
  const stored = await store.users.findCredentials(user.email)
  const same = await identity
    .signInWithPassword(stored, password, user.uid)
    .catch((error: unknown) => {
      if (!isRefusal(error, 'auth/invalid-credential')) throw error
    })
  if (same?.id !== user.uid) throw new Refusal('auth/wrong-password')
  return same
}
