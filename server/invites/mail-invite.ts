import type { Subscription } from '#contract/entities.ts'
import { projectName } from '#contract/project-name.ts'
import type { CurrentUser, Services } from '../core/services.ts'

type Sent = { email: string; name: string | null; code: string; expiresAt: Date }
type By = { subscription: Subscription; user: CurrentUser }

/**
 * Mails an invitation. Nobody asked for it, so it counts against the sender's limit and, if sender
 * and invitee don't know each other, against the mailbox's. Comes last in a call, so that what is
 * refused for another reason is not counted.
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

/** Addresses that differ after a plus sign belong to one mailbox. */
function mailboxOf(email: string) {
  return email.replace(/\+[^@]*(?=@)/, '')
}

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
