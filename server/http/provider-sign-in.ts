import { limits } from '#config/limits.ts'
import { fallbackLanguage, languages, type LanguageCode } from '#config/languages.ts'
import { product } from '#config/product.ts'
import { language as languageField } from '#contract/fields.ts'
import { paths } from '#contract/paths.ts'
import { loadTranslator } from '#locales/load-translator.ts'
import { Hono, type Context } from 'hono'
import { html } from 'hono/html'
import { secureHeaders } from 'hono/secure-headers'
import type { Services } from '../core/services.ts'
import { beginFlow, endFlow, type Outcome } from '../identity/provider-flows.ts'
import { Refusal } from '../platform/refusal.ts'
import { limitBody, refusalFor, type HttpEnv } from './request.ts'
import { isFromOurSite } from './visit.ts'

/** The window for signing in at a provider: one route leads there, the others back. */
export function providerRoutes(services: Services) {
  async function finish(c: Context<HttpEnv>, answer: URLSearchParams) {
    const provider = c.req.param('provider')!
    const own = logging(c, services)
    const { outcome, language } = await endFlow(provider, answer, c.get('visit'), own)
    own.log.info({ provider, outcome, status: 200 }, 'came back from a sign-in provider')
    if (outcome === 'signedIn')
      c.get('observer').count({ kind: 'signIn', way: provider, outcome: 'ok' })
    return c.html(await popupPage(language, outcome))
  }

  return new Hono<HttpEnv>()
    .use(headers())
    .use(async (c, next) => {
      await next()
      c.header('cache-control', 'no-store')
    })
    .get('/:provider', async (c) => {
      // Refuses a sign-in that a page of another site starts.
      if (!isFromOurSite(c, services.publicUrl)) throw new Refusal('auth/expired-provider-flow')
      const flow = {
        provider: c.req.param('provider'),
        intent: 'signIn',
        userId: null,
        sessionId: null,
        language: languageOf(c),
      } as const
      const url = await beginFlow(flow, c.get('visit'), logging(c, services))
      return c.redirect(url.href, 303)
    })
    .get('/:provider/callback', async (c) => finish(c, new URL(c.req.url).searchParams))
    .post('/:provider/callback', limitBody(limits.calls.bodySize), async (c) =>
      finish(c, new URLSearchParams(await c.req.text())),
    )
    .onError(async (error, c) => {
      const { reason, limit, details } = refusalFor(error, c, 'signing in at a provider failed')
      const given = c.req.param('provider') ?? ''
      const provider = services.signInProviders.has(given) ? given : 'unknown'
      c.get('log').info({ provider, refused: reason, limit, status: 200 }, 'a provider sign-in')
      c.get('observer').count({ kind: 'signIn', way: provider, outcome: reason })
      return c.html(await popupPage(languageOf(c), 'refused', { reason, details }))
    })
}

/** This page has no opener policy, because it has to reach the window that opened it. */
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

function languageOf(c: Context): LanguageCode | null {
  return languageField.safeParse(c.req.query('lang')).data ?? null
}

function logging(c: Context<HttpEnv>, services: Services): Services {
  return { ...services, log: c.get('log') }
}

/** The page's script tells the app the outcome. Its text is for windows the app didn't open. */
async function popupPage(
  asked: LanguageCode | null,
  outcome: Outcome | 'refused',
  { reason, details }: Partial<Pick<Refusal, 'reason' | 'details'>> = {},
) {
  const language = asked ?? fallbackLanguage
  const t = await loadTranslator(language)
  return html`<!doctype html>
    <html lang="${language}" dir="${languages[language].dir ?? 'ltr'}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${product.name}</title>
        <style>
          :root {
            color-scheme: light dark;
            font:
              16px/1.5 system-ui,
              sans-serif;
          }
          main {
            max-width: 26rem;
            margin: 20vh auto;
            padding: 0 16px;
          }
        </style>
        <script src="/provider-popup.js" defer></script>
      </head>
      <body
        data-outcome="${outcome}"
        data-reason="${reason ?? ''}"
        data-details="${JSON.stringify(details ?? {})}"
      >
        <main>
          <h1>${t(`auth.popup.${outcome}`)}</h1>
          <p>${reason ? t(`errors.${reason}`) : t('auth.popup.close')}</p>
          <p><a href="${paths.home}">${product.name}</a></p>
        </main>
      </body>
    </html>`
}
