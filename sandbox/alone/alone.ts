import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono, type Context, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Deliver } from '../events/courier.ts'
import { openSandbox, type Sandbox, type SandboxOptions } from '../sandbox.ts'
import type { Arguments } from './arguments.ts'

export { readArguments, UsageError, usage } from './arguments.ts'

/** How many milliseconds a webhook endpoint may take to answer. */
const patience = 20_000
const longestBody = 100_000

export type AloneOptions = Pick<
  SandboxOptions,
  'pool' | 'productName' | 'mark' | 'prices' | 'log'
> & {
  asked: Arguments
  /** Refuses requests from elsewhere than this machine. `isOpen` also lets a proxy pass. */
  guard: (options: { publicUrl: string; isOpen: boolean }) => MiddlewareHandler
  /** Whether other machines may open the pages. */
  allowSandbox: boolean
  /** Serves the app, and resolves once it listens. */
  listen: (app: Hono) => Promise<{ close(): Promise<void> }>
}

/** Runs the sandbox as its own server: API at `/v1`, pages at `/sandbox`, webhooks by HTTP. */
export async function openAlone({ asked, pool, listen, ...options }: AloneOptions) {
  const { publicUrl, productUrl, webhook } = asked
  const closing = new AbortController()
  const sandbox = await openSandbox({
    ...options,
    pool,
    publicUrl,
    productUrl,
    webhookSecret: webhook?.secret ?? '',
    deliver: delivererTo(webhook?.url, closing.signal),
    framedBy: '*',
  })
  const close = async () => {
    await sandbox.close()
    await pool.end()
  }
  const http = await listen(openApp(sandbox, pool, { publicUrl, ...options })).catch(
    async (error: unknown) => {
      await close()
      throw error
    },
  )
  return {
    /** Stops within about a second, even if a webhook endpoint does not answer. */
    async stop() {
      closing.abort()
      await http.close()
      await Promise.race([close(), delay(1000)])
    },
  }
}

function openApp(
  sandbox: Sandbox,
  pool: Pool,
  {
    publicUrl,
    guard,
    allowSandbox,
  }: Pick<AloneOptions, 'guard' | 'allowSandbox'> & { publicUrl: string },
) {
  const app = new Hono()
  app.get('/healthz', (c) => c.json({ status: 'ok' }))
  app.get('/readyz', (c) =>
    pool.query('select 1').then(
      () => c.json({ status: 'ready' }),
      () => c.json({ status: 'not ready' }, 503),
    ),
  )
  // `isOpen`, because a proxy may be between the API and the server that uses it, as in tests.
  app.use('/v1/*', guard({ publicUrl, isOpen: true }), bodyLimit({ maxSize: longestBody }))
  app.all('/v1/*', (c) => sandbox.fetch(c.req.raw).catch(() => breakOff(c)))
  app
    .use('/sandbox/*', guard({ publicUrl, isOpen: allowSandbox }))
    .route('/sandbox', sandbox.routes)
  app.get('/', (c) => c.redirect('/sandbox'))
  return app
}

/** Cuts the connection, because the client has aborted or the control page set this fault. */
function breakOff(c: Context) {
  const { incoming } = c.env as HttpBindings
  incoming.destroy()
  return RESPONSE_ALREADY_SENT
}

function delivererTo(url: string | undefined, closing: AbortSignal): Deliver {
  // Without a URL every webhook counts as delivered.
  if (url === undefined) return async () => 200
  return async (body, headers) => {
    const signal = AbortSignal.any([closing, AbortSignal.timeout(patience)])
    const answer = await fetch(url, { method: 'POST', body, headers, redirect: 'manual', signal })
    await answer.body?.cancel()
    return answer.status
  }
}

/** The text that the terminal shows once the sandbox runs. */
export function announcement(
  { port, publicUrl, webhook, databaseUrl }: Arguments,
  { productName, dataDir, notes }: { productName: string; dataDir: string; notes: string[] },
) {
  const lines = [
    `${productName}'s sandbox is ready: ${publicUrl}/sandbox`,
    '',
    `API        http://localhost:${port}/v1, for any key like sk_test_… or rk_test_…, and in browsers pk_test_…`,
    `Events     ${webhook ? `go to ${webhook.url}` : 'go nowhere (--webhook URL --webhook-secret whsec_…)'}`,
    `Data       ${databaseUrl ? 'the PostgreSQL of --database' : `${dataDir} (PostgreSQL started here)`}`,
    ...notes.map((note) => `Note       ${note}`),
    '',
    `A server reaches it by STRIPE_API_BASE=http://localhost:${port}. Stop with Ctrl-C.`,
  ]
  return `\n${lines.map((line) => (line ? `  ${line}` : line)).join('\n')}\n`
}
