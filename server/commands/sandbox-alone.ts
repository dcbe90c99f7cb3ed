import { languages } from '#config/languages.ts'
import { product } from '#config/product.ts'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono, type Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Deliver } from '../../sandbox/events/courier.ts'
import { openSandbox, type Sandbox } from '../../sandbox/sandbox.ts'
import { readSandboxEnv } from '../start/env.ts'
import { listen } from '../http/listen.ts'
import { openLogger } from '../platform/log.ts'
import { isLoopback } from '../platform/loopback.ts'
import { sandboxPrices } from '../billing/priced-plans.ts'
import { healthRoutes } from '../http/health.ts'
import type { HttpEnv } from '../http/request-log.ts'
import { standInGuard } from '../http/stand-in-guard.ts'
import { readSandboxArguments, usage, type SandboxArguments } from './sandbox-arguments.ts'
import { StartError } from '../platform/start-error.ts'
import { openPool } from '../store/database.ts'
import { openPostgres } from '../store/postgres/open-postgres.ts'
import { runUntilAsked } from '../start/until-asked-to-stop.ts'

/** What a receiver of events may take, in milliseconds. */
const patience = 20_000
const longestBody = 100_000

type Asked = SandboxArguments & ReturnType<typeof readSandboxEnv>

/** npm run sandbox: the payment provider's stand-in as a server of its own. */
async function main(args: string[]) {
  if (args.includes('--help')) return console.log(usage)
  const asked = { ...readSandboxArguments(args), ...readSandboxEnv(process.env) }
  if (!asked.allowSandbox) refuseStrangers(asked)
  const log = openLogger(asked.logLevel)
  const postgres = await openPostgres(asked, log)
  const { http, giveUp, close } = await openAndListen(
    asked,
    openPool(postgres.connection, log),
    log,
  ).catch(async (error: unknown) => {
    await postgres.stop()
    throw error
  })
  announce(asked, postgres.notes)
  const stop = async () => {
    giveUp()
    await http.close()
    await Promise.race([close(), delay(1000)])
    await postgres.stop()
  }
  return runUntilAsked({ lost: postgres.ended, stop, log })
}

async function openAndListen(asked: Asked, pool: pg.Pool, log: Logger) {
  const closing = new AbortController()
  const sandbox = await openSandbox({
    pool,
    publicUrl: asked.publicUrl,
    webhookSecret: asked.webhook?.secret ?? '',
    deliver: delivererTo(asked.webhook?.url, closing.signal),
    prices: sandboxPrices,
    productName: product.name,
    languages: Object.keys(languages),
    framedBy: '*',
    log,
  })
  const close = async () => {
    await sandbox.close()
    await pool.end()
  }
  const http = await listen(openApp(sandbox, asked, pool), { ...asked, trustedProxies: 0 }).catch(
    async (error: unknown) => {
      await close()
      throw error
    },
  )
  /** What waits for a receiver of events waits no more. */
  const giveUp = () => closing.abort()
  return { http, giveUp, close }
}

/** Guarded as it is within a server; but between this one and the server that it takes the money for there may be a proxy. */
function openApp(sandbox: Sandbox, { publicUrl, allowSandbox }: Asked, pool: pg.Pool) {
  const isReady = () =>
    pool.query('select 1').then(
      () => true,
      () => false,
    )
  const app = new Hono<HttpEnv>()
  app.route('/', healthRoutes(isReady))
  app.use('/v1/*', standInGuard({ publicUrl, isOpen: true }), bodyLimit({ maxSize: longestBody }))
  app.all('/v1/*', (c) => sandbox.fetch(c.req.raw).catch(() => breakOff(c)))
  app
    .use('/sandbox/*', standInGuard({ publicUrl, isOpen: allowSandbox }))
    .route('/sandbox', sandbox.routes)
  app.get('/', (c) => c.redirect('/sandbox'))
  return app
}

/** The client has gone, or the control page asked for a broken connection. */
function breakOff(c: Context) {
  const { incoming } = c.env as HttpBindings
  incoming.destroy()
  return RESPONSE_ALREADY_SENT
}

function delivererTo(url: string | undefined, closing: AbortSignal): Deliver {
  // As with an account that has no endpoint: there is nobody to tell.
  if (url === undefined) return async () => 200
  return async (body, headers) => {
    const signal = AbortSignal.any([closing, AbortSignal.timeout(patience)])
    const answer = await fetch(url, { method: 'POST', body, headers, redirect: 'manual', signal })
    await answer.body?.cancel()
    return answer.status
  }
}

function refuseStrangers({ host, publicUrl }: Asked) {
  const why = !isLoopback(host)
    ? `HOST=${host}`
    : !isLoopback(new URL(publicUrl).hostname) && `--public-url ${publicUrl}`
  if (!why) return
  throw new StartError(
    `${why} is refused: the sandbox takes any card and any key. Set ALLOW_SANDBOX=1 if this is meant to be open.`,
  )
}

function announce({ publicUrl, port, webhook, databaseUrl, dataDir }: Asked, notes: string[]) {
  const lines = [
    `${product.name}'s sandbox is ready: ${publicUrl}/sandbox`,
    '',
    `API        http://localhost:${port}/v1, for any key like sk_test_… or rk_test_…, and in browsers pk_test_…`,
    `Events     ${webhook ? `go to ${webhook.url}` : 'go nowhere (--webhook URL --webhook-secret whsec_…)'}`,
    databaseUrl
      ? 'Data       the PostgreSQL of --database'
      : `Data       ${dataDir} (PostgreSQL started here)`,
    ...notes.map((note) => `Note       ${note.replaceAll('DATABASE_URL', '--database')}`),
    '',
    `The server reaches it by STRIPE_API_BASE=http://localhost:${port}. Stop with Ctrl-C.`,
  ]
  console.log(`\n${lines.map((line) => (line ? `  ${line}` : line)).join('\n')}\n`)
}

await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(
    error instanceof StartError ? error.message.replaceAll('DATABASE_URL', '--database') : error,
  )
  process.exit(1)
})
