import { Hono } from 'hono'
import { bearerAuth } from 'hono/bearer-auth'
import { cors } from 'hono/cors'
import { createMiddleware } from 'hono/factory'
import { HTTPException } from 'hono/http-exception'
import type { Services } from '../core/services.ts'
import type { Live } from '../live/live.ts'
import type { Env } from '../running/env.ts'
import { apiRoutes } from './api.ts'
import { straightenLinks } from './bent-links.ts'
import { devRoutes } from '../dev/routes.ts'
import type { InProgress } from '../running/in-progress.ts'
import { invoiceRoutes } from './invoices.ts'
import { liveRoutes } from './live.ts'
import { passToApi } from '../dev/pass-to-api.ts'
import { providerRoutes } from './provider-sign-in.ts'
import { openRequests, refusalFor, type HttpEnv } from './request.ts'
import { commonHeaders, pageHeaders } from './security-headers.ts'
import { standInGuard } from '../dev/stand-in-guard.ts'
import { unsubscribeRoutes } from './unsubscribe.ts'
import { openVisits } from './visit.ts'
import { openWebApp } from './web-app.ts'
import { stripeWebhookRoutes } from './webhooks.ts'

type AppOptions = {
  env: Env
  services: Services
  /** Undefined if the server only runs jobs. */
  live: Live | undefined
  isReady: () => boolean
  isBusy: () => boolean
  inProgress: InProgress
  /** The text of /metrics, if it is shown. */
  metrics?: (() => Promise<string>) | undefined
  sandbox?: Hono | undefined
  /** The sandbox's card form, for a server used instead of Stripe. */
  cardForm: Hono
}

/** Returns the whole server as one handler of the Fetch API. */
export function openApp({ env, services, live, isReady, metrics, sandbox, ...rest }: AppOptions) {
  const { isBusy, inProgress, cardForm } = rest
  const { publicUrl, trustedProxies, allowedOrigins, stripe, stripeApiBase } = env
  const { log } = services
  const app = new Hono<HttpEnv>()
  const publishableKey = stripeApiBase ? null : (stripe?.publishableKey ?? null)
  const usesStripe = publishableKey !== null
  const config = {
    stripePublishableKey: publishableKey,
    signInProviders: Array.from(services.signInProviders, ([name, { label }]) => ({ name, label })),
    passkeys: services.passkeys !== undefined && services.identity.offersFactors,
  }
  const standIns = { mail: !env.smtpUrl, payments: sandbox !== undefined }
  const hasDev = env.hasDev && (standIns.mail || standIns.payments)
  const webApp = openWebApp(config, publicUrl, { withChip: env.isDevelopment && hasDev })
  const visitOf = openVisits({ publicUrl, trustedProxies, allowedOrigins, log })
  const guard = standInGuard({ publicUrl, isOpen: env.allowSandbox })
  const payments = stripeApiBase
    ? passToApi(stripeApiBase, stripe!.publishableKey).route('/', cardForm)
    : sandbox

  app.use(commonHeaders({ usesStripe, isHttps: publicUrl.startsWith('https:') }))
  app.use(openRequests(services, visitOf))
  app.use(refuseMalformed)
  if (allowedOrigins.length > 0)
    for (const path of ['/api/*', '/live', '/openapi.json'])
      app.use(path, cors({ ...forPrograms, origin: allowedOrigins }))
  app.get('/healthz', (c) => c.json({ status: 'ok' }))
  app.get('/readyz', (c) =>
    isReady() ? c.json({ status: 'ready' }) : c.json({ status: 'not ready' }, 503),
  )
  app.route('/', apiRoutes(services, { isBusy, inProgress }))
  if (live) app.route('/live', liveRoutes(live, services.keyedHash))
  if (metrics)
    app.get('/metrics', bearerAuth({ token: env.metricsToken! }), async (c) =>
      c.text(await metrics(), 200, { 'content-type': 'text/plain; version=0.0.4' }),
    )
  app.route('/webhooks/stripe', stripeWebhookRoutes(services, inProgress))
  app.get('*', straightenLinks)
  app.route('/invoices', invoiceRoutes(services))
  app.route('/unsubscribe', unsubscribeRoutes(services))
  if (payments) app.use('/sandbox/*', guard).route('/sandbox', payments)
  app.route('/auth/provider', providerRoutes(services))
  const framesOthers = stripeApiBase !== undefined
  app.use(pageHeaders({ usesStripe, framesOthers, scriptHashes: webApp.scriptHashes }))
  if (hasDev) app.use('/dev/*', guard).route('/dev', devRoutes(services, standIns))
  app.route('/', webApp.routes)
  app.onError((error, c) => {
    if (error instanceof HTTPException) return error.getResponse()
    const { httpStatus } = refusalFor(error, c, 'a request failed')
    return httpStatus === 503
      ? c.text('This can not be shown now. Try again in a moment.', 503)
      : c.text('Something went wrong on our side.', 500)
  })
  return app
}

/** What pages of other origins may send and read, without credentials. */
const forPrograms = {
  allowMethods: ['GET', 'POST'],
  allowHeaders: ['authorization', 'content-type', 'idempotency-key', 'traceparent', 'x-request-id'],
  exposeHeaders: ['change-id', 'retry-after', 'x-request-id'],
  maxAge: 600,
}

/** What a server answers that only runs jobs. */
export function onlyForOperators(app: Hono<HttpEnv>) {
  const part = new Hono<HttpEnv>()
  for (const path of ['/healthz', '/readyz', '/metrics'])
    part.all(path, (c) => app.fetch(c.req.raw, c.env))
  return part
}

/** Refuses URLs with a NUL character, which PostgreSQL can't store, and malformed hosts. */
const refuseMalformed = createMiddleware(async (c, next) => {
  const { url } = c.req
  const isWellFormed =
    URL.canParse(url) && !url.includes('%00') && isHost(c.req.header('host') ?? new URL(url).host)
  return isWellFormed ? next() : c.text('Bad Request', 400)
})

/** The URL parser refuses hosts like 1.2.3.256, which the pattern alone would accept. */
function isHost(text: string) {
  return /^([\w.-]+|\[[\da-f:.]+\])(:\d+)?$/i.test(text) && URL.canParse(`http://${text}`)
}
