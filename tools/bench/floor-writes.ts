import { hashOf, newId, newToken } from '../../server/platform/ids.ts'
import type { Ask, User } from './floor-statements.ts'

const seats = 50

/** The floor's writes: facts under the lock, a decision, and one statement that writes. */
export const writes = {
  async createInvite(ask: Ask, user: User, { subscriptionId, email, permissions }: Invite) {
    const project = await lock(ask, user, subscriptionId)
    const [facts] = await ask('factsForInvite', subscriptionId, email)
    check(!facts!['is_member'] && hasSeat(facts!))
    const [id, code] = [newId(), newToken()]
    const details = JSON.stringify({ permissions })
    const language = facts!['language'] ?? user.language
    const values = { code, host: user.display_name, project, permissions, expires: new Date() }
    const mail = JSON.stringify({ mail: 'invitation', to: email, language, values })
    const entry = [user.display_name, details] as const
    const row = [id, subscriptionId, email, permissions, user.id, hashOf(code)] as const
    await ask('addInvite', ...row, ...entry, mail)
    return { inviteId: id }
  },

  async updateSubscriptionSettings(ask: Ask, user: User, { subscriptionId, settings }: Settings) {
    await lock(ask, user, subscriptionId)
    const details = JSON.stringify({ fields: Object.keys(settings) })
    const by = [user.id, user.display_name] as const
    await ask('setSettings', subscriptionId, JSON.stringify(settings), ...by, details)
    return {}
  },

  async acceptInvite(ask: Ask, user: User, { inviteId }: { inviteId: string }) {
    const [project] = await ask('lockOfInvite', inviteId, user.email)
    check(project?.['status'] === 'active')
    const [facts] = await ask('factsForAccept', inviteId, user.id)
    check(facts!['status'] === 'pending' && !facts!['is_member'])
    check((facts!['expires_at'] as Date) > new Date() && hasSeat(facts!))
    const { permissions } = facts!
    const details = JSON.stringify({ permissions })
    const joined = [project!['id'], user.id, permissions] as const
    await ask('acceptInvite', inviteId, ...joined, user.display_name, details)
    return {}
  },

  async removeUser(ask: Ask, user: User, { subscriptionId, userId }: Member) {
    await lock(ask, user, subscriptionId)
    const [member] = await ask('member', subscriptionId, userId)
    check(member !== undefined)
    const by = [user.id, user.display_name] as const
    await ask('removeUser', subscriptionId, userId, ...by, member!['display_name'])
    return {}
  },

  async updateUserPermissions(ask: Ask, user: User, input: Member & { permissions: string[] }) {
    const { subscriptionId, userId, permissions } = input
    await lock(ask, user, subscriptionId)
    const [member] = await ask('member', subscriptionId, userId)
    check(member !== undefined)
    const details = JSON.stringify({ from: member!['permissions'], to: permissions })
    const entry = [user.id, user.display_name, member!['display_name']] as const
    await ask('setPermissions', subscriptionId, userId, ...entry, permissions, details)
    return {}
  },
}

type Invite = { subscriptionId: string; email: string; permissions: string[] }
type Settings = { subscriptionId: string; settings: Record<string, string> }
type Member = { subscriptionId: string; userId: string }

/** The project's name. The caller must be an administrator. */
async function lock(ask: Ask, { id }: User, subscriptionId: string) {
  const [row] = await ask('lock', subscriptionId, id)
  check(row!['status'] === 'active' && (row!['permissions'] as string[]).includes('admin'))
  return (row!['settings'] as { name: string }).name
}

function hasSeat({ members, pending }: Record<string, unknown>) {
  return Number(members) + Number(pending) <= seats
}

function check(isAllowed: boolean) {
  if (!isAllowed) throw new Error('refused')
}
