import type { LanguageCode } from '#config/languages.ts'
import { limits } from '#config/limits.ts'
import { allPermissions, holds, isAdmin } from '#contract/access.ts'
import { isChosen, notices, type ChosenKind, type NoticeKind } from '#contract/notices.ts'
import { offersWay } from '#contract/modules.ts'
import { projectName } from '#contract/project-name.ts'
import { contentOf, type MailOrder, type ModuleMails } from '../mails/mails.ts'
import type { User } from '../store/users.ts'
import type { JobPayloads, Notice } from './jobs.ts'
import type { Try } from './rate-limits.ts'
import type { Services, Told } from './services.ts'

/** A row of contract/notices.ts, or a mail of a module, which always comes. */
type Kind = NoticeKind | keyof ModuleMails

type Doer = { displayName: string } & ({ uid: string } | { id: string })
type Done = { subscriptionId: string; by: Doer | undefined }
type Addressee = Pick<User, 'id' | 'email' | 'displayName' | 'language'>
type PersonOf<Name extends Kind> = Name extends ChosenKind ? { id: string } : Addressee

/** What the mail says beside its reader's name. Of chosen kinds, the rest is looked up when it leaves. */
type DataOf<Name extends Kind> = Name extends ChosenKind
  ? Done
  : Omit<Extract<MailOrder, { mail: Name }>['values'], 'name'>

/**
 * Tells a person something about a project: by mail as the person wants it, and through the modules
 * that show notices. Who did it themselves is not told. Runs in the transaction of what it tells.
 */
export async function tell<Name extends Kind>(
  person: PersonOf<Name>,
  kind: Name,
  data: DataOf<Name>,
  services: Services,
) {
  const { id: to } = person
  const subscriptionId = projectOf(data)
  const limit = limitOf(kind, to, subscriptionId)
  if (isChosen(kind)) {
    const { by } = data as Done
    if (by && ('uid' in by ? by.uid : by.id) === to) return
    const values = { subscriptionId: subscriptionId!, by: by?.displayName ?? null }
    await Promise.all([
      mail('sendNoticeMail', { kind, to, ...values }, limit, services),
      hand({ kind, to, subscriptionId, values }, services),
    ])
    return
  }
  const { email, displayName: name, language } = person as Addressee
  const order = { mail: kind, to: email, language, values: { ...data, name } } as MailOrder
  await Promise.all([
    mail('sendMail', order, limit, services),
    hand({ kind, to, subscriptionId, values: data }, services),
  ])
}

/** A token that ends names its project, or none, in `of`. */
function projectOf(data: object) {
  const { of = null, subscriptionId = of } = data as {
    of?: string | null
    subscriptionId?: string | null
  }
  return subscriptionId
}

/** Whose reader has to be a member still, or an administrator. */
const toMember = new Set<NoticeKind>(['roleChanged', 'joinAccepted'])
const toAdmin = new Set<NoticeKind>(['invitationAccepted', 'joinRequested'])

/** Others can cause any number of these. */
function limitOf(kind: Kind, to: string, subscriptionId: string | null): Try | undefined {
  switch (kind) {
    case 'roleChanged':
    case 'invitationAccepted':
    case 'joinRequested':
    case 'joinAccepted':
    case 'ownershipOffered':
    case 'ownershipDeclined':
      return ['noticesByAccount', `${to} ${kind}`]
    case 'secondFactorRequired':
    case 'secondFactorNotRequired':
      return ['secondFactorMailsByMember', `${to} ${subscriptionId} ${kind}`]
    default:
      return undefined
  }
}

async function mail<Name extends 'sendMail' | 'sendNoticeMail'>(
  name: Name,
  payload: JobPayloads[Name],
  limit: Try | undefined,
  { jobs }: Services,
) {
  await (limit ? jobs.addWithin(limit, name, payload) : jobs.add(name, payload))
}

async function hand(told: Omit<Told, 'at'>, services: Services) {
  const at = services.now()
  for (const [, hooks] of services.modules.hooks) await hooks.told?.({ ...told, at }, services)
}

/**
 * The mail with what is true when it leaves, to the address of that time. Undefined if its reader
 * does not want it, has no account any more, or no part in what it tells.
 */
export async function orderOfNotice(
  { kind, to: userId, subscriptionId, by }: Notice,
  { store }: Pick<Services, 'store'>,
): Promise<MailOrder | undefined> {
  const [user, subscription] = await Promise.all([
    store.users.find(userId),
    store.subscriptions.findForWrite({ id: subscriptionId, userId, otherId: undefined }),
  ])
  if (!user?.claimed || !subscription) return undefined
  if (user.notices[kind] === false || isInDigest(user, kind)) return undefined
  const permissions = allPermissions.filter((key) => holds(subscription, userId, key))
  if (toMember.has(kind) && permissions.length === 0) return undefined
  if (toAdmin.has(kind) && !isAdmin(subscription, userId)) return undefined
  if (kind === 'joinRequested') {
    const open = await store.joinRequests.listOpen(subscriptionId, limits.joining.listed)
    if (!open.some((request) => request.name === by)) return undefined
  }
  const { email: to, language, displayName: name } = user
  const project = projectName(subscription.settings)
  const values = { name, project, subscriptionId, by, permissions }
  return { mail: kind, to, language, values, stop: { user: userId, kind } }
}

function isInDigest({ noticeWays }: User, kind: ChosenKind) {
  return offersWay('digest') && noticeWays[kind]?.digest === true
}

type Shown = { kind: string; values: object; language: LanguageCode | null }

/** A notice in one line, and the path that it leads to. Undefined if what tells it is switched off. */
export async function lineOf({ kind, values, language }: Shown, { modules }: Services) {
  if (!Object.hasOwn(notices, kind) && !Object.hasOwn(modules.mails, kind)) return undefined
  const complete = { name: null, permissions: [], ...values }
  const order = { mail: kind, values: complete, language } as unknown as MailOrder
  const { subject, link } = await contentOf(order, '', modules.mails)
  return { title: subject, path: link }
}
