import type { Subscription } from '#contract/entities.ts'
import { projectName } from '#contract/project-name.ts'
import type { CurrentUser } from './handle.ts'
import { Refusal } from './refusal.ts'
import type { Services } from './services.ts'
import type { Store } from './store/store.ts'

/** The invite, if it is this person's to answer: only their verified address proves that. */
export async function inviteFor(user: CurrentUser, inviteId: string, store: Store) {
  if (!user.emailVerified) throw new Refusal('emailNotVerified')
  const invite = await store.invites.find(inviteId)
  if (!invite || invite.email !== user.email) throw new Refusal('inviteNotFound')
  return invite
}

/** Mails go to people who did not ask for them, so that there is a limit; what is refused sends none and is not counted. */
export function countInvite<Answer>(user: CurrentUser, { attempts }: Services, send: () => Promise<Answer>) {
  return attempts.countDone(user.emailVerified ? 'invitesByAccount' : 'invitesByUnverified', user.uid, send)
}

/** The invite, if it is one to this project. */
export async function inviteOf(subscriptionId: string, inviteId: string, store: Store) {
  const invite = await store.invites.find(inviteId)
  if (invite?.subscription_id !== subscriptionId) throw new Refusal('inviteNotFound')
  return { email: invite.email, name: await store.invites.nameIn(inviteId) }
}

type Sent = { email: string; name: string | null; code: string; expiresAt: Date }
type By = { subscription: Subscription; user: CurrentUser }

/** In the invitee's language if it is known, else in that of whoever invites them. */
export async function mailInvite({ email, name, code, expiresAt }: Sent, { subscription, user }: By, { store, jobs }: Services) {
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
