import { limits, rateLimits, readLimits } from '#config/limits.ts'
import { product } from '#config/product.ts'
import * as z from 'zod/mini'
import { areas } from './calls.ts'
import * as entities from './entities.ts'
import * as entries from './entries.ts'
import { contracts, on } from './modules.ts'
import { reasonsOf, takesKey } from './reasons-of.ts'
import { refusals, type Reason } from './refusals.ts'
import { httpStatus, type CallRow, type Needs, type NeedsPermission } from './rows.ts'

export type Schema = {
  $ref?: string
  type?: string | string[]
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  additionalProperties?: boolean | Schema
  [key: string]: unknown
}
export type Operation = ReturnType<typeof operationOf>
export type Document = ReturnType<typeof describeApi>

/** What /openapi.json says: the calls of the core and of the modules that are on, in OpenAPI 3.1. */
export function describeApi(version: string) {
  const rows = [
    ...Object.entries<Record<string, CallRow>>(areas),
    ...on.map((name) => [name, contracts[name].calls ?? {}] as const),
  ].filter(([, calls]) => Object.keys(calls).length > 0)
  const all = rows.flatMap(([, calls]) => Object.entries(calls))
  const sent = on.flatMap((name) => Object.entries(contracts[name].sends ?? {}))
  const reasons = [...new Set(all.flatMap(([, row]) => reasonsOf(row)))].toSorted()
  return {
    openapi: '3.1.1',
    info: {
      title: `${product.name} API`,
      version,
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: rows.map(([name]) => ({ name, description: `Calls about ${name}.` })),
    paths: {
      ...Object.fromEntries(
        rows.flatMap(([tag, calls]) =>
          Object.entries(calls).map(([name, row]) => [
            `/api/${name}`,
            { post: operationOf(name, row, tag) },
          ]),
        ),
      ),
      '/live': { get: live },
    } as Record<string, { post?: Operation; get?: typeof live }>,
    webhooks: Object.fromEntries(
      sent.map(([name, { text }]) => [name, { post: sendingOf(name, text) }]),
    ),
    components: {
      schemas: {
        ...inputsOf(all),
        ...answersOf(all, sent),
        WrongFields: wrongFields,
      } as Record<string, Schema>,
      examples: Object.fromEntries(reasons.map((reason) => [keyOf(reason), exampleOf(reason)])),
      parameters: { IdempotencyKey: idempotencyKey },
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An access token, or the `token` that a sign-in answers with.',
        },
      },
    },
  }
}

const introduction = `Every call is a POST of \`{"data": …}\` to \`/api/{name}\` with \`Content-Type: application/json\`, and is answered with \`{"result": …}\` or \`{"error": {status, message, details}}\`, whose \`details.reason\` says why. Unknown fields are refused; answers may get further fields in later versions. Times are whole seconds since 1970 or ISO 8601 in UTC, amounts of money are in minor units of their currency.`

function operationOf(name: string, row: CallRow, tag: string) {
  const refused = Object.groupBy(reasonsOf(row), (reason) => httpStatus[refusals[reason].status])
  const types = schemaNamesOf(name)
  return {
    operationId: name,
    tags: [tag],
    summary: summaryOf(row.text),
    description: `${row.text}\n\n${factsOf(row).join(' ')}`,
    'x-needs': row.needs,
    'x-effect': row.effect,
    'x-tokens': row.tokens ?? null,
    security: row.needs === 'anyone' ? [{}, { bearer: [] }] : [{ bearer: [] }],
    ...(takesKey(row) && { parameters: [{ $ref: '#/components/parameters/IdempotencyKey' }] }),
    requestBody: {
      required: true,
      content: asJson({ ...whole({ data: refTo(types.input) }), additionalProperties: false }),
    },
    responses: {
      200: {
        description: 'The call was made.',
        content: asJson(whole({ result: refTo(types.answer) })),
      },
      ...Object.fromEntries(
        Object.entries(refused).map(([status, reasons]) => [status, refusedWith(reasons)]),
      ),
    },
  }
}

function asJson<Described>(schema: Described) {
  return { 'application/json': { schema } }
}

/** An object that has all of these. */
function whole<Properties extends object>(properties: Properties) {
  return { type: 'object', properties, required: Object.keys(properties) }
}

/** The first sentence, without its dot. */
function summaryOf(text: string) {
  return /^.*?(?=\.(?: |$))/.exec(text)?.[0] ?? text
}

const who: Record<Exclude<Needs, object>, string> = {
  anyone: 'For anyone.',
  signedIn: 'For anyone who is signed in.',
  member: 'For members of the project.',
  admin: 'For administrators of the project.',
  owner: 'For the owner of the project.',
}

function whoHolds({ permissions, all }: NeedsPermission) {
  const list = new Intl.ListFormat('en', { type: all ? 'conjunction' : 'disjunction' })
  return `For the owner, and for members with ${list.format(permissions)}.`
}

/** Sentences about who may make a call, what it does, and how often. */
function factsOf(row: CallRow) {
  const { needs, effect, onlyActive, tokens, asksProvider } = row
  const mayCall = typeof needs === 'object' ? whoHolds(needs) : who[needs]
  const effects = {
    read: 'It changes nothing.',
    write: 'It changes everything at once, or nothing.',
    external: 'It works in steps, and may ask other services.',
    billing: 'It asks the payment provider. One such call of a project runs at a time.',
  }
  const { tries, within } =
    effect !== 'read'
      ? rateLimits.writesByAccount
      : asksProvider
        ? readLimits.providerReadsByAccount
        : readLimits.readsByAccount
  return [
    mayCall,
    onlyActive && 'The project has to be active.',
    onlyActive === true && 'While it is to be paid for, the call is refused.',
    effects[effect],
    tokens ? `Access tokens that may ${tokens} can make it.` : 'No access token can make it.',
    needs !== 'anyone' &&
      `At most ${tries} ${effect === 'read' ? 'of all such calls' : 'of these'} in ${within / 60_000} minutes, by ${row.perSession ? 'session' : 'account'}.`,
    row.streamed && 'The answer is sent while it is read. If it breaks off, it is no JSON.',
  ].filter((sentence) => sentence !== false && sentence !== undefined)
}

