import { limits } from '#config/limits.ts'
import { valuesOf } from '../../server/billing/sync.ts'
import type { Services } from '../../server/core/services.ts'
import { newId, newToken } from '../../server/platform/ids.ts'
import { StartError } from '../../server/platform/start-error.ts'
import { after } from '../../server/platform/time.ts'
import type { Move, NewProject } from './check.ts'

/** How many people or projects are sent to the database together. */
const together = 200

/** Adds people and projects, without a mail to anybody. Callers run it in one transaction. */
export async function writeMove({ users, projects }: Move, services: Services) {
  await each(users, (user) => addUser(user, services))
  const hashes = users.flatMap(({ id: userId, passwordHash: hash }) =>
    hash === undefined ? [] : [{ userId, hash }],
  )
  for (const some of inParts(hashes)) await services.identity.keepHashes!(some)
  await each(projects, (project) => addProject(project, services))
}

async function addUser(user: Move['users'][number], { store, now }: Services) {
  const { id, email, emailVerified, displayName, avatarUrl = null, language = null } = user
  const since = { now: user.created ?? now() }
  const row = { id, email, emailVerified, displayName, avatarUrl, language, ...since }
  if (!(await store.users.add({ ...row, claimed: emailVerified })))
    throw new StartError(
      `Somebody has just signed up as ${email}. Nothing was written: run it again.`,
    )
  if (user.disabled) await store.users.setDisabled({ id, disabled: true, now: now() })
  for (const { provider, subject } of user.providers)
    await store.providerLinks.add({ provider, subject, userId: id, email, ...since })
}

async function addProject(project: NewProject, { store, jobs, now }: Services) {
  const { id, ownerId, planId, status, settings = {}, paidBy } = project
  const created = project.created ?? now()
  const [owner, ...others] = project.members
  const { permissions } = owner!
  const row = { id, ownerId, planId, status: 'active', permissions, now: created } as const
  if (!(await store.subscriptions.add(row)))
    throw new StartError(`There is a project ${id} by now. Nothing was written: run it again.`)
  await store.billing.update(id, { settings, ...(paidBy && valuesOf(paidBy)) })
  for (const member of others)
    await store.members.add({ ...member, subscriptionId: id, now: created })
  for (const { name = null, hostId = ownerId, created: sent = now(), ...invite } of project.invites)
    await store.invites.add({
      id: newId(),
      subscriptionId: id,
      code: newToken(),
      email: invite.email,
      permissions: invite.permissions,
      name,
      hostId,
      now: sent,
      expiresAt: invite.expires ?? after(now(), limits.invites.live),
    })
  if (status === 'canceled') await store.subscriptions.cancel(id)
  if (paidBy) await jobs.add('adoptProviderSubscription', { subscriptionId: id })
}

async function each<Item>(items: Item[], act: (item: Item) => Promise<void>) {
  for (const some of inParts(items)) await Promise.all(some.map(act))
}

function inParts<Item>(items: Item[]) {
  return Array.from({ length: Math.ceil(items.length / together) }, (_, part) =>
    items.slice(part * together, (part + 1) * together),
  )
}
