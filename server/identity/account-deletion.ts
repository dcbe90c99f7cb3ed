import { projectName } from '#contract/project-name.ts'
import { record } from '../activity/record.ts'
import type { Services } from '../core/services.ts'
import { Refusal } from '../platform/refusal.ts'
import type { BillingRow } from '../store/billing.ts'

/**
 * Deletes an account with everything in it, within the caller's transaction. Refused while it owns
 * active subscriptions. The refusal lists them only with `sessionId`, the owner's own session; it
 * must not have ended. False if the account is gone already.
 */
export async function endAccount(id: string, services: Services, sessionId?: string) {
  const { store, identity, jobs } = services
  const left = await store.subscriptions.lockAllOf(id)
  // From here until the row is gone, no subscription can be transferred to this user.
  const user = await store.users.lock(id)
  if (!user) return false
  if (sessionId && !(await store.sessions.hold(sessionId))) throw new Refusal('sessionEnded')
  // No purchase begins to charge from here on. One that was paid for just now is active.
  const unpaid = await store.billing.lockIncompleteOf(id)
  const owned = await store.billing.listActiveOf(id)
  const projects = owned.map(({ id, settings }) => ({ id, name: projectName(settings) }))
  if (owned.length > 0) throw new Refusal('ownsActiveProjects', sessionId ? { projects } : {})
  await undoPurchases(unpaid, services)
  // Nothing is charged to the cards of a deleted account.
  for (const { card } of await store.cards.listOf(id))
    await jobs.add('removeCard', { subscriptionId: card.subscriptionId, cardId: card.id })
  await store.subscriptions.disown(id)
  for (const subscriptionId of left)
    await record('memberLeft', { by: user, in: subscriptionId }, services)
  await store.activity.forget(user)
  // The database deletes its sessions, memberships, links and codes with it.
  await store.users.remove(id)
  await identity.deleteUser(id)
  const { email: to, language, displayName: name } = user
  await jobs.add('sendMail', { mail: 'accountDeleted', to, language, values: { name } })
  return true
}

/** Undoes unpaid purchases. Refused while one of them is being charged. */
async function undoPurchases(unpaid: BillingRow[], { jobs, now }: Services) {
  for (const { id, billingLeaseUntil } of unpaid) {
    if (billingLeaseUntil !== null && billingLeaseUntil > now()) throw new Refusal('billingBusy')
    await jobs.add('recoverPurchase', { subscriptionId: id })
  }
}
