import type { Subscription } from '#contract/entities.ts'
import { projectName } from '#contract/project-name.ts'
import type { CurrentUser } from '../core/handle.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Services } from '../core/services.ts'
import type { Store } from '../store/store.ts'

/** The invite, if it is this person's to answer: only their verified address proves that. */
export async function inviteFor(user: CurrentUser, inviteId: string, store: Store) {
  requireVerified(user)
  const invite = await store.invites.find(inviteId)
  if (!invite || invite.email !== user.email) throw new Refusal('inviteNotFound')
  return invite
}

/** Somebody with an unverified address can't invite, and can't be invited under that address. */
export function requireVerified(user: CurrentUser) {
  if (!user.emailVerified) throw new Refusal('emailNotVerified')
}

/** The invite, if it is one to this project. */
export async function inviteOf(subscriptionId: string, inviteId: string, store: Store) {
  const invite = await store.invites.find(inviteId)
  if (invite?.subscription_id !== subscriptionId) throw new Refusal('inviteNotFound')
  return { email: invite.email, name: await store.invites.nameIn(inviteId) }
}

type Sent = { email: string; name: string | null; code: string; expiresAt: Date }
type By = { subscription: Subscription; user: CurrentUser }

/**
 * Mails an invitation, which its recipient did not ask for: so every one is counted for its sender, and for the mailbox it goes to unless
 * the two know each other. Meant to come last, so that what is refused for another reason is not counted.
 */
export async function mailInvite(sent: Sent, by: By, services: Services) {
  const { rateLimits, store } = services
  const { uid } = by.user
  const isKnown = await store.invites.isKnown(sent.email, uid)
  const mail = () => addMail(sent, by, services)
  await rateLimits.limitSuccesses('invitesByAccount', uid, () =>
    isKnown
      ? mail()
      : rateLimits.limitSuccesses('invitesByStrangers', mailboxOf(sent.email), mail, 'inviteeBusy'),
  )
}

/** Whatever follows a plus sign, a mail comes to the same person. */
function mailboxOf(email: string) {
  return email.replace(/\+[^@]*(?=@)/, '')
}

/** In the invitee's language if it is known, else in that of whoever invites them. */
async function addMail(
  { email, name, code, expiresAt }: Sent,
  { subscription, user }: By,
  { store, jobs }: Services,
) {
  const invitee = await store.users.findByEmail(email)
  await jobs.add('sendMail', {
    mail: 'invitation',
    to: email,
    language: invitee?.language ?? user.language,
    values: {
      name: name ?? invitee?.displayName ?? null,
      code,
      host: user.displayName,
      project: projectName(subscription.settings),
      expires: expiresAt.toISOString(),
    },
  })
}
