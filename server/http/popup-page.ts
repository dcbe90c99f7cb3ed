import { languages, type LanguageCode } from '#config/languages.ts'
import { product } from '#config/product.ts'
import { paths } from '#contract/paths.ts'
import type { Reason } from '#contract/refusals.ts'
import { html } from 'hono/html'
import { translator } from '../mails/translator.ts'
import type { Outcome } from '../identity/provider-flows.ts'

type Told = { outcome: Outcome; reason?: undefined } | { outcome: 'refused'; reason: Reason }

/** Its script tells the app how it went and closes the window. The words are for whoever opened it in another way. */
export async function popupPage({ outcome, reason }: Told, language: LanguageCode) {
  const t = await translator(language)
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
      <body data-outcome="${outcome}" data-reason="${reason ?? ''}">
        <main>
          <h1>${t(`auth.popup.${outcome}`)}</h1>
          <p>${reason ? t(`errors.${reason}`) : t('auth.popup.close')}</p>
          <p><a href="${paths.home}">${product.name}</a></p>
        </main>
      </body>
    </html>`
}
