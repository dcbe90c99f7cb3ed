import { person, record } from '../activity/activity.ts'
import { handle } from '../core/handle.ts'
import { newId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import { requireRecentSignIn } from './account-security.ts'
import { mailVerification, refuseReserved } from './action-codes.ts'
import { introduceDevice, rememberDevice } from './devices.ts'
import { guardGuess } from './guessing.ts'
import { beginFlow } from './provider-flows.ts'
import { renewSession, startSession } from './sessions.ts'

export const signUp = handle('signUp', async ({ input, visit }, services) => {
  const { fullName: displayName, email, language = null } = input
  await services.rateLimits.consume('signUpByNetwork', visit.network)
  const password = await services.identity.preparePassword(input.password, {
    email,
    caller: visit.network,
  })
  const user = await services.transaction(async ({ store, identity, jobs, now }) => {
    const user = await store.users.add({
      id: newId(),
      email,
      emailVerified: false,
      displayName,
      language,
      now: now(),
    })
    if (!user) throw new Refusal('auth/email-already-in-use')
    await refuseReserved(email, 'auth/email-already-in-use', { store, now })
    await identity.createUser({ uid: user.id, email, emailVerified: false, displayName, password })
    await mailVerification(user, { store, jobs, now })
    return user
  })
  introduceDevice(user, visit, services)
  return startSession(user, visit, services)
})

export const signIn = handle('signIn', async ({ input: { email, password }, visit }, services) => {
  const judge = () => services.identity.signInWithPassword(email, password, visit.network)
  const user = await guardGuess({ email, visit, judge }, services)
  return startSession(user, visit, services)
})

export const signOut = handle('signOut', async ({ user, visit }, { store }) => {
  // A deletion of the account, too, takes the row of the user before those of the sessions.
  await store.users.hold(user.uid)
  await store.sessions.end(user.session.id)
  visit.forgetRefreshToken()
  return {}
})

export const refreshSession = handle('refreshSession', async ({ visit }, services) =>
  renewSession(visit, services),
)

export const reauthenticate = handle(
  'reauthenticate',
  async ({ input: { password }, user }, { rateLimits, identity, store, now }) => {
    await rateLimits.consume('reauthenticationBySession', user.session.id)
    const same = await identity
      .signInWithPassword(user.email, password, user.uid)
      .catch((error: unknown) => {
        if (error instanceof Refusal && error.reason === 'auth/invalid-credential') return undefined
        throw error
      })
    if (same?.id !== user.uid) throw new Refusal('auth/wrong-password')
    await store.sessions.markSignedIn(user.session.id, now())
    return {}
  },
)

export const startProviderFlow = handle(
  'startProviderFlow',
  async ({ input: { provider, intent, language = null }, user, visit }, services) => {
    if (intent === 'link') {
      if (!user.emailVerified) throw new Refusal('emailNotVerified')
      // One more way in is as much worth to a thief as a new password.
      requireRecentSignIn(user, services)
    }
    const url = await beginFlow(
      { provider, intent, userId: user.uid, sessionId: user.session.id, language },
      visit,
      services,
    )
    return { url: url.href }
  },
)

export const unlinkProvider = handle(
  'unlinkProvider',
  async ({ input: { provider }, user, visit }, services) => {
    const { store, identity, signInProviders } = services
    // A sign-in with the provider that is under way leaves no session.
    const row = await store.users.renewCredentials(user.uid)
    if (!row) throw new Refusal('sessionEnded')
    const links = await store.providerLinks.listOf(user.uid)
    if (!links.some((link) => link.provider === provider))
      throw new Refusal('auth/no-such-provider')
    // A link to a provider that is not offered any more lets nobody in.
    const others = links.filter(
      (link) => link.provider !== provider && signInProviders.has(link.provider),
    )
    if (others.length === 0 && !(await identity.hasPassword(user.uid)))
      throw new Refusal('auth/last-credential')
    await store.providerLinks.remove(user.uid, provider)
    await record('providerUnlinked', { by: person(user), details: { provider } }, services)
    rememberDevice(row, visit, services)
    return {}
  },
)
