import { makesAdmin, findPlan } from '#contract/access.ts'
import type { PermissionKey } from '#config/permissions.ts'
import { tidyAddress } from '#contract/mail-address.ts'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { StartError } from '../../server/platform/start-error.ts'
import { firebaseHash, type FirebaseHashing } from '../../server/providers/identity/moved-hashes.ts'
import type { WrittenFile } from './people-file.ts'

// Turns what fireact keeps at Firebase into the file of an import: see docs/moving-here.md.

const text = z.nullish(z.string())

/** `firebase auth:export users.json` */
const authExport = z.object({
  users: z.array(
    z.object({
      localId: z.string(),
      email: text,
      emailVerified: z.nullish(z.boolean()),
      displayName: text,
      photoUrl: text,
      disabled: z.nullish(z.boolean()),
      /** Milliseconds since 1970, in digits. */
      createdAt: text,
      passwordHash: text,
      salt: text,
      providerUserInfo: z.nullish(z.array(z.object({ providerId: z.string(), rawId: text }))),
    }),
  ),
})

/** How firebase-admin writes a time as JSON. */
const time = z.nullish(z.object({ _seconds: z.number() }))

/** The collections of fireact, each by the ids of its documents. */
const firestore = z.object({
  users: z.record(z.string(), z.object({ display_name: text, avatar_url: text })),
  subscriptions: z.record(
    z.string(),
    z.object({
      owner_id: z.string(),
      plan_id: z.string(),
      /** Stripe's. */
      status: z.string(),
      stripe_subscription_id: text,
      creation_time: time,
      settings: z.nullish(z.record(z.string(), z.unknown())),
      permissions: z.record(z.string(), z.nullish(z.array(z.string()))),
    }),
  ),
  invites: z.record(
    z.string(),
    z.object({
      email: z.string(),
      subscription_id: z.string(),
      host_uid: text,
      status: z.string(),
      create_time: time,
      permissions: z.array(z.string()),
    }),
  ),
})

type AuthUser = z.output<typeof authExport>['users'][number]
type Firestore = z.output<typeof firestore>
type Project = NonNullable<WrittenFile['projects']>[number]
type LeaveOut = (what: string, why: string) => void

/** The export has no others: people who come from those are known by their verified address. */
const providers: Record<string, string> = {
  'google.com': 'google',
  'facebook.com': 'facebook',
  'github.com': 'github',
  'twitter.com': 'twitter',
}

/** `plans`: our plan for one of fireact’s; by default the one with the same id. */
export async function readFireact(folder: string, plans: Map<string, string>) {
  const { users } = await readJson(join(folder, 'users.json'), authExport)
  const data = await readJson(join(folder, 'firestore.json'), firestore)
  const hashing = await readHashing(join(folder, 'hash.txt'))
  const leftOut: string[] = []
  const leaveOut: LeaveOut = (what, why) => void leftOut.push(`${what}: ${why}`)
  const people = users.flatMap((user) => personOf(user, data, hashing, leaveOut))
  const emails = new Map(people.map(({ id, email }) => [id, tidyAddress(email)]))
  const projects = Object.entries(data.subscriptions).flatMap(([id, subscription]) =>
    projectOf({ id, ...subscription }, { data, emails, plans }, leaveOut),
  )
  return { file: { users: people, projects }, leftOut }
}

function personOf(
  user: AuthUser,
  { users }: Firestore,
  hashing: FirebaseHashing | undefined,
  leaveOut: LeaveOut,
) {
  const { localId: id, email, passwordHash: hash, salt, createdAt } = user
  if (!email) {
    leaveOut(`user ${id}`, 'has no e-mail address')
    return []
  }
  const displayName = users[id]?.display_name ?? user.displayName
  const avatarUrl = users[id]?.avatar_url ?? user.photoUrl
  return [
    {
      id,
      email,
      emailVerified: user.emailVerified ?? false,
      ...(displayName && { displayName }),
      ...(avatarUrl?.startsWith('https://') && { avatarUrl }),
      ...(user.disabled && { disabled: true }),
      ...(createdAt && { created: new Date(Number(createdAt)).toISOString() }),
      ...(hash && salt && hashing && { passwordHash: firebaseHash({ hash, salt }, hashing) }),
      providers: (user.providerUserInfo ?? []).flatMap(({ providerId, rawId }) => {
        const provider = providers[providerId]
        return provider && rawId ? [{ provider, subject: rawId }] : []
      }),
    },
  ]
}

type Around = { data: Firestore; emails: Map<string, string>; plans: Map<string, string> }

