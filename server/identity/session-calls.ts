import { limits } from '#config/limits.ts'
import { type Passing, adminPermissions, whyNot } from '#contract/access.ts'
import type { AccessToken } from '#contract/entities.ts'
import { record } from '../activity/record.ts'
import { requireExpiry } from '../core/expiry.ts'
import { requireAccess } from '../core/require-access.ts'
import type { CurrentUser, Handlers, Services } from '../core/services.ts'
import { newAccessToken, newId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import { after, seconds } from '../platform/time.ts'
import type { CurrentToken } from '../store/access-tokens.ts'
import { mailCode } from './action-codes.ts'
import { endFormerAccess, lockRecent } from './credentials.ts'
import { keepKnownDevice } from './devices.ts'
import { renewSession } from './sessions.ts'

const { warned, perUser, perProject } = limits.accessTokens
const activeAdmin = { needs: 'admin', onlyActive: true } as const

export const sessionCalls = {
  async refreshSession({ input: { subscriptionId }, visit }, services) {
    return renewSession(visit, services, async ({ user, session }, services) => {
      const shown = subscriptionId && (await findShown(subscriptionId, user.id, session, services))
      return shown ? { subscription: shown } : {}
    })
  },

  async signOut({ user, visit }, { store, now }) {
    const { id } = user.session
    // Locks the user's row before the session's row, in the same order as an account deletion.
    await Promise.all([
      store.users.hold(user.uid),
      store.sessions.end({ id }),
      store.actionCodes.endAllOfSession({ id, userId: user.uid }, now()),
    ])
    visit.forgetRefreshToken()
    return {}
  },

  async listSessions({ user }, { store }) {
    const sessions = await store.sessions.listOf(user.uid)
    return {
      sessions: sessions.map(({ id, signedInAt, usedAt, address, userAgent }) => ({
        id,
        created: seconds(signedInAt),
        last_used: seconds(usedAt),
        address,
        user_agent: userAgent,
        is_current: id === user.session.id,
      })),
    }
  },

  async revokeSession({ input, user, visit }, services) {
    const { store, now } = services
    const { sessionId } = input
    // Locks the user's row before the session's row, in the same order as an account deletion.
    const [renewed, isEnded] = await Promise.all([
      // The session's browser may have leave to skip the second step.
      user.hasSecondStep ? store.users.renewCredentials(user.uid) : store.users.hold(user.uid),
      store.sessions.endOf(user.uid, sessionId),
    ])
    if (!isEnded) throw new Refusal('sessionNotFound')
    if (typeof renewed === 'object') keepKnownDevice(renewed, visit, services)
    await store.actionCodes.endAllOfSession({ id: sessionId, userId: user.uid }, now())
    if (sessionId === user.session.id) visit.forgetRefreshToken()
    return {}
  },

  async revokeOtherSessions({ user, visit }, services) {
    const row = await endFormerAccess(user.uid, services, { keepSession: user.session.id })
    keepKnownDevice(row, visit, services)
    return {}
  },

  async listAccessTokens({ input: { subscriptionId }, user, subscription }, services) {
    const { accessTokens } = services.store
    if (subscriptionId === undefined) return { accessTokens: await accessTokens.listOf(user.uid) }
    requireAccess({ needs: 'admin' }, user, subscription, services)
    return { accessTokens: await accessTokens.listIn(subscriptionId) }
  },

  async createAccessToken({ input, user, subscription }, services) {
    const { name, access, subscriptionId = null } = input
    const { store, now } = services
    if (subscriptionId !== null) requireAccess(activeAdmin, user, subscription, services)
    const row = await lockRecent(user, services)
    const expiresAt = requireExpiry(input.expires, limits.accessTokens, now())
    const accessToken = { id: newId(), name, access, userId: row.id, subscriptionId }
    const token = newAccessToken()
    const isEndTold = after(now(), warned) >= expiresAt
    const times = { createdAt: now(), expiresAt, isEndTold }
    await store.accessTokens.add({ ...accessToken, ...times, token, sessionId: user.session.id })
    const change = { kind: 'tokenCreated', token: name } as const
    const [listed] = await Promise.all([
      requireRoom(accessToken, services),
      mailCode(row, 'secureAccount', { change }, services),
      recordOf('Created', accessToken, user, services),
    ])
    return { token, accessToken: listed }
  },

  async revokeAccessToken({ input: { accessTokenId: id }, user }, services) {
    const { accessTokens } = services.store
    const found = await accessTokens.find(id)
    const isOwn = found?.userId === user.uid
    if (!found || !(isOwn || (await isOfAdmin(found, user, services))))
      throw new Refusal('accessTokenNotFound')
    if (!(await accessTokens.remove({ id }))) throw new Refusal('accessTokenNotFound')
    await recordOf('Revoked', found, user, services)
    return {}
  },
} satisfies Partial<Handlers>

/** The project with its people, if the user may see it in this session. */
async function findShown(
  id: string,
  userId: string,
  { secondStepAt }: Pick<Passing, 'secondStepAt'>,
  { store, now }: Services,
) {
  const viewer = { userId, admins: adminPermissions }
  const subscription = await store.subscriptions.findOpened(id, viewer)
  const passing = { secondStepAt, now: now() }
  return whyNot({ needs: 'member' }, userId, subscription, passing) ? undefined : subscription
}

type Token = CurrentToken & { userId: string }

/** The new token as lists show it. Refuses if its maker or its project now has too many. */
async function requireRoom({ id, userId, subscriptionId }: Token, { store, now }: Services) {
  const [own, ofProject] = await Promise.all([
    store.accessTokens.listOf(userId),
    subscriptionId === null ? [] : store.accessTokens.listIn(subscriptionId),
  ])
  const isValid = ({ expires }: AccessToken) => expires > seconds(now())
  if (own.filter(isValid).length > perUser || ofProject.filter(isValid).length > perProject)
    throw new Refusal('tooManyAccessTokens')
  return own.find((one) => one.id === id)!
}

/** Whether the user administers the token's project, in this session. */
async function isOfAdmin({ subscriptionId: id }: Token, user: CurrentUser, services: Services) {
  if (id === null) return false
  const { subscriptions } = services.store
  const [, subscription] = await Promise.all([
    subscriptions.lock({ id }),
    subscriptions.findForWrite({ id, userId: user.uid, otherId: undefined }),
  ])
  const passing = { secondStepAt: user.session.secondStepAt, now: services.now() }
  return whyNot({ needs: 'admin' }, user.uid, subscription, passing) === undefined
}

async function recordOf(
  what: 'Created' | 'Revoked',
  { name, subscriptionId }: Token,
  by: CurrentUser,
  services: Services,
) {
  const details = { made: name }
  if (subscriptionId === null) await record(`ownToken${what}`, { by, details }, services)
  else await record(`token${what}`, { by, in: subscriptionId, details }, services)
}
