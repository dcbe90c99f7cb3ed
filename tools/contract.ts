// Part of npm run check: names what clients of the last release's /openapi.json would notice. Only a
// major version may have that (docs/upgrading.md), so before a release `--strict` refuses it, and
// `--release` then keeps the contract as the released one.
import { readFileSync, writeFileSync } from 'node:fs'
import { callsOf, describeApi, schemaNamesOf, type Schema } from '../contract/openapi.ts'

type Field = { types: string[]; isRequired: boolean }
/** Fields by their path, such as `users[].email`. */
type Fields = Record<string, Field>
export type Call = { needs: unknown; input: Fields; answer: Fields }
type Contract = { version: string; calls: Record<string, Call>; reasons: Record<string, string> }

const file = new URL('../contract/released.json', import.meta.url)

/** The part of the document that clients depend on. */
export function contractOf(version: string): Contract {
  const api = describeApi(version)
  const { schemas, examples } = api.components
  return {
    version,
    calls: Object.fromEntries(
      callsOf(api).map((call) => {
        const names = schemaNamesOf(call.operationId)
        const fields = (type: string) => fieldsOf(schemas[type]!, schemas)
        const needs = call['x-needs']
        return [
          call.operationId,
          { needs, input: fields(names.input), answer: fields(names.answer) },
        ]
      }),
    ),
    reasons: Object.fromEntries(
      Object.values(examples).map(({ value: { error } }) => [error.details.reason, error.status]),
    ),
  }
}

function fieldsOf(schema: Schema, schemas: Record<string, Schema>, path = ''): Fields {
  const { $ref, properties = {}, required = [], items, anyOf = [] } = schema
  if ($ref) return fieldsOf(schemas[$ref.split('/').at(-1)!]!, schemas, path)
  const inner = [...anyOf, ...(items ? [items] : [])]
  const below = items ? `${path}[]` : path
  const own = Object.entries(properties).map(([name, field]): Fields => {
    const place = path ? `${path}.${name}` : name
    const types = typesOf(field, schemas).toSorted()
    return {
      [place]: { types, isRequired: required.includes(name) },
      ...fieldsOf(field, schemas, place),
    }
  })
  return Object.assign({}, ...own, ...inner.map((one) => fieldsOf(one, schemas, below))) as Fields
}

function typesOf(schema: Schema, schemas: Record<string, Schema>): string[] {
  const { $ref, type, anyOf, enum: values, const: constant } = schema
  if ($ref) return typesOf(schemas[$ref.split('/').at(-1)!]!, schemas)
  if (anyOf) return [...new Set(anyOf.flatMap((one) => typesOf(one, schemas)))]
  if (values) return values.map((value) => JSON.stringify(value))
  return constant === undefined ? [type ?? 'anything'].flat() : [JSON.stringify(constant)]
}

/** What a client of the former contract notices, a line each. */
export function breaking(former: Contract, now: Contract) {
  const ofCalls = Object.entries(former.calls).flatMap(([name, call]) => {
    const next = now.calls[name]
    if (!next) return [`${name} is gone`]
    return [
      ...(JSON.stringify(call.needs) === JSON.stringify(next.needs) || next.needs === 'anyone'
        ? []
        : [`${name} is for others`]),
      ...ofInput(call.input, next.input).map((change) => `${name}: ${change}`),
      ...ofAnswer(call.answer, next.answer).map((change) => `${name}: ${change}`),
    ]
  })
  const ofReasons = Object.entries(former.reasons).flatMap(([reason, status]) =>
    status === (now.reasons[reason] ?? status) ? [] : [`${reason} has another status`],
  )
  return [...ofCalls, ...ofReasons]
}

function ofInput(former: Fields, now: Fields) {
  const gone = Object.entries(former).flatMap(([path, { types }]) => {
    const next = now[path]
    if (!next) return [`${path} is not taken any more`]
    const refused = types.filter((type) => !covers(next.types, type))
    return refused.map((type) => `${path} does not take ${type} any more`)
  })
  const needed = Object.entries(now).flatMap(([path, { isRequired }]) => {
    // A field of an object that is new, too, is needed only with that object.
    const isInside = Object.keys(now).some((one) => !former[one] && path.startsWith(`${one}.`))
    return isRequired && !former[path]?.isRequired && !isInside ? [`${path} is required`] : []
  })
  return [...gone, ...needed]
}

function ofAnswer(former: Fields, now: Fields) {
  return Object.entries(former).flatMap(([path, { types, isRequired }]) => {
    const next = now[path]
    if (!next) return [`${path} is not answered any more`]
    const added = next.types.filter((type) => !covers(types, type) && !isValue(type))
    return [
      ...added.map((type) => `${path} may be ${type}`),
      ...(isRequired && !next.isRequired ? [`${path} may be missing`] : []),
    ]
  })
}

/** Whether one of these types has the other one, or the value, in it. */
function covers(types: string[], type: string) {
  return types.includes(type) || (type.startsWith('"') && types.includes('string'))
}

/** Clients have to expect further values of a list of words, such as a new kind of activity. */
function isValue(type: string) {
  return type.startsWith('"')
}

if (import.meta.main) {
  const [option] = process.argv.slice(2)
  const { version } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  ) as { version: string }
  const now = contractOf(version)
  if (option === '--release') {
    writeFileSync(file, `${JSON.stringify(now)}\n`)
  } else {
    const former = JSON.parse(readFileSync(file, 'utf8')) as Contract
    const changes = breaking(former, now)
    const isMajor = majorOf(version) > majorOf(former.version)
    for (const change of changes) console.log(change)
    console.log(`contract: ${changes.length || 'no'} breaking changes since ${former.version}`)
    process.exitCode = option === '--strict' && changes.length > 0 && !isMajor ? 1 : 0
  }
}

function majorOf(version: string) {
  return Number(version.split('.')[0])
}
