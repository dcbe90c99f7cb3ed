import { limits } from '#config/limits.ts'
import type { Services, Visit } from '../core/services.ts'
import { newToken } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import { after } from '../platform/time.ts'
import type { User } from '../store/users.ts'

/** Types of factors that pass a second step. */
const types = ['totp']

/** The refusal of what a second step has to come with. */
export function needsSecondStep() {
  return new Refusal('auth/multi-factor-auth-required', { types })
}

/**
 * Lets a sign-in wait for its second step, and returns the refusal that says so. `claims`: the
 * address that its link proves.
 */
export async function askSecondStep(
  user: User,
  visit: Visit,
  { store, now }: Services,
  { claims = null }: { claims?: string | null } = {},
) {
  const { id: userId, credentialsVersion } = user
  // Another tab's sign-in may wait in this browser too.
  const browser = visit.waiting ?? newToken()
  const resolver = newToken()
  const expiresAt = after(now(), limits.factors.resolver)
  const row = { userId, credentialsVersion, claims, expiresAt }
  await store.factors.addResolver({ ...row, resolver, browser })
  visit.keepWaiting(browser)
  return new Refusal('auth/multi-factor-auth-required', { resolver, types })
}

/** Finds the user whose sign-in waits in this browser, and counts a try. */
export async function tryResolver(resolver: string, visit: Visit, { store, now }: Services) {
  const browser = visit.waiting ?? ''
  const { tries } = limits.factors
  const found = await store.factors.tryResolver({ resolver, browser, tries, now: now() })
  if (!found) throw new Refusal('auth/resolver-expired')
  const { claims, ...user } = found
  return { user, claims }
}
