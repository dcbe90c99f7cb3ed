import { adminPermissions, whyNot } from '#contract/access.ts'
import type { Handlers } from '../core/services.ts'
import { Refusal } from '../platform/refusal.ts'
import { seconds } from '../platform/time.ts'
import { endFormerAccess } from './credentials.ts'
import { rememberDevice } from './devices.ts'
import { renewSession } from './sessions.ts'

export const sessionCalls = {
  async refreshSession({ input: { subscriptionId }, visit }, services) {
    const renewed = await renewSession(visit, services)
    if (subscriptionId === undefined) return renewed
    const subscription = await services.store.subscriptions.find(subscriptionId)
    const isHidden = whyNot({ needs: 'member' }, renewed.user.uid, subscription)
    if (isHidden || !subscription) return renewed
    const viewer = { userId: renewed.user.uid, admins: adminPermissions }
    const people = await services.store.subscriptions.listPeople(subscriptionId, viewer)
    return { ...renewed, subscription: { ...subscription, people } }
  },

  async signOut({ user, visit }, { store }) {
    // Locks the user's row before the session's row, in the same order as an account deletion.
    await store.users.hold(user.uid)
    await store.sessions.end(user.session.id)
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
    await store.users.hold(user.uid)
    if (!(await store.sessions.endOf(user.uid, sessionId))) throw new Refusal('sessionNotFound')
    await store.actionCodes.endAllOfSession({ id: sessionId, userId: user.uid }, now())
    if (sessionId === user.session.id) visit.forgetRefreshToken()
    return {}
  },

  async revokeOtherSessions({ user, visit }, services) {
    const row = await endFormerAccess(user.uid, services, { keepSession: user.session.id })
    rememberDevice(row, visit, services)
    return {}
  },
} satisfies Partial<Handlers>
