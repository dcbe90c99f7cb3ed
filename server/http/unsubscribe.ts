import { fallbackLanguage, languages } from '#config/languages.ts'
import { product } from '#config/product.ts'
import { paths } from '#contract/paths.ts'
import { loadTranslator } from '#locales/load-translator.ts'
import type { Translate } from '#locales/translator.ts'
import { Hono, type Context } from 'hono'
import { html, raw } from 'hono/html'
import type { Services } from '../core/services.ts'
import { openStopLink, stopMails, type StopLink } from '../core/stop-links.ts'
import type { Stop } from '../mails/mails.ts'
import { colors, font } from '../platform/colors.ts'
import type { Refusal } from '../platform/refusal.ts'
import { refusalFor, type HttpEnv } from './request.ts'

type State = 'ask' | 'done' | 'broken' | 'failed'

/**
 * Ends mails for whoever has the link of one: no session is asked for, and the answer is the same
 * whether or not there is an account. Only a POST acts, because mail programs and scanners open links.
 */
export function unsubscribeRoutes(services: Services) {
  const linkOf = (c: Context) => openStopLink(c.req.query('token') ?? '', services)
  return new Hono<HttpEnv>()
    .use(async (c, next) => {
      await next()
      c.header('cache-control', 'no-store')
      c.header('content-security-policy', policy)
    })
    .get('/', (c) => {
      const link = linkOf(c)
      return link ? show(c, 'ask', link) : show(c, 'broken', link, 400)
    })
    .post('/', async (c) => {
      const link = linkOf(c)
      if (!link) return show(c, 'broken', link, 400)
      await stopMails(link.stop, services)
      return show(c, 'done', link)
    })
    .onError((error, c) => {
      const { httpStatus } = refusalFor(error, c, 'mails could not be ended')
      return show(c, 'failed', linkOf(c), httpStatus)
    })
}

const policy =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; form-action 'self'"
const choice = `${paths.profile}#emails`

type Status = 200 | Refusal['httpStatus']

async function show(c: Context, state: State, link?: StopLink, status: Status = 200) {
  const { language, stop } = link ?? { language: fallbackLanguage, stop: undefined }
  const t = await loadTranslator(language)
  const title = t('mails.unsubscribe.title')
  const hasChoice = !stop || 'user' in stop
  return c.html(
    html`<!doctype html>
      <html lang="${language}" dir="${languages[language].dir ?? 'ltr'}">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="robots" content="noindex" />
          <title>${title} · ${product.name}</title>
          <style>
            ${raw(style)}
          </style>
        </head>
        <body>
          <main>
            <p class="soft">${product.name}</p>
            <h1>${title}</h1>
            <p>${textOf(state, stop, t)}</p>
            ${
              state === 'ask'
                ? html`<form method="post"><button>${t('mails.unsubscribe.button')}</button></form>`
                : hasChoice && html`<a href="${choice}">${t('mails.notices.choose')}</a>`
            }
          </main>
        </body>
      </html>`,
    status,
  )
}

function textOf(state: State, stop: Stop | undefined, t: Translate) {
  if (!stop || state === 'broken' || state === 'failed')
    return t(`mails.unsubscribe.${state === 'failed' ? 'failed' : 'broken'}`)
  if ('mailbox' in stop) return t(`mails.unsubscribe.${state}.invitations`)
  if (stop.kind === 'digest') return t(`mails.unsubscribe.${state}.digest`)
  return t(`mails.unsubscribe.${state}.kind`, { kind: t(`profile.notices.${stop.kind}`) })
}

const inTheme = (theme: 0 | 1) =>
  Object.entries(colors)
    .map(([name, shades]) => `--${name}: ${shades[theme]};`)
    .join('')
const style = `:root { color-scheme: light dark; ${inTheme(0)} font: 16px/1.5 ${font.family} }
@media (prefers-color-scheme: dark) { :root { ${inTheme(1)} } }
body { margin: 0; background: var(--page); color: var(--ink) }
main { max-width: 28rem; margin: 12vh auto; padding: 0 16px }
h1 { font-size: 22px } .soft { color: var(--soft) } a { color: var(--accent) }
button { font: inherit; font-weight: 600; padding: 10px 20px; border: 0; border-radius: 6px; background: var(--accent); color: var(--on-accent) }`