function projectOf(
  subscription: Firestore['subscriptions'][string] & { id: string },
  { data, emails, plans }: Around,
  leaveOut: LeaveOut,
): Project[] {
  const { id, owner_id: ownerId, status, settings, creation_time: created } = subscription
  if (status.startsWith('incomplete')) {
    leaveOut(`project ${id}`, 'was never paid')
    return []
  }
  if (!emails.has(ownerId)) {
    leaveOut(`project ${id}`, `its owner ${ownerId} is not in users.json`)
    return []
  }
  const planId = plans.get(subscription.plan_id) ?? subscription.plan_id
  const isActive = status !== 'canceled'
  const isPaid = isActive && findPlan(planId)?.free !== true
  const members = membersOf(subscription, emails, leaveOut)
  return [
    {
      id,
      ownerId,
      planId,
      status: isActive ? 'active' : 'canceled',
      // What is in them, the import checks against config/settings.ts.
      ...(settings?.['name'] ? { settings: settings as Project['settings'] } : {}),
      ...(created && { created: timeOf(created) }),
      ...(isPaid && { stripeSubscriptionId: subscription.stripe_subscription_id ?? id }),
      members,
      invites: isActive ? invitesOf({ id, ownerId, members }, { data, emails }) : [],
    },
  ]
}

/** fireact lists the people of each permission, we list the permissions of each person. */
function membersOf(
  { id, permissions }: Pick<Firestore['subscriptions'][string], 'permissions'> & { id: string },
  emails: Map<string, string>,
  leaveOut: LeaveOut,
) {
  const held = new Map<string, PermissionKey[]>()
  for (const [key, userIds] of Object.entries(permissions))
    for (const userId of new Set(userIds ?? []))
      // Which permissions there are, the import checks against config/permissions.ts.
      held.set(userId, [...(held.get(userId) ?? []), key as PermissionKey])
  return Array.from(held, ([userId, permissions]) => ({ userId, permissions })).filter(
    ({ userId }) => {
      if (!emails.has(userId)) leaveOut(`member ${userId} of ${id}`, 'is not in users.json')
      return emails.has(userId)
    },
  )
}

/** The pending ones. If the host may not invite any more, the owner is the host. */
function invitesOf(
  { id, ownerId, members }: Pick<Project, 'id' | 'ownerId'> & Required<Pick<Project, 'members'>>,
  { data, emails }: Pick<Around, 'data' | 'emails'>,
) {
  const there = new Set(members.map(({ userId }) => emails.get(userId)))
  const admins = members.filter(({ permissions }) => makesAdmin(permissions))
  return Object.values(data.invites)
    .filter(({ subscription_id, status }) => subscription_id === id && status === 'pending')
    .flatMap(({ email: written, permissions, host_uid: host, create_time: created }) => {
      const email = tidyAddress(written)
      if (there.has(email)) return []
      there.add(email)
      const isAdmin = admins.some(({ userId }) => userId === host)
      return [
        {
          email,
          permissions: permissions as PermissionKey[],
          hostId: isAdmin ? host! : ownerId,
          ...(created && { created: timeOf(created) }),
        },
      ]
    })
}

function timeOf({ _seconds: seconds }: { _seconds: number }) {
  return new Date(seconds * 1000).toISOString()
}

async function readJson<Schema extends z.ZodMiniType>(path: string, schema: Schema) {
  const written = await readFile(path, 'utf8').catch((error: { code?: string }) => {
    throw new StartError(`${path} can’t be read (${error.code}).`)
  })
  try {
    return schema.parse(JSON.parse(written))
  } catch (error) {
    const [issue] = error instanceof z.core.$ZodError ? error.issues : []
    const place = issue && `: ${issue.path.join('.')}`
    throw new StartError(`${path} has another form than docs/moving-here.md says${place ?? ''}.`)
  }
}

/** The password hash parameters as Firebase’s console shows them; undefined without the file. */
async function readHashing(path: string): Promise<FirebaseHashing | undefined> {
  const written = await readFile(path, 'utf8').catch(() => undefined)
  if (written === undefined) return undefined
  const valueOf = (name: string) => {
    const [, value] = new RegExp(`\\b${name}:\\s*([\\w+/=-]+)`).exec(written) ?? []
    if (value === undefined) throw new StartError(`${path} has no ${name}.`)
    return value
  }
  if (valueOf('algorithm') !== 'SCRYPT')
    throw new StartError(`${path} names another algorithm than Firebase’s SCRYPT.`)
  return {
    signerKey: valueOf('base64_signer_key'),
    saltSeparator: valueOf('base64_salt_separator'),
    rounds: Number(valueOf('rounds')),
    memoryCost: Number(valueOf('mem_cost')),
  }
}
