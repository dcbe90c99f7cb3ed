import type { PermissionKey } from '#config/permissions.ts'
import { settingsFields } from '#config/settings.ts'
import { openIdIssuers, signInProviders } from '#config/sign-in-providers.ts'
import { allPermissions } from '#contract/access.ts'
import { language } from '#contract/fields.ts'
import { mailAddress, tidyAddress } from '#contract/mail-address.ts'
import { tidyName } from '#contract/names.ts'
import { settingsSchema } from '#contract/settings.ts'
import { readFile } from 'node:fs/promises'
import * as z from 'zod/mini'
import english from 'zod/v4/locales/en.js'
import { StartError } from '../../server/platform/start-error.ts'
import { toStoredHash } from '../../server/providers/identity/moved-hashes.ts'

// The file that people and projects come in: docs/moving-here.md says what each field means.

const matching = (pattern: RegExp, problem: string) =>
  z.string().check(z.regex(pattern, { error: problem }))

/** Ids stay as they are: addresses of projects hold theirs, and operators’ names have a space. */
const userId = matching(/^[\w.:|@-]{1,64}$/, 'must be 1 to 64 letters, digits or . : | @ _ -')
const projectId = matching(/^[\w-]{1,64}$/, 'must be 1 to 64 letters, digits, _ or -')
const email = z
  .string()
  .check(z.overwrite(tidyAddress), z.regex(mailAddress, { error: 'must be an e-mail address' }))
const time = z.pipe(
  z.iso.datetime({ offset: true, error: 'must be a time like 2026-01-31T12:00:00Z' }),
  z.transform((text) => new Date(text)),
)
const name = z.pipe(
  z.string(),
  z.transform((text) => tidyName(text.replaceAll('\0', '').slice(0, 100).toWellFormed())),
)
const permissions = z.array(
  z.enum(allPermissions as [PermissionKey, ...PermissionKey[]], {
    error: `must be one of ${allPermissions.join(', ')}`,
  }),
)
const passwordHash = z.pipe(
  z.string(),
  z.transform((text, context) => {
    const moved = toStoredHash(text)
    if ('hash' in moved) return moved.hash
    context.issues.push({ code: 'custom', input: '', message: moved.problem })
    return z.NEVER
  }),
)
const providers = [...Object.keys(signInProviders), ...openIdIssuers] as [string, ...string[]]

const user = z.strictObject({
  id: userId,
  email,
  emailVerified: z.boolean(),
  displayName: z.optional(name),
  avatarUrl: z.optional(
    z
      .url({ protocol: /^https$/, error: 'must begin with https://' })
      .check(z.maxLength(2000, { error: 'must have at most 2000 characters' })),
  ),
  language: z.optional(language),
  disabled: z._default(z.boolean(), false),
  created: z.optional(time),
  passwordHash: z.optional(passwordHash),
  providers: z._default(
    z.array(
      z.strictObject({
        provider: z.enum(providers, { error: `must be one of ${providers.join(', ')}` }),
        subject: matching(/^[^\0]{1,255}$/su, 'must have 1 to 255 characters'),
      }),
    ),
    [],
  ),
})

const project = z.strictObject({
  id: projectId,
  ownerId: userId,
  planId: z.string(),
  status: z._default(
    z.enum(['active', 'canceled'], { error: 'must be active or canceled' }),
    'active',
  ),
  settings: z.optional(settingsSchema(settingsFields)),
  created: z.optional(time),
  stripeSubscriptionId: z.optional(matching(/^sub_\w+$/, 'must be an id of Stripe, sub_…')),
  members: z._default(z.array(z.strictObject({ userId, permissions })), []),
  invites: z._default(
    z.array(
      z.strictObject({
        email,
        permissions,
        name: z.optional(name),
        hostId: z.optional(userId),
        created: z.optional(time),
        expires: z.optional(time),
      }),
    ),
    [],
  ),
})

const peopleFile = z.strictObject({
  users: z._default(z.array(user), []),
  projects: z._default(z.array(project), []),
})

export type PeopleFile = z.output<typeof peopleFile>
export type MovedUser = PeopleFile['users'][number]
export type MovedProject = PeopleFile['projects'][number]

/** The file before it is read, as a program writes it. */
export type WrittenFile = z.input<typeof peopleFile>

/** Reads the file. What is wrong with single values comes as mistakes, each with its place. */
export async function readPeopleFile(
  path: string,
): Promise<{ file: PeopleFile } | { mistakes: string[] }> {
  const text = await readFile(path, 'utf8').catch((error: { code?: string }) => {
    throw new StartError(`${path} can’t be read (${error.code}).`)
  })
  const read = peopleFile.safeParse(parsed(text, path), { error: english().localeError })
  if (read.success) return { file: read.data }
  return { mistakes: read.error.issues.map((issue) => `${placeOf(issue.path)}: ${issue.message}`) }
}

/** Null counts as missing, because that is how a database writes it. */
function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text, (_, value: unknown) => value ?? undefined)
  } catch {
    throw new StartError(`${path} is not JSON.`)
  }
}

/** Like `projects[0].members[2].userId`. */
function placeOf(path: PropertyKey[]) {
  const place = path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
  return place.replace(/^\./, '') || 'the file'
}
