import { limits } from '#config/limits.ts'
import { isCallName } from '#contract/calls.ts'
import { Hono, type Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Services } from '../core/services.ts'
import type { Metrics } from '../platform/metrics.ts'
import { Refusal } from '../platform/refusal.ts'
import { answerCall } from './answer-call.ts'
import { bearerOf, limitBody, refusalFor, type HttpEnv } from './request.ts'
import type { VisitOf } from './visit.ts'

type CallEnv = { Variables: HttpEnv['Variables'] & { refusal?: Refusal } }

/**
 * The callable protocol: POST {"data": …} → {"result": …} or {"error": {status, message, details}}.
 */
export function apiRoutes(
  services: Services,
  { visitOf, metrics }: { visitOf: VisitOf; metrics: Metrics | undefined },
) {
  return new Hono<CallEnv>()
    .use(observe(metrics))
    .use(limitBody({ maxSize: limits.calls.bodySize, visitOf }))
    .post('/:name', async (c) => {
      const call = {
        name: c.req.param('name'),
        data: await dataOf(c),
        accessToken: bearerOf(c),
        idempotencyKey: idempotencyKeyOf(c),
        visit: visitOf(c),
      }
      const result = await inTime(answerCall(call, { ...services, log: c.get('log') }))
      c.header('cache-control', 'no-store')
      return c.json({ result: result ?? null })
    })
    .all('*', () => {
      throw new Refusal('unknownCall')
    })
    .onError((error, c) => {
      const refusal = refusalFor(error, c, 'a call failed')
      c.set('refusal', refusal)
      c.header('cache-control', 'no-store')
      return c.json(refusal.toBody(), refusal.httpStatus)
    })
}

/** Logs and measures each call, answered or refused, without its input and output. */
function observe(metrics: Metrics | undefined) {
  return createMiddleware<CallEnv>(async (c, next) => {
    const started = performance.now()
    await next()
    const ms = performance.now() - started
    const name = c.req.path.split('/').at(-1)!
    const call = isCallName(name) ? name : 'unknown'
    const refusal = c.get('refusal')
    c.get('log').info(
      { call, ms: Math.round(ms), ...(refusal && { refused: refusal.reason }) },
      'a call',
    )
    metrics?.observeCall(call, refusal?.status ?? 'ok', ms)
  })
}

async function dataOf(c: Context) {
  if (!/^application\/json\s*(;\s*charset=utf-8\s*)?$/i.test(c.req.header('content-type') ?? ''))
    throw new Refusal('badRequest')
  const body = parseBody(await c.req.text())
  if (typeof body !== 'object' || body === null || Object.keys(body).join() !== 'data')
    throw new Refusal('badRequest')
  return (body as { data: unknown }).data
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text, refuseUnstorable)
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal('badRequest')
  }
}

/**
 * JSON allows strings that PostgreSQL can't store: with a NUL character or half a surrogate pair.
 */
function refuseUnstorable(key: string, value: unknown) {
  if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed()))
    throw new Refusal('invalidInput', { fields: { [key]: 'malformed' } })
  return value
}

function idempotencyKeyOf(c: Context) {
  const key = c.req.header('idempotency-key')
  if (key !== undefined && !/^[\x21-\x7e]{1,255}$/.test(key))
    throw new Refusal('invalidInput', { fields: { 'Idempotency-Key': 'malformed' } })
  return key
}

async function inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Refusal('timeout')), limits.calls.timeout)
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}
