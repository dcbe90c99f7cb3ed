import { limits } from '#config/limits.ts'
import { projectName } from '#contract/project-name.ts'
import { record } from '../activity/record.ts'
import { keepUses } from '../core/once.ts'
import { countMail } from '../core/mailboxes.ts'
import type { CurrentUser, Services } from '../core/services.ts'
import { isRefusal, Refusal } from '../platform/refusal.ts'
import { after } from '../platform/time.ts'
import type { BillingRow } from '../store/billing.ts'
import type { User } from '../store/users.ts'
import { endTokensAndLinks } from '../tokens/ending.ts'
import { mailCode } from './action-codes.ts'
import { endAccess, requireRecentFor } from './credentials.ts'
import { giveBack } from './ways-back.ts'

type Wanted = {
  /** The owner, if they delete the account themselves. */
  caller?: CurrentUser
  /** Deletes the account only if it was rejected before this time, and not claimed since. */
  rejectedBefore?: Date
}

/**
 * Deletes an account within the caller's transaction; false if there is none. Refuses while it
 * owns active subscriptions, and names them if the owner calls.
 */
export async function endAccount(
  id: string,
  services: Services,
  { caller, rejectedBefore }: Wanted = {},
) {
  const { store, identity, jobs, now } = services
  const left = await store.subscriptions.lockAllOf(id)
  // This lock keeps others from transferring a subscription to the user until the row is deleted.
  const [user, isHeld, invites] = await Promise.all([
    store.users.lock(id),
    !caller || store.sessions.hold(caller.session.id),
    store.invites.lockOfHost({ hostId: id, subscriptionId: null }),
  ])
  if (!user) return false
  if (rejectedBefore && !(user.rejectedAt && user.rejectedAt < rejectedBefore)) return false
  if (!isHeld) throw new Refusal('sessionEnded')
  if (caller) requireRecentFor(user, caller, services)
  // From here on, no unpaid purchase is charged. One that was just paid is among the active.
  const unpaid = await store.billing.lockIncompleteOf(id)
  const owned = await store.billing.listActiveOf(id)
  const projects = owned.map(({ id, settings }) => ({ id, name: projectName(settings) }))
  if (owned.length > 0) throw new Refusal('ownsActiveProjects', caller ? { projects } : {})
  await undoPurchases(unpaid, services)
  // Removes the user's cards, so that nothing is charged to them after the deletion.
  const cards = await store.cards.listOf(id)
  await Promise.all([
    ...cards.map((card) =>
      jobs.add('removeCard', { subscriptionId: card.subscriptionId, cardId: card.id }),
    ),
    store.subscriptions.disown(user),
    endTokensAndLinks(id, services),
    ...left.map((subscriptionId) =>
      record('memberLeft', { by: user, in: subscriptionId }, services),
    ),
    // Nobody may join by the word of somebody who is gone.
    ...invites.flatMap(({ id: inviteId, email: to, subscriptionId }) => [
      store.invites.end({ id: inviteId, status: 'revoked', now: now() }),
      record('inviteRevoked', { by: user, to, in: subscriptionId }, services),
    ]),
  ])
  if (user.claimed)
    for (const { subscription_id } of await store.invites.listOpenFor(user.email, now()))
      await record('inviteRejected', { by: user, to: user.email, in: subscription_id }, services)
  for (const [, { endAccount }] of services.modules.hooks) await endAccount?.(id, services)
  await Promise.all([
    store.activity.forget(user),
    keepUses({ uid: id, email: user.claimed ? user.email : undefined }, services),
  ])
  // Invites to an address that the user has not proved are another person's.
  if (user.claimed) await store.invites.forget({ email: user.email, now: now() })
  // The database deletes sessions, memberships, provider links and action codes with the row.
  await Promise.all([
    store.users.remove({ id }),
    store.refusedMails.forget({ address: user.email }),
  ])
  await identity.deleteUser(id)
  const { email: to, language, displayName: name } = user
  if (user.claimed || !(await countMail(to, id, services)))
    await jobs.add('sendMail', { mail: 'accountDeleted', to, language, values: { name } })
  return true
}

/** Adds jobs that undo unpaid purchases. Refuses while one of them is being charged. */
async function undoPurchases(unpaid: BillingRow[], { jobs, now }: Services) {
  for (const { id, billingLeaseUntil } of unpaid) {
    if (billingLeaseUntil !== null && billingLeaseUntil > now()) throw new Refusal('billingBusy')
    await jobs.add('recoverPurchase', { subscriptionId: id })
  }
}

/**
 * Locks an account that the owner of its address did not create. It is deleted later, so that a
 * mistake or a stolen link costs nothing. The caller has locked the user's row.
 */
export async function rejectAccount(user: User, services: Services) {
  const { store, now } = services
  if (user.claimed) throw new Refusal('auth/invalid-action-code')
  if (user.rejectedAt !== null) return {}
  if (await giveBack(user, services)) return { returned: true } as const
  const owned = await store.billing.listActiveOf(user.id)
  if (owned.length > 0) throw new Refusal('ownsActiveProjects')
  await endAccess(user, services)
  const life = limits.rejectedAccount
  const options = { life, mail: 'accountRejected', isNeeded: () => true } as const
  await Promise.all([
    store.users.reject({ id: user.id, now: now() }),
    mailCode(user, 'resetPassword', {}, services, options),
  ])
  return {}
}

/** Deletes the accounts whose time to be claimed is over. */
export async function deleteRejected(services: Services) {
  const before = after(services.now(), -limits.rejectedAccount)
  for (const id of await services.store.users.listRejected(before))
    await services
      .transaction((services) => endAccount(id, services, { rejectedBefore: before }))
      .catch((error: unknown) => {
        // Somebody has made it the owner of a project meanwhile. Nobody can sign in to it.
        if (!isRefusal(error, 'ownsActiveProjects')) throw error
      })
}
