import { after } from '../platform/time.ts'
import { limits } from '#config/limits.ts'
import type { AuthUser } from '#contract/entities.ts'
import { isRememberedBrowser, rememberDevice, reportNewDevice } from './devices.ts'
import { askSecondStep } from './resolvers.ts'
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
  const [row, isHeld] = await Promise.all([
    store.users.lock(user.uid),
    store.sessions.hold(user.session.id),
  ])
  if (!row || !isHeld) throw new Refusal('sessionEnded')
  return row
}

type Passed = {
  /** The sign-in has passed the second step. */
  secondStep?: boolean
  rememberBrowser?: boolean | undefined
}

/**
 * Starts a session: the answer carries the access token, and a cookie the refresh token. Refuses
 * if the credentials have changed since `user` was read, before they were checked, or if the sign-in
 * needs a second step.
 */
export async function startSession(
  user: User,
  visit: Visit,
  services: Services,
  { secondStep = false, rememberBrowser = false }: Passed = {},
) {
  if (user.disabled) throw new Refusal('auth/user-disabled')
  if (user.hasSecondStep && !secondStep && !isRememberedBrowser(user, visit, services))
    throw await askSecondStep(user, visit, services)
  const now = services.now()
  const secondStepAt = secondStep ? now : null
  const { address, userAgent } = visit
  const { id: userId, credentialsVersion, displayName: actorName } = user
  const times = { startedAt: now, signedInAt: now, secondStepAt, usedAt: now }
  const session = { id: newId(), userId, ...times, address, userAgent }
  const details = JSON.stringify({ device: userAgent.slice(0, 200), address })
  const tokens = tokensFor(session, newToken(), now)
  // In one transaction, because the cleanup job removes sessions without tokens.
  const answer = await services.transaction(async (services) => {
    const { sessions } = services.store
    const [answer] = await Promise.all([
      answerWith(tokens.access, user, services),
      sessions.add({ ...session, credentialsVersion, actorName, details }),
      sessions.addTokens(session.id, [tokens.access, tokens.refresh]),
      sessions.keepNewestOf({ userId, count: limits.sessions.perUser }),
      reportNewDevice(user, visit, services),
    ])
    return answer
  })
  // After the session exists, so that a refused sign-in never makes the device known.
  visit.keepRefreshToken(tokens.refresh.token, tokens.refresh.expiresAt)
  rememberDevice(user, visit, services, { forSecondStep: rememberBrowser })
  return answer
}

/** Answers as a sign-in does, with another access token of a session that exists. */
export async function addAccessToken(user: User, sessionId: string, services: Services) {
  const { store, now } = services
  const session = (await store.sessions.listOf(user.id)).find(({ id }) => id === sessionId)
  if (!session) throw new Refusal('sessionEnded')
  const { access } = tokensFor(session, newToken(), now())
  await store.sessions.addTokens(sessionId, [access])
  return answerWith(access, user, services)
}

type Renewing = { user: User; session: Pick<Session, 'secondStepAt'> }
type Ask<Answer> = (renewing: Renewing, services: Services) => Promise<Answer>

/**
 * Exchanges the refresh token, for some seconds again: an answer may get lost, or two tabs use it.
 * A later use means that the token was stolen, and ends the session. The answer of `ask`, which
 * may only read, is a part of the answer.
 */
export async function renewSession<Answer>(visit: Visit, services: Services, ask: Ask<Answer>) {
  const token = visit.refreshToken
  if (token === undefined) throw new Refusal('notSignedIn')
  const renewed = await services.transaction((services) => renew(token, services, ask))
  if (!renewed) {
    visit.forgetRefreshToken()
    throw new Refusal('sessionEnded')
  }
  visit.keepRefreshToken(renewed.refresh.token, renewed.refresh.expiresAt)
  return renewed.answer
}

async function renew<Answer>(token: string, services: Services, ask: Ask<Answer>) {
  const { store, log, keyedHash } = services
  const now = services.now()
  const [, found] = await Promise.all([
    store.sessions.lockByRefreshToken(token),
    store.sessions.findByRefreshToken(token),
  ])
  if (!found || found.expiresAt <= now || endOf(found.session) <= now) return undefined
  const { user, session, usedAt } = found
  const [asked, newest] = await Promise.all([
    ask({ user, session }, services),
    usedAt && findNewest(token, services),
    services.successLimits.consume(['refreshBySession', session.id]),
  ])
  if (usedAt && now.getTime() - usedAt.getTime() > limits.sessions.reuseGrace) {
    await Promise.all([
      store.sessions.end({ id: session.id }),
      store.actionCodes.endAllOfSession(session, now),
    ])
    log.warn(
      { user: pseudonym(keyedHash, user.id), session: session.id },
      'a refresh token was used twice; the session has been ended',
    )
    return undefined
  }
  const next = tokensFor(session, services.secrets.sign('refresh token', token), now)
  const refresh = usedAt ? newest : next.refresh
  if (!refresh) return undefined
  const [answer] = await Promise.all([
    answerWith(next.access, user, services),
    !usedAt && store.sessions.exchange(token, session.id, now),
    store.sessions.addTokens(session.id, usedAt ? [next.access] : [next.access, next.refresh]),
  ])
  return { refresh, answer: { ...answer, ...asked } }
}

/** Follows a used token to its newest successor: two tabs may exchange each other's. */
async function findNewest(token: string, services: Services) {
  let newest: Successor | undefined
  do {
    newest = await findSuccessor(newest?.token ?? token, services)
  } while (newest?.usedAt)
  return newest
}

type Successor = { token: string; expiresAt: Date; usedAt: Date | null }

/** Only servers can compute a token's successor, which one of their keys has signed. */
async function findSuccessor(used: string, { secrets, store }: Services) {
  for (const token of secrets.signatures('refresh token', used)) {
    const found = await store.sessions.findByRefreshToken(token)
    if (found) return { token, expiresAt: found.expiresAt, usedAt: found.usedAt }
  }
  return undefined
}

/** Neither token outlives the session. */
function tokensFor(session: Started, refreshToken: string, now: Date) {
  const within = (milliseconds: number) =>
    new Date(Math.min(after(now, milliseconds).getTime(), endOf(session).getTime()))
  const { accessToken, refreshToken: life } = limits.sessions
  return {
    access: { token: newToken(), kind: 'access', expiresAt: within(accessToken) },
    refresh: { token: refreshToken, kind: 'refresh', expiresAt: within(life) },
  } satisfies Record<string, NewToken>
}

async function answerWith({ token, expiresAt }: NewToken, user: User, { store, now }: Services) {
  const sent = user.claimed
    ? undefined
    : await store.actionCodes.findNewestTime(user, 'verifyEmail', now())
  return {
    user: { ...toAuthUser(user), ...(sent && { verificationSent: sent.toISOString() }) },
    token,
    expiresIn: Math.ceil((expiresAt.getTime() - now().getTime()) / 1000),
  }
}

type Started = Pick<Session, 'startedAt'>

function endOf({ startedAt }: Started) {
  return after(startedAt, limits.sessions.absolute)
}

export function toAuthUser(user: User): AuthUser {
  return {
    uid: user.id,
    email: user.email,
    emailVerified: user.emailVerified,
    claimed: user.claimed,
    displayName: user.displayName,
    creationTime: user.createdAt.toISOString(),
  }
}
