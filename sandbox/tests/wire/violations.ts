import { Ajv, type ValidateFunction } from 'ajv'
import { readFileSync } from 'node:fs'
import { StripeFailure } from '../../rules/errors.ts'
import { parseForm, type Form, type FormValue } from '../../api/form.ts'
import { refuseTooLong } from '../../api/lengths.ts'
import { besidePending, expandLevels, onUpdatesAlone } from '../../rules/limits.ts'
import { errorTypes, idempotency, missingName, moreCodes } from '../../rules/refusals.ts'

type Call = { method: string; url: string }
export type WireRequest = Call & { headers: Headers; body: string }
export type WireResponse = { status: number; headers: Headers; body: string }

type Schema = { $ref?: string }
type Operation = { method: string; path: string; params?: Schema; answer: Schema }
type Definition = { properties: Record<string, { enum?: string[] }> }
type Schemas = {
  version: string
  roots: Record<string, Schema>
  operations: Operation[]
  definitions: Record<string, Definition>
}
type ErrorBody = { type: string; code?: string; param?: string; message?: string }

const { version, roots, operations, definitions } = JSON.parse(
  readFileSync(new URL('./schema.json', import.meta.url), 'utf8'),
) as Schemas
const codes = new Set([...knownCodes(), ...moreCodes.map(({ code }) => code)])
const answers = checker({})
// Form values are always strings, so numbers and booleans must be converted before the check.
const params = checker({ coerceTypes: true })

/** Why Stripe would refuse this request or never send this answer, by its SDK and our rules. */
export function violationsOf(request: WireRequest, response: WireResponse): string[] {
  const call = `${request.method} ${new URL(request.url).pathname}`
  const operation = findOperation(request)
  const problems = [...requestProblems(request, operation), ...answerProblems(response, operation)]
  return problems.map((problem) => `${call}: ${problem}`)
}

/** The problems of the answer only, for requests that are invalid on purpose. */
export function violationsOfAnswer(request: Call, response: WireResponse): string[] {
  return answerProblems(response, findOperation(request)).map(
    (problem) => `${request.method} ${request.url}: ${problem}`,
  )
}

/** How this object differs from the SDK's type of its kind. */
export function complaintsOf(json: object): string[] {
  const kind = 'object' in json ? String(json.object) : ''
  const root = kind === 'error' ? undefined : roots[kind]
  return root
    ? answers(root, json).map((complaint) => `${kind}${complaint}`)
    : [`no schema for ${kind}`]
}

function findOperation({ method, url }: Call): Operation | undefined {
  const steps = new URL(url).pathname.split('/')
  const fits = ({ path }: Operation) => {
    const pattern = path.split('/')
    return (
      pattern.length === steps.length &&
      pattern.every((step, index) => step.startsWith(':') || step === steps[index])
    )
  }
  const found = operations.filter((operation) => operation.method === method && fits(operation))
  return found.toSorted((a, b) => a.path.split(':').length - b.path.split(':').length)[0]
}

function requestProblems(
  { method, url, headers, body }: WireRequest,
  operation: Operation | undefined,
): string[] {
  const problems: string[] = []
  if (!/^Bearer (sk|rk)_\w+$/.test(headers.get('authorization') ?? ''))
    problems.push('no secret key')
  if (headers.get('stripe-version') !== version)
    problems.push(`the version is ${headers.get('stripe-version')}, not ${version}`)
  if ((headers.get('idempotency-key') ?? '').length > idempotency.longest)
    problems.push('the idempotency key is too long')
  if (method !== 'POST' && body !== '') problems.push('a body where parameters go in the query')
  if (!operation) return [...problems, 'no such call among those that the schema was made for']
  try {
    const form = parseForm([new URL(url).search.slice(1), body].filter(Boolean).join('&'))
    refuseTooLong(operation.path.replace('/v1', ''), form)
    const values = valueOf(form, '') as Record<string, unknown>
    const unknown = Object.keys(values).filter(() => !operation.params)
    return [
      ...problems,
      ...unknown,
      ...(operation.params ? params(operation.params, values) : []),
      ...ruleProblems(operation, values),
    ]
  } catch (error) {
    if (error instanceof StripeFailure) return [...problems, error.message]
    throw error
  }
}

