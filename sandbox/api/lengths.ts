import { lengths, metadataLimits, usualLength } from '../rules/limits.ts'
import { invalid, type StripeFailure } from '../rules/errors.ts'
import { nameOf, type Form, type FormValue } from './form.ts'

/** Refuses values that are too long for the call at `path`, such as `/customers/:id`. */
export function refuseTooLong(path: string, form: Form) {
  const problem = findTooLong(path.split('/')[1] ?? '', form, [])
  if (problem) throw problem
}

function findTooLong(resource: string, form: Form, above: string[]): StripeFailure | undefined {
  for (const [name, value] of Object.entries(form)) {
    const path = [...above, name]
    const problem =
      name === 'metadata' ? metadataProblem(value, path) : problemOf(resource, value, path)
    if (problem) return problem
  }
  return undefined
}

function problemOf(resource: string, value: FormValue, path: string[]): StripeFailure | undefined {
  if (typeof value !== 'string') return findTooLong(resource, value, path)
  const parameter = nameOf(path.map((step) => (/^\d+$/.test(step) ? '*' : step)))
  const { most } = lengths.find((each) => each.of === `${resource} ${parameter}`) ?? usualLength
  if (lengthOf(value) <= most) return undefined
  return invalid(`Invalid string: ${shortened(value)}; must be at most ${most} characters`, {
    param: nameOf(path),
  })
}

function metadataProblem(value: FormValue, path: string[]): StripeFailure | undefined {
  if (typeof value === 'string') return undefined
  const { keys, key: longestKey, value: longestValue } = metadataLimits
  const param = nameOf(path)
  const entries = Object.entries(value)
  if (entries.length > keys)
    return invalid(`Metadata can have up to ${keys} keys, but you've set ${entries.length}.`, {
      param,
    })
  const said = (what: string, most: number, length: number) =>
    `Metadata ${what}s can have up to ${most} characters, but you passed in a ${what} that is ${length} characters.`
  for (const [key, kept] of entries) {
    if (lengthOf(key) > longestKey)
      return invalid(said('key', longestKey, lengthOf(key)), { param })
    if (typeof kept === 'string' && lengthOf(kept) > longestValue)
      return invalid(said('value', longestValue, lengthOf(kept)), { param })
  }
  return undefined
}

/** The number of Unicode characters, not of UTF-16 units. */
function lengthOf(text: string): number {
  return Array.from(text).length
}

/** The value, shortened as in Stripe's errors. */
function shortened(value: string): string {
  const characters = Array.from(value)
  return `${characters.slice(0, 10).join('')}...${characters.slice(-10).join('')}`
}
