import { after } from '../platform/time.ts'
import { limits } from '#config/limits.ts'
import type { AuthUser } from '#contract/entities.ts'
import { rememberDevice, reportNewDevice } from './devices.ts'
import type { CurrentUser, Services, Visit } from '../core/services.ts'
import { pseudonym } from '../platform/keyed-hash.ts'
import { Refusal } from '../platform/refusal.ts'
import { newId, newToken } from '../platform/ids.ts'
import type { NewToken, Session } from '../store/sessions.ts'
import type { User } from '../store/users.ts'

/** The caller's row, which may have gone since the token was looked up. */
export async function requireRow(user: CurrentUser, { store }: Services) {
  const row = await store.users.find(user.uid)
  if (!row) throw new Refusal('sessionEnded')
  return row
}

/**
 * The caller's row, locked; the session can't end before the transaction does. For changes that
 * open a way in: the session may be a thief's that was ended since the token was looked up.
 */
export async function lockRow(user: CurrentUser, { store }: Services) {
  const row = await store.users.lock(user.uid)
  if (!row || !(await store.sessions.hold(user.session.id))) throw new Refusal('sessionEnded')
  return row
}

/**
 * Starts a session after a sign-in: the answer carries the access token, the cookie the refresh
 * token. `user` is the row as it was before the credentials were checked; if they have changed
 * since, the sign-in is refused.
 */
export async function startSession(user: User, visit: Visit, services: Services) {
  if (user.disabled) throw new Refusal('auth/user-disabled')
  const now = services.now()
  const { address, userAgent } = visit
  const times = { startedAt: now, signedInAt: now, usedAt: now }
  const session = { id: newId(), userId: user.id, ...times, address, userAgent }
  const entry = {
    kind: 'signedIn',
    actorName: user.displayName,
    details: { device: userAgent.slice(0, 200), address },
  } as const
  // One transaction: the job that removes expired rows would remove a session without tokens.
  const answer = await services.transaction(async (services) => {
    const { store } = services
    if (!(await store.sessions.add(session, user.credentialsVersion, entry)))
      throw new Refusal('auth/invalid-credential')
    await store.sessions.keepNewestOf(user.id, limits.sessions.perUser)
    await reportNewDevice(user, visit, services)
    return giveTokens(user, session, newToken(), visit, services)
  })
  // Only with a session: a sign-in refused at the last moment must not make the device known.
  rememberDevice(user, visit, services)
  return answer
}

/**
 * Exchanges the refresh token for a new pair. For a few seconds it can be exchanged again, after a
 * lost answer or by a second tab. Later a second use means that it was stolen, and the session ends
 * for thief and owner alike.
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

/** Always the same for a token, and only the server can compute it. */
function successorOf(token: string, { keyedHash }: Services) {
  return keyedHash('refresh token', token)
}

/** The newest successor of a token: each of two tabs may have exchanged the other's. */
async function findNewest(token: string, services: Services) {
  let next = token
  let found
  do {
    next = successorOf(next, services)
    found = await services.store.sessions.findByRefreshToken(next)
  } while (found?.usedAt)
  return found && { token: next, expiresAt: found.expiresAt }
}

/** Adds an access token, and the refresh token if it is new. Neither outlives the session. */
async function giveTokens(
  user: User,
  session: Session,
  refreshToken: string | undefined,
  visit: Visit,
  { store, now }: Services,
) {
  const sessionId = session.id
  const within = (milliseconds: number) =>
    new Date(Math.min(after(now(), milliseconds).getTime(), endOf(session).getTime()))
  const expiresAt = within(limits.sessions.accessToken)
  const token = newToken()
  const tokens: NewToken[] = [{ token, sessionId, kind: 'access', expiresAt }]
  if (refreshToken !== undefined) {
    const expiresAt = within(limits.sessions.refreshToken)
    tokens.push({ token: refreshToken, sessionId, kind: 'refresh', expiresAt })
    visit.keepRefreshToken(refreshToken, expiresAt)
  }
  await store.sessions.addTokens(tokens)
  return {
    user: toAuthUser(user),
    token,
    expiresIn: Math.ceil((expiresAt.getTime() - now().getTime()) / 1000),
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
