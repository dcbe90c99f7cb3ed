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

/** The caller's row. The account may have been deleted since the access token was checked. */
export async function requireRow(user: CurrentUser, { store }: Services) {
  const row = await store.users.find(user.uid)
  if (!row) throw new Refusal('sessionEnded')
  return row
}

/**
 * Locks the caller's row, and keeps the session from ending before the transaction does. Changes
 * that open a way into the account need this: the owner may have just ended a thief's session.
 */
export async function lockRow(user: CurrentUser, { store }: Services) {
  const row = await store.users.lock(user.uid)
  if (!row || !(await store.sessions.hold(user.session.id))) throw new Refusal('sessionEnded')
  return row
}

/**
 * Starts a session: the answer carries the access token, and a cookie the refresh token. Refuses
 * if the credentials have changed since `user` was read, before they were checked.
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
  // In one transaction, because the cleanup job removes sessions without tokens.
  const answer = await services.transaction(async (services) => {
    const { store } = services
    if (!(await store.sessions.add(session, user.credentialsVersion, entry)))
      throw new Refusal('auth/invalid-credential')
    await store.sessions.keepNewestOf(user.id, limits.sessions.perUser)
    await reportNewDevice(user, visit, services)
    return giveTokens(user, session, newToken(), visit, services)
  })
  // After the session exists, so that a refused sign-in never makes the device known.
  rememberDevice(user, visit, services)
  return answer
}

/**
 * Exchanges the refresh token, for some seconds again: an answer may get lost, or two tabs use it.
 * A later use means that the token was stolen, and ends the session.
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

/** The one refresh token that can replace `token`. Only the server can compute it. */
function successorOf(token: string, { keyedHash }: Services) {
  return keyedHash('refresh token', token)
}

/** Follows a used token to its newest successor: two tabs may exchange each other's. */
async function findNewest(token: string, services: Services) {
  let next = token
  let found
  do {
    next = successorOf(next, services)
    found = await services.store.sessions.findByRefreshToken(next)
  } while (found?.usedAt)
  return found && { token: next, expiresAt: found.expiresAt }
}

/** Adds an access token, and a refresh token if given. Neither outlives the session. */
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
  const sent = user.emailVerified
    ? undefined
    : await store.actionCodes.findNewestTime(user, 'verifyEmail', now())
  return {
    user: { ...toAuthUser(user), ...(sent && { verificationSent: sent.toISOString() }) },
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
