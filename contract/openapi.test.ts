import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { inputFor } from '../tests/inputs.ts'
import { newId } from '../server/platform/ids.ts'
import { calls, type CallName } from './calls.ts'
import { describeApi, schemaNamesOf, type Schema } from './openapi.ts'

const api = describeApi('1.0.0')
const { schemas } = api.components
const names = Object.keys(calls) as CallName[]
const ajv = new Ajv2020({ strict: false, validateFormats: false })

test('every field of every input and answer has a sentence', () => {
  const silent = Object.entries(schemas).flatMap(([name, schema]) => fieldsWithout(schema, name))
  expect(silent).toEqual([])
})

test('clients in other languages can read every pattern', () => {
  expect(JSON.stringify(schemas)).not.toContain(String.raw`\\p{`)
})

/** The names of settings are the product's own, with a label in locales/. */
function fieldsWithout({ properties = {}, items, anyOf = [] }: Schema, path: string): string[] {
  const inner = [items, ...anyOf].flatMap((one) => (one ? fieldsWithout(one, path) : []))
  if (path.endsWith('.settings')) return []
  const own = Object.entries(properties).flatMap(([name, field]) => {
    const names = field.items?.$ref ?? field.$ref
    const silent = field.description || names ? [] : [`${path}.${name}`]
    return [...silent, ...fieldsWithout(field, `${path}.${name}`)]
  })
  return [...own, ...inner]
}

test.each(names)('the server takes of %s what its schema in the document takes', (name) => {
  const takes = ajv.compile(schemas[schemaNamesOf(name).input]!)
  const sample = inputFor(name, newId()) as Record<string, unknown>
  const inputs = [sample, ...wrongOnes(sample, Object.keys(calls[name].input.def.shape))]
  const differing = inputs.filter(
    (input) => calls[name].input.safeParse(input).success !== takes(input),
  )
  expect(differing).toEqual([])
})

/** The input with a field left out, added, or of each wrong kind. */
function wrongOnes(input: Record<string, unknown>, fields: string[]) {
  const values = [7, -1, 1.5, true, null, '', 'x'.repeat(30_000), 'a\u0000b', [], [7], {}, { a: 1 }]
  return [
    { ...input, unheardOf: 1 },
    ...fields.map((field) => ({ ...input, [field]: undefined })),
    ...fields.flatMap((field) => values.map((value) => ({ ...input, [field]: value }))),
  ].map((wrong) => JSON.parse(JSON.stringify(wrong)) as Record<string, unknown>)
}
