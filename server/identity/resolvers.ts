import { limits } from '#config/limits.ts'
import type { Services, Visit } from '../core/services.ts'
import { newToken } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import { after } from '../platform/time.ts'
import type { User } from '../store/users.ts'
import { challengeOf, requestOptions, type Credential } from './passkeys.ts'

/**
 * Lets a sign-in wait for its second step, and returns the refusal that says so. `claims`: the
 * address that its link proves.
 */
export async function askSecondStep(
  user: User,
  visit: Visit,
  services: Services,
  { claims = null }: { claims?: string | null } = {},
) {
  const { id: userId, credentialsVersion } = user
  const resolver = await addResolver({ userId, credentialsVersion, claims }, visit, services)
  return refusalWith(resolver, user, services)
}

/** The refusal of what a second step has to come with. Nobody can sign in by its resolver. */
export async function needsSecondStep(user: User, visit: Visit, services: Services) {
  return refusalWith(await startChallenge(visit, services), user, services)
}

async function refusalWith(resolver: string, { id }: User, services: Services) {
  const { passkeys, store } = services
  const factors = await store.factors.listOf(id)
  const usable = factors.filter(({ rpId }) => rpId !== null && rpId === passkeys?.rpId)
  return new Refusal('auth/multi-factor-auth-required', {
    resolver,
    ...(passkeys && usable.length > 0
      ? { types: ['totp', 'passkey'], options: await requestOptions(resolver, passkeys, usable) }
      : { types: ['totp'] }),
  })
}

/** Begins what the passkey of anybody may answer, in this browser. */
export function startChallenge(visit: Visit, services: Services) {
  return addResolver({ userId: null, credentialsVersion: null, claims: null }, visit, services)
}

type Waiting = { userId: string | null; credentialsVersion: number | null; claims: string | null }

async function addResolver(waiting: Waiting, visit: Visit, { store, now }: Services) {
  // Another tab's sign-in may wait in this browser too.
  const browser = visit.waiting ?? newToken()
  const resolver = newToken()
  const expiresAt = after(now(), limits.factors.resolver)
  await store.factors.addResolver({ ...waiting, expiresAt, resolver, browser })
  visit.keepWaiting(browser)
  return resolver
}

/** Counts a try of what waits in this browser, and finds its user, if it is not anybody's. */
export async function tryResolver(resolver: string, visit: Visit, { store, now }: Services) {
  const browser = visit.waiting ?? ''
  const { tries } = limits.factors
  const found = await store.factors.tryResolver({ resolver, browser, tries, now: now() })
  if (!found) throw new Refusal('auth/resolver-expired')
  return found
}

/** Counts a try of the challenge of anybody that a passkey answers here, and returns it. */
export async function tryChallenge(credential: Credential, visit: Visit, services: Services) {
  const challenge = challengeOf(credential)
  const { user } = await tryResolver(challenge, visit, services)
  if (user) throw new Refusal('auth/resolver-expired')
  return challenge
}

/** Ends what waits. Refuses if another call was faster. */
export async function endResolver(resolver: string, { store }: Services) {
  if (!(await store.factors.endResolver(resolver))) throw new Refusal('auth/resolver-expired')
}
