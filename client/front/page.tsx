import { languages, type LanguageCode } from '#config/languages.ts'
import { product } from '#config/product.ts'
import { frontPages, paths } from '#contract/paths.ts'
import { waysToPay } from '#contract/price-choice.ts'
import type { Messages } from '#locales/translator.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { StaticRouter } from 'react-router'
import { showTexts, useT } from '../platform/i18n.ts'
import type { Shown } from './frame.tsx'
import { Pricing, Welcome } from './pages.tsx'

const files = import.meta.glob<Messages>('#locales/*.json', {
  import: 'default',
  query: '?all',
  eager: true,
})

type Look = {
  styles: string
  script: string
  /** The address of the font. */
  font: string
  /** The colors of the page in the light and in the dark theme, for the browser's own bars. */
  colors: [light: string, dark: string]
}

/** Every page for visitors as HTML, in which `%ORIGIN%` stands for the address of the server. */
export function renderPages(look: Look) {
  return Object.entries(files).flatMap(([file, messages]) => {
    const language = (Object.keys(languages) as LanguageCode[]).find((code) =>
      file.endsWith(`/${code}.json`),
    )
    // The file of a language that is off.
    if (!language) return []
    showTexts(language, messages)
    return frontPages.flatMap((page) =>
      waysToPay.map((way) => {
        const shown = { page, language, way }
        const html = renderToStaticMarkup(
          <StaticRouter location={`${paths[page]}?${way}`}>
            <Page {...shown} {...look} />
          </StaticRouter>,
        )
        return { ...shown, html: `<!doctype html>${html}` }
      }),
    )
  })
}

const pages = { welcome: Welcome, pricing: Pricing }

function Page({ page, language, way, styles, script, font, colors }: Shown & Look) {
  const t = useT()
  const title = `${t(page === 'welcome' ? 'front.headline' : 'pricing.title')} · ${product.name}`
  const description = t(`front.${page}`)
  const Content = pages[page]
  const own = `%ORIGIN%/${language}${paths[page]}`
  const themes = ['light', 'dark'] as const
  return (
    <html lang={language} dir={languages[language].dir}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <meta name="description" content={description} />
        <link rel="canonical" href={own} />
        {Object.keys(languages).map((code) => (
          <link
            key={code}
            rel="alternate"
            hrefLang={code}
            href={`%ORIGIN%/${code}${paths[page]}`}
          />
        ))}
        <link rel="alternate" hrefLang="x-default" href={`%ORIGIN%${paths[page]}`} />
        <style dangerouslySetInnerHTML={{ __html: styles }} />
        <script dangerouslySetInnerHTML={{ __html: script }} />
        <link rel="preload" as="font" type="font/woff2" href={font} crossOrigin="" />
        <meta name="color-scheme" content="light dark" />
        {themes.map((theme, place) => (
          <meta
            key={theme}
            name="theme-color"
            content={colors[place]}
            media={`(prefers-color-scheme: ${theme})`}
          />
        ))}
        <meta property="og:type" content="website" />
        <meta property="og:url" content={own} />
        <meta property="og:title" content={title} />
        <meta property="og:description" content={description} />
        <meta property="og:image" content={`%ORIGIN%/front/share-${page}.png`} />
        <meta property="og:image:width" content="1200" />
        <meta property="og:image:height" content="630" />
        <meta name="twitter:card" content="summary_large_image" />
        <link rel="icon" href="/favicon.ico" sizes="32x32" />
        <link rel="icon" href="/mark.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
      </head>
      <body>
        <Content page={page} language={language} way={way} />
      </body>
    </html>
  )
}
