import { z } from 'zod'
import { declines } from '../cards/test-cards.ts'
import type { CardProblem } from '../rules/errors.ts'
import type { Runner } from '../store/tx.ts'

/** The outcomes that can be forced on charges. `processing` succeeds after half a day. */
export const outcomes = [
  ...(Object.keys(declines) as (keyof typeof declines)[]),
  'processing',
] as const

/** The faults that can be set. Setting a group gives its other settings their defaults. */
export const groups = {
  charges: z.strictObject({
    /** How many of the next charges have the outcome `code`. */
    fail: z.int().min(0).max(1000).default(0),
    code: z.enum(outcomes).default('generic_decline'),
    /** The id of the customer whose charges are affected, or null for all customers. */
    customer: z.string().nullable().default(null),
  }),
  webhooks: z.strictObject({
    mode: z.enum(['deliver', 'hold', 'drop']).default('deliver'),
    /** How many times each webhook is delivered. */
    copies: z.int().min(1).max(10).default(1),
  }),
  api: z.strictObject({
    /** How long each answer is delayed, in milliseconds. */
    delay: z.int().min(0).max(600_000).default(0),
    fault: z
      .union([z.literal([401, 403, 409, 429, 500]), z.enum(['expired', 'locked', 'break'])])
      .nullable()
      .default(null),
    /** Whether it happens before a request's work, or after it, when only the answer is lost. */
    at: z.enum(['before', 'after']).default('before'),
    /** How many requests succeed before the fault begins. */
    skip: z.int().min(0).max(1000).default(0),
    /** How many requests have the fault after that, or null for all. */
    times: z.int().min(1).max(1000).nullable().default(null),
  }),
}
const stored = z.object({
  charges: groups.charges.prefault({}),
  webhooks: groups.webhooks.prefault({}),
  api: groups.api.prefault({}),
})

export type Settings = z.output<typeof stored>
export type SettingsChange = { [Group in keyof Settings]?: Settings[Group] | undefined }

export const normal: Settings = stored.parse({})

/** The current settings. Their counts are those that are left. */
export async function readSettings(runner: Runner): Promise<Settings> {
  const { rows } = await runner.query<{ settings: unknown; charges: string; requests: string }>(
    `select settings, ${used('failed_charges')} as charges, ${used('failed_requests')} as requests from sandbox.control`,
  )
  const { charges, webhooks, api } = stored.parse(rows[0]?.settings)
  const fail = Math.max(0, charges.fail - Number(rows[0]?.charges))
  const passed = Number(rows[0]?.requests)
  const skip = Math.max(0, api.skip - passed)
  const times = api.times && Math.max(0, api.times - Math.max(0, passed - api.skip))
  return {
    charges: { ...charges, fail },
    webhooks,
    api: times === 0 ? { ...api, fault: null, skip, times: null } : { ...api, skip, times },
  }
}

export async function changeSettings(runner: Runner, { charges, webhooks, api }: SettingsChange) {
  await runner.query('update sandbox.control set settings = settings || $1', [
    JSON.stringify({ charges, webhooks, api }),
  ])
  if (charges) await runner.query(`select setval('sandbox.failed_charges', 1, false)`)
  if (api) await runner.query(`select setval('sandbox.failed_requests', 1, false)`)
}

/** Counts a charge or request and returns whether it must fail. No rollback undoes a sequence. */
export async function consumeFailure(runner: Runner, of: 'charges' | 'requests'): Promise<boolean> {
  const [first, most] =
    of === 'charges'
      ? ['0', counted('{charges,fail}')]
      : [counted('{api,skip}'), counted('{api,times}')]
  const { rows } = await runner.query<{ taken: boolean }>(
    `with taken as (select nextval('sandbox.failed_${of}') as number)
     select number > coalesce(${first}, 0) and number <= coalesce(${first}, 0) + ${most} is not false as taken from taken, sandbox.control`,
  )
  return rows[0]?.taken ?? false
}

/** The outcome that the control settings force on a charge of this customer, if any. */
export async function forcedOutcome(
  runner: Runner,
  of: string,
): Promise<CardProblem | 'processing' | undefined> {
  const { fail, code, customer } = (await readSettings(runner)).charges
  if (!fail || (customer && customer !== of)) return undefined
  return (await consumeFailure(runner, 'charges'))
    ? code === 'processing'
      ? code
      : declines[code]
    : undefined
}

function counted(path: string): string {
  return `(settings#>>'${path}')::bigint`
}

function used(sequence: string): string {
  return `(select case when is_called then last_value else 0 end from sandbox.${sequence})`
}
