import { limits } from '#config/limits.ts'
import { fallbackLanguage, type LanguageCode } from '#config/languages.ts'
import { language as languageField } from '#contract/fields.ts'
import { Hono, type Context } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import { beginFlow, endFlow } from '../identity/provider-flows.ts'
import { Refusal } from '../platform/refusal.ts'
import { toRefusal } from '../core/to-refusal.ts'
import type { Services } from '../core/services.ts'
import { popupPage } from './popup-page.ts'
import type { HttpEnv } from './request-log.ts'
import { takeBody } from './take-body.ts'
import type { VisitOf } from './visit.ts'

/** The window in which people sign in at a provider: there, and back to a page that tells the app how it went. */
export function providerRoutes(services: Services, visitOf: VisitOf) {
  async function finish(c: Context<HttpEnv>, answer: URLSearchParams) {
    const { outcome, language } = await endFlow(
      c.req.param('provider')!,
      answer,
      visitOf(c),
      logging(c, services),
    )
    c.get('log').info(
      { provider: c.req.param('provider'), outcome },
      'came back from a sign-in provider',
    )
    return c.html(await popupPage({ outcome }, language ?? fallbackLanguage))
  }

  return new Hono<HttpEnv>()
    .use(headers())
    .use(async (c, next) => {
      await next()
      c.header('cache-control', 'no-store')
    })
    .get('/:provider', async (c) => {
      if (isElsewhere(c)) throw new Refusal('auth/expired-provider-flow')
      const flow = {
        provider: c.req.param('provider'),
        intent: 'signIn',
        userId: null,
        sessionId: null,
        language: languageOf(c),
      } as const
      return c.redirect((await beginFlow(flow, visitOf(c), logging(c, services))).href, 303)
    })
    .get('/:provider/callback', async (c) => finish(c, new URL(c.req.url).searchParams))
    .post('/:provider/callback', takeBody({ maxSize: limits.calls.bodySize, visitOf }), async (c) =>
      finish(c, new URLSearchParams(await c.req.text())),
    )
    .onError(async (error, c) => {
      const { reason } = toRefusal(error)
      if (reason === 'internal')
        c.get('log').error({ err: error }, 'signing in at a provider failed')
      else c.get('log').info({ path: c.req.path, reason }, 'refused')
      return c.html(
        await popupPage({ outcome: 'refused', reason }, languageOf(c) ?? fallbackLanguage),
      )
    })
}

/**
 * Not those of other pages: a page that keeps to itself would lose the window that opened it. The address of this one holds what the
 * provider said, so nothing is told where a request comes from, and nothing is kept.
 */
function headers() {
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'unsafe-inline'"],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
    },
    strictTransportSecurity: false,
    xFrameOptions: 'DENY',
    crossOriginOpenerPolicy: false,
  })
}

/** Another site may not send people to sign in. */
function isElsewhere(c: Context) {
  const site = c.req.header('sec-fetch-site')
  return site === 'cross-site' || site === 'same-site'
}

function languageOf(c: Context): LanguageCode | null {
  return languageField.safeParse(c.req.query('lang')).data ?? null
}

function logging(c: Context<HttpEnv>, services: Services): Services {
  return { ...services, log: c.get('log') }
}
