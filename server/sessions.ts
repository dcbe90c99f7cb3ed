import { limits } from '#config/limits.ts'
import type { AuthUser } from '#contract/entities.ts'
import type { CurrentUser, Visit } from './handle.ts'
import { pseudonym } from './keyed-hash.ts'
import { Refusal } from './refusal.ts'
import type { Services } from './services.ts'
import { newId, newToken } from './store/ids.ts'
import type { User } from './store/users.ts'

export async function findCurrentUser(accessToken: string, { store, now }: Services): Promise<CurrentUser | undefined> {
  const found = await store.sessions.findByAccessToken(accessToken, now())
  if (!found) return undefined
  return { ...toAuthUser(found.user), language: found.user.language, session: found.session }
}

/** Starts a session after a sign-in: the answer carries the access token, the cookie the refresh token. */
export async function startSession(user: User, visit: Visit, services: Services) {
  if (user.disabled) throw new Refusal('auth/user-disabled')
  const now = services.now()
  const id = newId()
  const { address, userAgent } = visit
  const session = { id, userId: user.id, startedAt: now, signedInAt: now, usedAt: now, address, userAgent }
  const details = { device: userAgent.slice(0, 200), address }
  // In one: whoever tidies up in between would take it for one whose tokens have all run out.
  return services.transaction(async (services) => {
    await services.store.sessions.add(session, { kind: 'signedIn', actorName: user.displayName, details })
    return giveTokens(id, user, visit, services)
  })
}

/**
 * Exchanges the refresh token for a new pair. Once exchanged it is good for a few seconds more, for an answer that was lost or a second
 * tab; after that it can only be a stolen one, and the session ends for the thief and the owner alike.
 */
export async function renewSession(visit: Visit, services: Services) {
  const { store, now } = services
  const token = visit.refreshToken
  if (token === undefined) throw new Refusal('notSignedIn')
  const found = await store.sessions.findByRefreshToken(token)
  if (!found || found.expiresAt <= now() || found.user.disabled) return refuse(visit)
  if (found.usedAt && now().getTime() - found.usedAt.getTime() > limits.sessions.reuseGrace) {
    await store.sessions.end(found.session.id)
    const user = pseudonym(services.keyedHash, found.user.id)
    services.log.warn({ user, session: found.session.id }, 'a refresh token was used twice; the session has been ended')
    return refuse(visit)
  }
  return services.transaction(async (services) => {
    if (!(await services.store.sessions.exchange(token, found.session.id, now()))) return refuse(visit)
    return giveTokens(found.session.id, found.user, visit, services)
  })
}

function refuse(visit: Visit): never {
  visit.forgetRefreshToken()
  throw new Refusal('sessionEnded')
}

async function giveTokens(sessionId: string, user: User, visit: Visit, { store, now }: Services) {
  const [token, refreshToken] = [newToken(), newToken()]
  const refreshEnds = after(now(), limits.sessions.refreshToken)
  await store.sessions.addTokens([
    { token, sessionId, kind: 'access', expiresAt: after(now(), limits.sessions.accessToken) },
    { token: refreshToken, sessionId, kind: 'refresh', expiresAt: refreshEnds },
  ])
  visit.keepRefreshToken(refreshToken, refreshEnds)
  return { user: toAuthUser(user), token, expiresIn: limits.sessions.accessToken / 1000 }
}

export function toAuthUser(user: User): AuthUser {
  return {
    uid: user.id,
    email: user.email,
    emailVerified: user.emailVerified,
    displayName: user.displayName,
    creationTime: user.createdAt.toISOString(),
  }
}

export function after(time: Date, milliseconds: number) {
  return new Date(time.getTime() + milliseconds)
}
