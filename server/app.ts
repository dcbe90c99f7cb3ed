import { Hono } from 'hono'
import type { Logger } from 'pino'
import { apiRoutes } from './routes/api.ts'
import { devMailRoutes } from './routes/dev-mail.ts'
import { healthRoutes } from './routes/health.ts'
import { openLog, type HttpEnv } from './routes/request-log.ts'
import { securityHeaders } from './routes/security-headers.ts'
import { openWebApp, type PublicConfig } from './routes/web-app.ts'
import { stripeWebhookRoutes } from './webhooks/stripe.ts'
import type { Services } from './services.ts'

export type AppOptions = {
  services: Services
  log: Logger
  publicUrl: string
  /** Takes the visitor's address from X-Forwarded-For. Only behind a proxy that sets it. */
  trustProxy: boolean
  isReady: () => Promise<boolean>
  /** What the web app may know of the configuration. */
  publicConfig: PublicConfig
  /** Mail is kept instead of sent: show it. */
  keepsMail: boolean
  /** The payment provider's stand-in, if it is in use. */
  sandbox?: Hono | undefined
}

/** The whole server as one Fetch-API handler. */
export function openApp({ services, log, publicUrl, trustProxy, isReady, publicConfig, keepsMail, sandbox }: AppOptions) {
  const app = new Hono<HttpEnv>()
  const webApp = openWebApp(publicConfig)
  app.use(openLog(log))
  app.route('/', healthRoutes(isReady))
  app.route('/api', apiRoutes(services, { publicUrl, trustProxy }))
  app.route('/webhooks/stripe', stripeWebhookRoutes(services))
  if (sandbox) app.route('/sandbox', sandbox)
  app.use(securityHeaders({ usesStripe: publicConfig.stripePublishableKey !== null, scriptHashes: webApp.scriptHashes }))
  if (keepsMail) app.route('/dev', devMailRoutes(services))
  app.route('/', webApp.routes)
  app.onError((error, c) => {
    c.get('log').error({ err: error }, 'a request failed')
    return c.text('Something went wrong on our side.', 500)
  })
  return app
}
