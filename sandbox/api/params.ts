import { z } from 'zod'
import { invalid, missingParam, type StripeFailure } from '../rules/errors.ts'
import { nameOf, type Form } from './form.ts'

export const text = z.string().min(1)
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true')
export const whole = z
  .string()
  .regex(/^-?\d{1,15}$/, { error: 'Invalid integer' })
  .transform(Number)
export const decimal = z
  .string()
  .regex(/^\d+(\.\d+)?$/, { error: 'Invalid decimal' })
  .transform(Number)
export const currency = z
  .string()
  .regex(/^[a-z]{3}$/i)
  .transform((code) => code.toLowerCase())
export const email = z.string().regex(/^[^\s@]+@[^\s@]+$/, { error: 'Invalid email address' })

/** A parameter whose empty string means null, which removes the value. */
export function clearable<T extends z.ZodType>(of: T) {
  return z.preprocess((value) => (value === '' ? null : value), of.nullable())
}

export function list<T extends z.ZodType>(of: T) {
  return z.preprocess(
    (value) => (typeof value === 'object' && value !== null ? Object.values(value) : value),
    z.array(of),
  )
}

export const metadata = clearable(z.record(z.string(), z.string())).optional()
export const expand = list(text).optional()

const optionalText = clearable(text).optional()
export const address = z.strictObject({
  city: optionalText,
  country: clearable(z.string().length(2)).optional(),
  line1: optionalText,
  line2: optionalText,
  postal_code: optionalText,
  state: optionalText,
})

export type Metadata = Record<string, string>

/** Metadata after a change. An empty value removes its key, and `change: null` removes all keys. */
export function mergedMetadata(
  before: Metadata | null,
  change: Metadata | null | undefined,
): Metadata {
  if (change === null) return {}
  return Object.fromEntries(
    Object.entries({ ...before, ...change }).filter(([, value]) => value !== ''),
  )
}

export function readParams<T>(schema: z.ZodType<T>, form: Form): T {
  const read = schema.safeParse(form)
  if (read.success) return read.data
  throw refusalOf(read.error.issues, form)
}

function refusalOf(issues: z.core.$ZodIssue[], form: Form): StripeFailure {
  const issue = issues.find((each) => each.code === 'unrecognized_keys') ?? issues[0]
  if (!issue) return invalid('Invalid request.')
  if (issue.code === 'unrecognized_keys') {
    const [param = '', ...more] = issue.keys.map((key) => nameOf([...issue.path, key]))
    return invalid(
      `Received unknown parameter${more.length ? 's' : ''}: ${[param, ...more].join(', ')}`,
      {
        code: 'parameter_unknown',
        param,
      },
    )
  }
  const param = nameOf(issue.path)
  const value = valueAt(form, issue.path)
  if (value === undefined) return missingParam(param)
  if (value === '')
    return invalid(
      `You passed an empty string for '${param}'. We assume empty values are an attempt to unset a parameter; however '${param}' cannot be unset. You should remove '${param}' from your request or supply a non-empty value.`,
      { code: 'parameter_invalid_empty', param },
    )
  if (issue.message === 'Invalid integer')
    return invalid(`Invalid integer: ${JSON.stringify(value)}`, {
      code: 'parameter_invalid_integer',
      param,
    })
  if (issue.message === 'Invalid email address')
    return invalid(`Invalid email address: ${JSON.stringify(value)}`, {
      code: 'email_invalid',
      param,
    })
  if (issue.code === 'invalid_value')
    return invalid(`Invalid ${param}: must be one of ${inWords(issue.values.map(String))}`, {
      param,
    })
  return invalid(`Invalid ${param}: ${issue.message}`, { param })
}

/** The values as a list in words: `draft, open, or void`. */
function inWords(values: string[]): string {
  if (values.length < 3) return values.join(' or ')
  return `${values.slice(0, -1).join(', ')}, or ${values.at(-1)}`
}

function valueAt(form: unknown, path: PropertyKey[]): unknown {
  return path.reduce(
    (at, step) =>
      typeof at === 'object' && at !== null
        ? (at as Record<PropertyKey, unknown>)[step]
        : undefined,
    form,
  )
}
