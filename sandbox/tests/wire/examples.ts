import { readFileSync } from 'node:fs'

type Shape = string | Shape[] | { [key: string]: Shape }

const { shapes } = JSON.parse(
  readFileSync(new URL('./examples.json', import.meta.url), 'utf8'),
) as { shapes: Record<string, Shape> }

/** Fields that the public examples have and this API version lacks, each with its source. */
const removed: Record<string, string> = {
  'charge.refunds': 'https://docs.stripe.com/upgrades#2022-11-15: only where it is expanded',
  'credit_note.lines.data[].invoice_line_item':
    'the types of the SDK: only of lines that are about one of the invoice',
  'credit_note_line_item.invoice_line_item':
    'the types of the SDK: only of lines that are about one of the invoice',
  'invoice.subscription':
    'https://docs.stripe.com/changelog/basil/2025-03-31/adds-new-parent-field-to-invoicing-objects',
}

/** The fields of Stripe's public example that `json` lacks or has in another type, at any depth. */
export function differencesFromExamples(json: unknown): string[] {
  if (typeof json !== 'object' || json === null) return []
  const inside = Object.values(json).flatMap(differencesFromExamples)
  const kind = kindOf(json)
  if (kind === undefined || kind === 'list') return inside
  const shape = shapes[kind]
  return [
    ...(shape === undefined ? [`no example of ${kind}`] : differences(shape, json, kind)),
    ...inside,
  ]
}

export function kindOf({
  object,
  deleted,
}: {
  object?: unknown
  deleted?: unknown
}): string | undefined {
  if (typeof object !== 'string') return undefined
  return deleted === true ? `deleted_${object}` : object
}

function differences(shape: Shape, value: unknown, path: string): string[] {
  // The check against the SDK's types finds fields that must not be null.
  if (shape === 'null' || value === null || isExpanded(shape, value)) return []
  if (typeof value === 'string' && isObject(shape)) return []
  if (typeof shape === 'string')
    return typeof value === shape ? [] : [`${path}: ${typeof value} for ${shape}`]
  if (Array.isArray(shape)) return listDifferences(shape, value, path)
  if (typeof value !== 'object' || Array.isArray(value)) return [`${path}: no object`]
  return Object.entries(shape).flatMap(([key, each]) => {
    const at = `${path}.${key}`
    if (!(key in value)) return at in removed ? [] : [`${at} is missing`]
    return differences(each, (value as Record<string, unknown>)[key], at)
  })
}

function listDifferences([shape]: Shape[], value: unknown, path: string): string[] {
  if (!Array.isArray(value)) return [`${path}: no list`]
  return shape === undefined ? [] : value.flatMap((each) => differences(shape, each, `${path}[]`))
}

/** Whether the example has an expanded object, for which an answer may have its id. */
function isObject(shape: Shape): boolean {
  return typeof shape === 'object' && 'object' in shape
}

/** Whether the value is an expanded object where the example has an id. */
function isExpanded(shape: Shape, value: unknown): boolean {
  return shape === 'string' && typeof value === 'object' && value !== null && 'object' in value
}
