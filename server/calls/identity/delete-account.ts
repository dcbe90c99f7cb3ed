import { projectName } from '#contract/project-name.ts'
import { requireRecentSignIn } from '../../account-security.ts'
import { person, record } from '../../activity.ts'
import { handle } from '../../handle.ts'
import { Refusal } from '../../refusal.ts'
import type { Store } from '../../store/store.ts'

export const deleteAccount = handle('deleteAccount', async ({ input: { confirmationId }, user, visit }, services) => {
  if (confirmationId !== user.uid) throw new Refusal('confirmationMismatch')
  requireRecentSignIn(user, services)
  await services.transaction(async (services) => {
    const { store, identity } = services
    const left = await store.subscriptions.lockAllOf(user.uid)
    await refuseOwner(user.uid, store)
    await store.subscriptions.disown(user.uid)
    for (const id of left) await record('memberLeft', { by: person(user), in: id }, services)
    await store.activity.forget({ id: user.uid, email: user.email })
    // Sessions, memberships, links and codes go with the row. A project that was handed over meanwhile keeps it from going.
    if (!(await store.users.remove(user.uid))) await refuseOwner(user.uid, store)
    await identity.deleteUser(user.uid)
  })
  visit.forgetRefreshToken()
  return {}
})

async function refuseOwner(uid: string, store: Store) {
  const owned = await store.subscriptions.listUnendedOf(uid)
  if (owned.length === 0) return
  throw new Refusal('ownsActiveProjects', { projects: owned.map(({ id, settings }) => ({ id, name: projectName(settings) })) })
}
