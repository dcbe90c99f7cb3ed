import { projectName } from '#contract/project-name.ts'
import { requireRecentSignIn } from '../../account-security.ts'
import { person, record } from '../../activity.ts'
import { handle } from '../../handle.ts'
import { Refusal } from '../../refusal.ts'
import type { Services } from '../../services.ts'
import type { Store } from '../../store/store.ts'

export const deleteAccount = handle('deleteAccount', async ({ input: { confirmationId }, user, visit }, services) => {
  if (confirmationId !== user.uid) throw new Refusal('confirmationMismatch')
  requireRecentSignIn(user, services)
  await services.transaction(async (services) => {
    const { store, identity } = services
    const left = await store.subscriptions.lockAllOf(user.uid)
    // From here on nothing can become theirs.
    if (!(await store.users.lock(user.uid)) || !(await store.sessions.hold(user.session.id))) throw new Refusal('sessionEnded')
    await refuseOwner(user.uid, store)
    await undoPurchases(user.uid, services)
    await store.subscriptions.disown(user.uid)
    for (const id of left) await record('memberLeft', { by: person(user), in: id }, services)
    await store.activity.forget({ id: user.uid, email: user.email })
    // Sessions, memberships, links and codes go with the row.
    await store.users.remove(user.uid)
    await identity.deleteUser(user.uid)
  })
  visit.forgetRefreshToken()
  return {}
})

async function refuseOwner(uid: string, store: Store) {
  const owned = await store.subscriptions.listActiveOf(uid)
  if (owned.length === 0) return
  throw new Refusal('ownsActiveProjects', { projects: owned.map(({ id, settings }) => ({ id, name: projectName(settings) })) })
}

/** A purchase that waits for its first payment is nobody's project yet; one that is being charged right now is waited for. */
async function undoPurchases(uid: string, { store, jobs, now }: Services) {
  for (const { id, turnUntil } of await store.billing.listIncompleteOf(uid)) {
    if (turnUntil !== null && turnUntil > now()) throw new Refusal('billingBusy')
    await jobs.add('settlePurchase', { subscriptionId: id })
  }
}
