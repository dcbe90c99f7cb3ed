import { adminPermissions, whyNot, type Passing } from '#contract/access.ts'
import type { Handlers, Services } from '../core/services.ts'
import { Refusal } from '../platform/refusal.ts'
import { seconds } from '../platform/time.ts'
import { endFormerAccess } from './credentials.ts'
import { keepKnownDevice } from './devices.ts'
import { renewSession } from './sessions.ts'

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
