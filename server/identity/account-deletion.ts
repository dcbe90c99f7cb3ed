import { projectName } from '#contract/project-name.ts'
import { person, record } from '../activity/activity.ts'
import type { CurrentUser } from '../core/handle.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Services } from '../core/services.ts'
import type { Store } from '../store/store.ts'

/** The owner, if it is they who ask. They read which projects stand in the way, and have to be signed in still. */
type Options = { owner?: CurrentUser }

/** Deletes an account and everything of it, in the transaction of the caller; refused while it owns projects. False if it is gone already. */
export async function endAccount(id: string, services: Services, { owner }: Options = {}) {
  const { store, identity, jobs } = services
  const left = await store.subscriptions.lockAllOf(id)
  // Until the row is gone, no project can be handed to it.
  const user = await store.users.lock(id)
  if (!user) return false
  if (owner && !(await store.sessions.hold(owner.session.id))) throw new Refusal('sessionEnded')
  await refuseOwnerOfProjects(id, { owner }, store)
  await undoPurchases(id, services)
  await removeCards(id, services)
  await store.subscriptions.disown(id)
  for (const project of left)
    await record('memberLeft', { by: person(user), in: project }, services)
  await store.activity.forget(user)
  // Sessions, memberships, links and codes go with it.
  await store.users.remove(id)
  await identity.deleteUser(id)
  await jobs.add('sendMail', {
    mail: 'accountDeleted',
    to: user.email,
    language: user.language,
    values: { name: user.displayName },
  })
  return true
}

async function refuseOwnerOfProjects(id: string, { owner }: Options, store: Store) {
  const owned = await store.subscriptions.listActiveOf(id)
  if (owned.length === 0) return
  const projects = owned.map(({ id, settings }) => ({ id, name: projectName(settings) }))
  throw new Refusal('ownsActiveProjects', owner ? { projects } : {})
}

/** A purchase that waits for its first payment is nobody's project yet; one that is being charged right now is waited for. */
async function undoPurchases(id: string, { store, jobs, now }: Services) {
  for (const { id: subscriptionId, billingLeaseUntil } of await store.billing.listIncompleteOf(
    id,
  )) {
    if (billingLeaseUntil !== null && billingLeaseUntil > now()) throw new Refusal('billingBusy')
    await jobs.add('recoverPurchase', { subscriptionId })
  }
}

/** Nobody goes on paying for others, or is charged, after they have gone. */
async function removeCards(id: string, { store, jobs }: Services) {
  for (const { card } of await store.cards.listOf(id))
    await jobs.add('removeCard', { subscriptionId: card.subscriptionId, cardId: card.id })
}
