import { after } from '../platform/time.ts'
import { limits } from '#config/limits.ts'
import type { AuthUser } from '#contract/entities.ts'
import { rememberDevice, reportNewDevice } from './devices.ts'
import type { CurrentUser, Visit } from '../core/handle.ts'
import { pseudonym } from '../platform/keyed-hash.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Services } from '../core/services.ts'
import { newId, newToken } from '../platform/ids.ts'
import type { Session } from '../store/sessions.ts'
import type { User } from '../store/users.ts'

export async function findCurrentUser(
  accessToken: string,
  { store, now }: Services,
): Promise<CurrentUser | undefined> {
  const found = await store.sessions.findByAccessToken(accessToken, now())
  if (!found) return undefined
  return { ...toAuthUser(found.user), language: found.user.language, session: found.session }
}

/** The caller's row. It may have gone since their token was looked up. */
export async function rowOf(user: CurrentUser, { store }: Pick<Services, 'store'>) {
  const row = await store.users.find(user.uid)
  if (!row) throw new Refusal('sessionEnded')
  return row
}

/**
 * The caller's row. Their session can't end before the transaction does. For what gives a way in: a thief's session may have
 * been ended since their token was looked up.
 */
export async function holdSession(user: CurrentUser, { store }: Pick<Services, 'store'>) {
  const row = await store.users.lock(user.uid)
  if (!row || !(await store.sessions.hold(user.session.id))) throw new Refusal('sessionEnded')
  return row
}

/**
 * Starts a session after a sign-in: the answer carries the access token, the cookie the refresh token. `user` is the row as it was read
 * before the credentials were judged: if they have changed since, the sign-in is refused.
 */
export async function startSession(user: User, visit: Visit, services: Services) {
  if (user.disabled) throw new Refusal('auth/user-disabled')
  const now = services.now()
  const { address, userAgent } = visit
  const session = {
    id: newId(),
    userId: user.id,
    startedAt: now,
    signedInAt: now,
    usedAt: now,
    address,
    userAgent,
  }
  const entry = {
    kind: 'signedIn',
    actorName: user.displayName,
    details: { device: userAgent.slice(0, 200), address },
  } as const
  // In one transaction: a session without a token looks like one whose tokens have run out, and the tidy-up job removes those.
  const answer = await services.transaction(async (services) => {
    const { store } = services
    if (!(await store.sessions.add(session, user.credentialsVersion, entry)))
      throw new Refusal('auth/invalid-credential')
    await store.sessions.keepNewestOf(user.id, limits.sessions.perUser)
    await reportNewDevice(user, visit, services)
    return giveTokens(user, session, newToken(), visit, services)
  })
  // Not before there is a session: the device of somebody who was refused at the last moment stays unknown.
  rememberDevice(user, visit, services)
  return answer
}

/**
 * Exchanges the refresh token for a new pair. Once exchanged it is good for a few seconds more, for an answer that was lost or a second
 * tab; after that it can only be a stolen one, and the session ends for the thief and the owner alike.
 */
export async function renewSession(visit: Visit, services: Services) {
  const token = visit.refreshToken
  if (token === undefined) throw new Refusal('notSignedIn')
  const renewed = await services.transaction((services) => renew(token, visit, services))
  if (renewed) return renewed
  visit.forgetRefreshToken()
  throw new Refusal('sessionEnded')
}

async function renew(token: string, visit: Visit, services: Services) {
  const { store, now, log, keyedHash } = services
  if (!(await store.sessions.lockByRefreshToken(token))) return undefined
  const found = await store.sessions.findByRefreshToken(token)
  if (!found || found.expiresAt <= now() || endOf(found.session) <= now()) return undefined
  const { user, session, usedAt } = found
  await services.rateLimits.consume('refreshBySession', session.id)
  if (usedAt && now().getTime() - usedAt.getTime() > limits.sessions.reuseGrace) {
    await store.sessions.end(session.id)
    await store.actionCodes.endAllOfSession(session, now())
    log.warn(
      { user: pseudonym(keyedHash, user.id), session: session.id },
      'a refresh token was used twice; the session has been ended',
    )
    return undefined
  }
  if (!usedAt) {
    await store.sessions.exchange(token, session.id, now())
    return giveTokens(user, session, successorOf(token, services), visit, services)
  }
  const newest = await findNewest(token, services)
  if (!newest) return undefined
  visit.keepRefreshToken(newest.token, newest.expiresAt)
  return giveTokens(user, session, undefined, visit, services)
}

/** Follows from the token and the installation's key: the same token always gets the same successor, and only the server can compute it. */
function successorOf(token: string, { keyedHash }: Pick<Services, 'keyedHash'>) {
  return keyedHash('refresh token', token)
}

/** The last of a token's successors: two tabs may have gone on from each other's. */
async function findNewest(token: string, services: Services) {
  let next = successorOf(token, services)
  let found = await services.store.sessions.findByRefreshToken(next)
  while (found?.usedAt) {
    next = successorOf(next, services)
    found = await services.store.sessions.findByRefreshToken(next)
  }
  return found && { token: next, expiresAt: found.expiresAt }
}

/** An access token, and the refresh token if that is new. */
async function giveTokens(
  user: User,
  session: Session,
  refreshToken: string | undefined,
  visit: Visit,
  { store, now }: Services,
) {
  const token = newToken()
  const access = {
    token,
    sessionId: session.id,
    kind: 'access',
    expiresAt: endWithin(limits.sessions.accessToken),
  } as const
  const refreshEnds = endWithin(limits.sessions.refreshToken)
  const refresh = { sessionId: session.id, kind: 'refresh', expiresAt: refreshEnds } as const
  await store.sessions.addTokens(
    refreshToken === undefined ? [access] : [access, { ...refresh, token: refreshToken }],
  )
  if (refreshToken !== undefined) visit.keepRefreshToken(refreshToken, refreshEnds)
  return {
    user: toAuthUser(user),
    token,
    expiresIn: Math.ceil((access.expiresAt.getTime() - now().getTime()) / 1000),
  }

  /** Or with the session, if that is earlier. */
  function endWithin(milliseconds: number) {
    return new Date(Math.min(after(now(), milliseconds).getTime(), endOf(session).getTime()))
  }
}

function endOf({ startedAt }: Session) {
  return after(startedAt, limits.sessions.absolute)
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
