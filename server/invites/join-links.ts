import { limits } from '#config/limits.ts'
import { permissions } from '#config/permissions.ts'
import { projectName } from '#contract/project-name.ts'
import { record } from '../activity/record.ts'
import { requireExpiry } from '../core/expiry.ts'
import { tell } from '../core/notices.ts'
import type { Handlers, Services, Visit } from '../core/services.ts'
import { refuseGuess } from '../identity/action-codes.ts'
import { newToken } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import { seconds } from '../platform/time.ts'
import { admit, holdAccount, requireClaimed } from './joining.ts'

/** Of a code, in bytes. Administrators show it as a QR code, which is coarser for a short one. */
const codeLength = 16

export const joinLinkCalls = {
  async createJoinLink({ input, subscription: { id: subscriptionId }, user }, services) {
    requireClaimed(user)
    const { store, secrets, now } = services
    const { permissions, uses: usesLeft = null } = input
    const code = newToken(codeLength)
    const link = {
      subscriptionId,
      hostId: user.uid,
      code,
      sealed: secrets.seal('join link', code),
      permissions,
      usesLeft,
      expiresAt: requireExpiry(input.expires, limits.joining, now()),
    }
    const entry = { by: user, in: subscriptionId, details: { permissions } }
    await Promise.all([store.joinLinks.put(link), record('joinLinkCreated', entry, services)])
    return { code }
  },

  async getJoinLink({ subscription: { id } }, { store, secrets }) {
    const link = await store.joinLinks.find(id)
    if (!link) return { link: null }
    return {
      link: {
        code: secrets.open('join link', link.code) ?? null,
        permissions: link.permissions,
        uses_left: link.usesLeft,
        host_name: link.host,
        expires: seconds(link.expiresAt),
      },
    }
  },

  async revokeJoinLink({ subscription: { id }, user }, services) {
    if (await services.store.joinLinks.remove(id))
      await record('joinLinkRevoked', { by: user, in: id }, services)
    return {}
  },

  async checkJoinLink({ input: { code }, visit }, services) {
    const link = await find(code, visit, services)
    requireWorking(link, services)
    const { settings, host: host_name, permissions } = link
    return { subscription_name: projectName(settings), host_name, permissions }
  },

  /** A member gets the same answer, even by a link that was good for one person. */
  async joinByLink({ input: { code }, user, visit }, services) {
    requireClaimed(user)
    const { store, now } = services
    const { uid: id, displayName } = user
    const { subscriptionId } = await find(code, visit, services)
    const [, , link, coming] = await Promise.all([
      store.subscriptions.lock({ id: subscriptionId }),
      holdAccount(id, services),
      store.joinLinks.findByCode(code),
      store.invites.findComing({ subscriptionId, userId: id, now: now() }),
    ])
    if (!link || !coming) throw new Refusal('inviteNotFound')
    if (coming.isMember) return { subscriptionId }
    requireWorking(link, services)
    if (coming.wasRemoved && !coming.invitedAs) throw new Refusal('joinRefused')
    const joined = { by: { id, displayName }, in: subscriptionId }
    // A permission may have been configured to make administrators since the link was made.
    const given = link.permissions.filter((key) => !permissions[key]?.admin)
    await admit(coming, { ...joined, permissions: given, way: 'link' }, services)
    await Promise.all([
      store.joinLinks.countUse(subscriptionId),
      coming.invitedBy !== link.hostId &&
        tell(
          { id: link.hostId },
          'invitationAccepted',
          { by: joined.by, subscriptionId },
          services,
        ),
    ])
    return { subscriptionId }
  },
} satisfies Partial<Handlers>

async function find(code: string, visit: Visit, services: Services) {
  const link = await services.store.joinLinks.findByCode(code)
  return link ?? refuseGuess('inviteNotFound', visit, services)
}

type Link = Awaited<ReturnType<typeof find>>

function requireWorking({ usesLeft, expiresAt }: Link, { now }: Services) {
  if (expiresAt <= now()) throw new Refusal('inviteExpired')
  if (usesLeft === 0) throw new Refusal('inviteNotFound')
}
