import { lengths, metadataLimits, usualLength } from '../rules/limits.ts'
import { invalid } from '../rules/errors.ts'
import { nameOf, type Form } from './form.ts'

/** Refuses values that are too long for the call at `path`, such as `/customers/:id`. */
export function refuseTooLong(path: string, form: Form) {
  refuseIn(path.split('/')[1] ?? '', form, [])
}

function refuseIn(resource: string, form: Form, above: string[]) {
  for (const [name, value] of Object.entries(form)) {
    const path = [...above, name]
    if (typeof value === 'string') refuseText(resource, value, path)
    else if (name === 'metadata') refuseMetadata(value, nameOf(path))
    else refuseIn(resource, value, path)
  }
}

function refuseText(resource: string, value: string, path: string[]) {
  const parameter = nameOf(path.map((step) => (/^\d+$/.test(step) ? '*' : step)))
  const { most } = lengths.find((each) => each.of === `${resource} ${parameter}`) ?? usualLength
  if (lengthOf(value) <= most) return
  const message = `Invalid string: ${shortened(value)}; must be at most ${most} characters`
  throw invalid(message, { param: nameOf(path) })
}

function refuseMetadata(value: Form, param: string) {
  const { keys, key: longestKey, value: longestValue } = metadataLimits
  const entries = Object.entries(value)
  if (entries.length > keys)
    throw invalid(`Metadata can have up to ${keys} keys, but you've set ${entries.length}.`, {
      param,
    })
  const refuse = (what: string, text: string, most: number) => {
    if (lengthOf(text) <= most) return
    const said = `Metadata ${what}s can have up to ${most} characters, but you passed in a ${what} that is ${lengthOf(text)} characters.`
    throw invalid(said, { param })
  }
  for (const [key, kept] of entries) {
    refuse('key', key, longestKey)
    if (typeof kept === 'string') refuse('value', kept, longestValue)
  }
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
