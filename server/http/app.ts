import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { HTTPException } from 'hono/http-exception'
import type { Logger } from 'pino'
import { apiRoutes } from './api.ts'
import { devMailRoutes } from './dev-mail.ts'
import type { Metrics } from '../platform/metrics.ts'
import { healthRoutes, metricsRoutes } from './health.ts'
import { invoiceRoutes } from './invoices.ts'
import { liveRoutes } from './live.ts'
import { providerRoutes } from './provider-sign-in.ts'
import { openLog, type HttpEnv } from './request.ts'
import { commonHeaders, pageHeaders } from './security-headers.ts'
import { standInGuard } from './stand-in-guard.ts'
import { openVisits } from './visit.ts'
import { openWebApp, type PublicConfig } from './web-app.ts'
import { stripeWebhookRoutes } from './webhooks.ts'
import type { Live } from '../live/live.ts'
import type { TrustedProxies } from '../platform/networks.ts'
import type { Services } from '../core/services.ts'

export type AppOptions = {
  services: Services
  live: Live
  log: Logger
  publicUrl: string
  trustedProxies: TrustedProxies
  isReady: () => Promise<boolean>
  /** What the web app may know of the configuration. */
  publicConfig: PublicConfig
  /** Counted and timed calls, for whoever holds the token. */
  metrics?: { metrics: Metrics; token: string } | undefined
  /** Stand-ins answer to others than this machine. */
  allowSandbox: boolean
  /** Mail is kept instead of sent: show it. */
  keepsMail: boolean
  /** The payment provider's stand-in, or what browsers need of one elsewhere. */
  sandbox?: Hono | undefined
}

/** The whole server as one Fetch-API handler. */
export function openApp(options: AppOptions) {
  const {
    services,
    live,
    log,
    publicUrl,
    trustedProxies,
    isReady,
    publicConfig,
    metrics,
    keepsMail,
    allowSandbox,
    sandbox,
  } = options
  const app = new Hono<HttpEnv>()
  const webApp = openWebApp(publicConfig, publicUrl)
  const visitOf = openVisits({ publicUrl, trustedProxies, log })
  const usesStripe = publicConfig.stripePublishableKey !== null
  const framesOthers = !usesStripe && !publicConfig.sandbox
  const guard = standInGuard({ publicUrl, isOpen: allowSandbox })
  app.use(commonHeaders({ usesStripe, isHttps: publicUrl.startsWith('https:') }))
  app.use(openLog(log, services.keyedHash, visitOf))
  app.use(refuseMalformed)
  app.route('/', healthRoutes(isReady))
  app.route('/api', apiRoutes(services, { visitOf, metrics: metrics?.metrics }))
  app.route('/live', liveRoutes(live, services.keyedHash))
  if (metrics) app.route('/metrics', metricsRoutes(metrics.metrics, metrics.token))
  app.route('/webhooks/stripe', stripeWebhookRoutes(services, visitOf))
  app.route('/invoices', invoiceRoutes(services, visitOf))
  if (sandbox) app.use('/sandbox/*', guard).route('/sandbox', sandbox)
  app.route('/auth/provider', providerRoutes(services, visitOf))
  app.use(pageHeaders({ usesStripe, framesOthers, scriptHashes: webApp.scriptHashes }))
  if (keepsMail) app.use('/dev/*', guard).route('/dev', devMailRoutes(services))
  app.route('/', webApp.routes)
  app.onError((error, c) => {
    if (error instanceof HTTPException) return error.getResponse()
    c.get('log').error({ err: error }, 'a request failed')
    return c.text('Something went wrong on our side.', 500)
  })
  return app
}

/** Addresses with a character that PostgreSQL can't keep, so that nothing has it in its name, and hosts that are none or several. */
const refuseMalformed = createMiddleware(async (c, next) => {
  const { url } = c.req
  const isWellFormed =
    URL.canParse(url) && !url.includes('%00') && isHost(c.req.header('host') ?? new URL(url).host)
  return isWellFormed ? next() : c.text('Bad Request', 400)
})

/** Some that look like one are in no URL, as 1.2.3.256 is. */
function isHost(text: string) {
  return /^([\w.-]+|\[[\da-f:.]+\])(:\d+)?$/i.test(text) && URL.canParse(`http://${text}`)
}
