import type { CallRow } from '#contract/calls.ts'
import { refusals, type Reason } from '#contract/refusals.ts'
import type { $ZodIssue } from 'zod/v4/core'
import { Refusal } from '../platform/refusal.ts'

/** The input as the row's schema reads it. The refusal names each wrong field. */
export function parseInput({ input }: CallRow, data: unknown): Record<string, unknown> {
  const parsed = input.safeParse(data ?? {})
  if (parsed.success) return parsed.data
  const { issues } = parsed.error
  const fields = Object.fromEntries(issues.flatMap((issue) => wrongFields(issue, data)))
  const own = issues.find(({ message }) => isReason(message))
  if (!own) throw new Refusal('invalidInput', { fields })
  // Params say more: what a password lacks.
  throw new Refusal(own.message as Reason, { ...(own.code === 'custom' && own.params), fields })
}

function isReason(message: string): message is Reason {
  return Object.hasOwn(refusals, message)
}

/** Wrong fields by dotted path, each with `unknown`, `required`, its own reason or zod's code. */
function wrongFields(issue: $ZodIssue, data: unknown): [string, string][] {
  const path = issue.path.join('.')
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => [path ? `${path}.${key}` : key, 'unknown'])
  if (isEmpty(valueAt(data, issue.path))) return [[path, 'required']]
  return [[path, isReason(issue.message) ? issue.message : issue.code]]
}

function valueAt(data: unknown, path: PropertyKey[]) {
  return path.reduce(
    (value, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key],
    data,
  )
}

function isEmpty(value: unknown) {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
}
