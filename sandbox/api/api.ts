import { Hono, type Context } from 'hono'
import { newId } from '../objects/new-object.ts'
import { apiVersion, type Asked } from '../objects/event.ts'
import { inTransaction, reading, type Log, type Tx, type World } from '../store/tx.ts'
import { invalid, StripeFailure } from '../rules/errors.ts'
import { parseForm, type Form } from './form.ts'
import { answerOnce, type Answer } from './idempotency.ts'
import { checkKey, secretKeyRequired, type KeyKind } from './keys.ts'
import { stripeResponse } from './response.ts'
import type { Route } from './route.ts'

/** Stripe's API for requests with one kind of key. It answers with Stripe objects and errors. */
export function stripeApi(world: World, routes: Route[], kind: KeyKind): Hono {
  const api = new Hono()
  for (const route of routes)
    api.on(route.method, route.path, (c) => respond(c, world, () => answer(world, route, kind, c)))
  api.all('*', (c) =>
    respond(c, world, async () => {
      await readForm(c, kind)
      const message = `Unrecognized request URL (${c.req.method}: ${c.req.path}).`
      throw new StripeFailure(404, { type: 'invalid_request_error', message })
    }),
  )
  return api
}

async function answer(world: World, route: Route, kind: KeyKind, c: Context): Promise<Answer> {
  const form = await readForm(c, kind)
  if (kind === 'publishable' && !route.forBrowsers) throw secretKeyRequired()
  const key = route.method === 'POST' ? c.req.header('idempotency-key') : undefined
  const asked: Asked = { id: c.get('requestId'), idempotency_key: key ?? null }
  const run = (tx: Tx) => route.answer(tx, form, c.req.param(), kind === 'publishable')
  if (route.method === 'GET') return { status: 200, body: await run(await reading(world, asked)) }
  return inTransaction(world, asked, (tx) => {
    const work = () => kept(tx, () => run(tx))
    return key ? answerOnce(tx, { key, kind, path: c.req.path, form }, work) : work()
  })
}

/**
 * Turns a card error of `work` into an answer, so that it is stored under the idempotency key.
 * Rolls back the work unless the error has `keep`.
 */
async function kept(tx: Tx, work: () => Promise<object>): Promise<Answer> {
  await tx.query('savepoint work')
  try {
    return { status: 200, body: await work() }
  } catch (error) {
    if (!(error instanceof StripeFailure) || error.status !== 402) throw error
    if (!error.keep) await tx.query('rollback to savepoint work')
    return { status: error.status, body: { error: error.body } }
  }
}

async function readForm(c: Context, kind: KeyKind): Promise<Form> {
  const body = c.req.method === 'POST' ? await c.req.text() : ''
  const { key, ...form } = parseForm(
    [new URL(c.req.url).search.slice(1), body].filter(Boolean).join('&'),
  )
  checkKey(kind, c.req.header('authorization'), typeof key === 'string' ? key : undefined)
  const version = c.req.header('stripe-version')
  if (version && version !== apiVersion)
    throw invalid(`Invalid Stripe API version: ${version}. This sandbox speaks ${apiVersion}.`)
  return form
}

async function respond(c: Context, { log }: World, work: () => Promise<Answer>): Promise<Response> {
  const id = newId('req')
  c.set('requestId', id)
  return stripeResponse(await work().catch((error: unknown) => failed(error, id, log)), id)
}

function failed(error: unknown, request: string, log: Log): Answer {
  if (error instanceof StripeFailure) return { status: error.status, body: { error: error.body } }
  log.error({ err: error, request }, 'sandbox: request failed')
  return {
    status: 500,
    body: {
      error: { type: 'api_error', message: `Something went wrong in the sandbox (${request}).` },
    },
  }
}