function refusedWith(reasons: Reason[]) {
  return {
    description: `Refused: ${reasons.join(', ')}.`,
    content: {
      'application/json': {
        schema: refusalSchema(reasons),
        examples: Object.fromEntries(
          reasons.map((reason) => [
            keyOf(reason),
            { $ref: `#/components/examples/${keyOf(reason)}` },
          ]),
        ),
      },
    },
  }
}

function refusalSchema(reasons: Reason[]) {
  const details = {
    type: 'object',
    description: 'The reason, and for some reasons more.',
    properties: {
      reason: { description: 'Why the call was refused.', enum: reasons },
      fields: refTo('WrongFields'),
      retryAfter: { type: 'number', description: 'In how many seconds another try may succeed.' },
    },
    required: ['reason'],
  }
  const error = whole({
    status: { type: 'string', description: 'The kind of refusal: `ALREADY_EXISTS`.' },
    message: { type: 'string', description: 'For developers, in English.' },
    details,
  })
  return whole({ error })
}

const wrongFields = {
  type: 'object',
  description:
    'Of wrong input: the problem of each field by its path: `required`, `unknown`, a reason, or the name of a rule.',
  additionalProperties: { type: 'string' },
}

function sendingOf(name: string, text: string) {
  return {
    operationId: name,
    summary: summaryOf(text),
    description: text,
    security: [],
    requestBody: { content: asJson(refTo(capital(name))) },
    responses: { '2XX': { description: 'The receiver has it.' } },
  }
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description: `A repeated request with the same key gets the first answer, for ${limits.calls.idempotencyKept / 3_600_000} hours.`,
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
}

const live = {
  operationId: 'live',
  summary: 'Streams the names of what changes',
  description:
    'Server-sent events, each a line of JSON: `{"event": "ready"}`, `{"event": "changed", "subscriptions": [ids], "what": [names]}`, and before the end `{"event": "end", "because": …}`. They have no data: a client then asks again.',
  security: [{ bearer: [] }],
  responses: {
    200: {
      description: 'The stream.',
      content: { 'text/event-stream': { schema: { type: 'string' } } },
    },
    401: refusedWith(['notSignedIn', 'sessionEnded']),
    503: refusedWith(['unavailable']),
  },
}

function exampleOf(reason: Reason) {
  const { status, text } = refusals[reason]
  return {
    summary: text,
    value: {
      error: {
        status: status.toUpperCase().replaceAll('-', '_'),
        message: text,
        details: { reason },
      },
    },
  }
}

type Rows = [name: string, row: CallRow][]
type Sent = [name: string, { body: z.ZodMiniObject }][]

function inputsOf(rows: Rows) {
  const registry = z.registry<{ id: string }>()
  for (const [name, { input }] of rows) registry.add(input, { id: schemaNamesOf(name).input })
  return schemasOf(registry, 'input')
}

/** The answers, and the entities of the core and the modules that are parts of them. */
function answersOf(rows: Rows, sent: Sent) {
  const registry = z.registry<{ id: string }>()
  const sources = [entities, entries, ...on.map((name) => contracts[name])]
  for (const [name, value] of sources.flatMap((source) => Object.entries<unknown>(source)))
    if (isObject(value)) registry.add(value, { id: capital(name) })
  for (const [name, { answer }] of rows) registry.add(answer, { id: schemaNamesOf(name).answer })
  for (const [name, { body }] of sent) registry.add(body, { id: capital(name) })
  return schemasOf(registry, 'output')
}

function isObject(value: unknown): value is z.ZodMiniObject {
  return value instanceof z.ZodMiniObject || value instanceof z.ZodMiniUnion
}

function schemasOf(registry: z.core.$ZodRegistry<{ id: string }>, io: 'input' | 'output') {
  const { schemas } = z.toJSONSchema(registry, {
    io,
    // A module may leave an answer undescribed.
    unrepresentable: 'any',
    uri: (id) => `#/components/schemas/${id}`,
    override({ jsonSchema }) {
      // Later versions may answer with more.
      if (io === 'output' && jsonSchema.additionalProperties === false)
        delete jsonSchema.additionalProperties
      // Regular expressions of other languages have no names for groups of characters.
      jsonSchema.pattern &&= jsonSchema.pattern.replaceAll(
        String.raw`\p{Cc}`,
        String.raw`\u0000-\u001F\u007F-\u009F`,
      )
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    },
  })
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _, $id: _id, ...schema }]) => [
      name,
      schema as Schema,
    ]),
  )
}

/** The names of what a call takes and answers, in `components.schemas`. */
export function schemaNamesOf(name: string) {
  return { input: `${capital(name)}Input`, answer: `${capital(name)}Answer` }
}

export function callsOf({ paths }: Document) {
  return Object.values(paths).flatMap(({ post }) => post ?? [])
}

function refTo(name: string) {
  return { $ref: `#/components/schemas/${name}` }
}

function capital(name: string) {
  return name[0]!.toUpperCase() + name.slice(1)
}

/** A key of components has no slash. */
function keyOf(reason: Reason) {
  return reason.replace('/', '.')
}