function ruleProblems({ method, path }: Operation, values: Record<string, unknown>): string[] {
  const expand = Array.isArray(values['expand']) ? (values['expand'] as string[]) : []
  const deep = expand.filter((each) => each.split('.').length > expandLevels.most)
  const problems = deep.map((each) => `expands more than ${expandLevels.most} levels: ${each}`)
  const { parameter, value } = onUpdatesAlone
  const call = `${method} ${path}`
  if (call === 'POST /v1/subscriptions' && values[parameter] === value)
    problems.push(`${parameter}=${value} only when a subscription is updated`)
  if (call !== 'POST /v1/subscriptions/:id' || values[parameter] !== value) return problems
  const items = (values['items'] ?? []) as Record<string, unknown>[]
  const beside = [
    ...Object.keys(values).filter((name) => !besidePending.parameters.includes(name)),
    ...items.flatMap((item) =>
      Object.keys(item).filter((name) => !besidePending.ofItems.includes(name)),
    ),
  ]
  return [
    ...problems,
    ...beside.map((name) => `${name} beside payment_behavior=pending_if_incomplete`),
  ]
}

function answerProblems(
  { status, headers, body }: WireResponse,
  operation: Operation | undefined,
): string[] {
  const problems = headers.get('request-id') ? [] : ['no request-id']
  const json = parsed(body)
  if (json === undefined) return [...problems, `the answer is no JSON: ${body.slice(0, 100)}`]
  if (status >= 400) return [...problems, ...errorProblems(status, json, operation)]
  if (!operation) return problems
  return [
    ...problems,
    ...answers(operation.answer, json).map((complaint) => `the answer${complaint}`),
  ]
}

function errorProblems(status: number, json: unknown, operation: Operation | undefined): string[] {
  const error = (json as { error?: ErrorBody }).error
  if (!error) return [`${status} without an error`]
  // The SDK's types lack some error codes.
  const { code, ...typed } = error
  const problems = answers(roots['error']!, typed).map((complaint) => `the error${complaint}`)
  if (code !== undefined && !codes.has(code)) problems.push(`no code of Stripe's: ${code}`)
  if (!errorTypes[status]?.includes(error.type)) problems.push(`${error.type} with HTTP ${status}`)
  const name = missingName(`${operation?.method} ${operation?.path}`)
  if (operation && status === 404 && code === 'resource_missing' && error.param !== name) {
    problems.push(`a 404 that names ${error.param}, not ${name}`)
  }
  return problems
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** Turns objects with only numbers as keys into lists. */
function valueOf(value: FormValue, name: string): unknown {
  if (typeof value === 'string') return value
  const names = Object.keys(value)
  const isList =
    name !== 'metadata' && names.length > 0 && names.every((each) => /^\d+$/.test(each))
  return isList ? names.map((each) => valueOf(value[each]!, '')) : fieldsOf(value)
}

function fieldsOf(form: Form) {
  return Object.fromEntries(
    Object.entries(form).map(([name, value]) => [name, valueOf(value, name)]),
  )
}

function knownCodes(): string[] {
  const { properties } = definitions[roots['error']!.$ref!.split('/').at(-1)!]!
  return properties['code']!.enum!
}

/** Compiles each schema once, on first use. */
function checker(options: { coerceTypes?: boolean }) {
  const ajv = new Ajv({ strict: false, ...options })
  ajv.addSchema({ $id: 'stripe', definitions })
  const compiled = new Map<Schema, ValidateFunction>()
  return (schema: Schema, value: unknown): string[] => {
    const validate =
      compiled.get(schema) ??
      ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"stripe#/')) as object)
    compiled.set(schema, validate)
    if (validate(value)) return []
    return (validate.errors ?? []).map(({ instancePath, message, params: about }) => {
      const more = Object.values(about as Record<string, unknown>).filter(
        (each) => typeof each === 'string',
      )
      return `${instancePath} ${message}${more.length ? ` (${more.join(', ')})` : ''}`
    })
  }
}
