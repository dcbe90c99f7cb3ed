import { projectName } from '#contract/project-name.ts'
import { person, record } from './activity.ts'
import { Refusal } from './refusal.ts'
import type { Services } from './services.ts'
import type { Store } from './store/store.ts'

/** Whether a refusal names the projects that stand in the way: they are for the owner to read. */
type Options = { namesProjects: boolean }

/** Deletes an account and everything of it, in the transaction of the caller; refused while it owns projects. False if it is gone already. */
export async function endAccount(id: string, options: Options, services: Services) {
  const { store, identity, jobs } = services
  const left = await store.subscriptions.lockAllOf(id)
  // Until the row is gone, no project can be handed to it.
  await store.users.lock(id)
  const user = await store.users.find(id)
  if (!user) return false
  await refuseOwner(id, options, store)
  await store.subscriptions.disown(id)
  for (const project of left) await record('memberLeft', { by: person(user), in: project }, services)
  await store.activity.forget(user)
  // Sessions, memberships, links and codes go with it.
  await store.users.remove(id)
  await identity.deleteUser(id)
  await jobs.add('sendMail', { mail: 'accountDeleted', to: user.email, language: user.language, values: { name: user.displayName } })
  return true
}

async function refuseOwner(id: string, { namesProjects }: Options, store: Store) {
  const owned = await store.subscriptions.listUnendedOf(id)
  if (owned.length === 0) return
  const projects = owned.map(({ id, settings }) => ({ id, name: projectName(settings) }))
  throw new Refusal('ownsActiveProjects', namesProjects ? { projects } : {})
}
