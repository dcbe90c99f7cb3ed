import { limits } from '#config/limits.ts'
import { allPermissions, holds, isAdmin } from '#contract/access.ts'
import type { NoticeKind } from '#contract/notices.ts'
import { projectName } from '#contract/project-name.ts'
import type { MailOrder } from '../mails/mails.ts'
import type { Notice } from './jobs.ts'
import type { Services } from './services.ts'

type Doer = { displayName: string } & ({ uid: string } | { id: string })
type Wanted = { to: string; by: Doer | undefined; in: string }

/** Others can cause any number of these. */
const limited = new Set<NoticeKind>([
  'roleChanged',
  'invitationAccepted',
  'joinRequested',
  'joinAccepted',
])

/** Whose reader has to be a member still, or an administrator. */
const toMember = new Set<NoticeKind>(['roleChanged', 'joinAccepted'])
const toAdmin = new Set<NoticeKind>(['invitationAccepted', 'joinRequested'])

/** Mails a person what somebody else did. Who did it themselves gets no mail. */
export async function mailNotice(
  kind: NoticeKind,
  { to, by, in: subscriptionId }: Wanted,
  { jobs }: Pick<Services, 'jobs'>,
) {
  if (by && ('uid' in by ? by.uid : by.id) === to) return
  const notice = { kind, to, subscriptionId, by: by?.displayName ?? null }
  if (limited.has(kind))
    await jobs.addWithin(['noticesByAccount', `${to} ${kind}`], 'sendNoticeMail', notice)
  else await jobs.add('sendNoticeMail', notice)
}

/**
 * The mail with what is true when it leaves, to the address of that time. Undefined if its reader
 * has switched it off or has no account any more, or no part in what it tells.
 */
export async function orderOfNotice(
  { kind, to: userId, subscriptionId, by }: Notice,
  { store }: Pick<Services, 'store'>,
): Promise<MailOrder | undefined> {
  const [user, subscription] = await Promise.all([
    store.users.find(userId),
    store.subscriptions.findForWrite({ id: subscriptionId, userId, otherId: undefined }),
  ])
  if (!user?.claimed || !subscription || user.notices[kind] === false) return undefined
  const permissions = allPermissions.filter((key) => holds(subscription, userId, key))
  if (toMember.has(kind) && permissions.length === 0) return undefined
  if (toAdmin.has(kind) && !isAdmin(subscription, userId)) return undefined
  if (kind === 'joinRequested') {
    const open = await store.joinRequests.listOpen(subscriptionId, limits.joining.listed)
    if (!open.some(({ name }) => name === by)) return undefined
  }
  const project = projectName(subscription.settings)
  const values = { name: user.displayName, project, subscriptionId, by, permissions }
  return { mail: kind, to: user.email, language: user.language, values }
}
