import { fallbackLanguage, languages, type LanguageCode } from '#config/languages.ts'
import { product } from '#config/product.ts'
import type { Runtime } from '#contract/runtime.ts'
import { frontPages, paths, projectPath } from '#contract/paths.ts'
import { waysToPay } from '#contract/price-choice.ts'
import { isOpen, screenEntries, screenModule, screens, type ScreenName } from '#contract/screens.ts'
import { dist } from '#dist'
import { matchLanguages } from '#locales/match-language.ts'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono, type Context } from 'hono'
import { compress } from 'hono/compress'
import { hash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { fileOf, findFrontPage, openFrontPages, tagsOf } from './front-pages.ts'
import type { HttpEnv } from './request.ts'

const root = fileURLToPath(dist)
const codes = Object.keys(languages) as LanguageCode[]

type Options = {
  /** Whether the page has the menu of development. */
  withChip?: boolean
}

/** Browsers keep files with hashed names for a year, pictures for a day, and ask for the page. */
export function openWebApp(config: Runtime, publicUrl: string, { withChip }: Options = {}) {
  const chip = withChip ? '<script src="/dev/chip.js" defer></script>' : ''
  const page = loadPage(config, publicUrl).replace('</body>', `${chip}</body>`)
  const preloadsOf = openPreloads()
  const frontPageOf = openFrontPages(root, publicUrl)
  const routes = new Hono<HttpEnv>()
    .use(
      serveStatic({
        root,
        precompressed: true,
        rewriteRequestPath: withoutPage,
        onFound: (_path, c) => c.header('cache-control', cachingOf(c.req.path)),
      }),
    )
    .use(compress())
  for (const page of frontPages)
    for (const path of [paths[page], `/:language${paths[page]}`] as const)
      routes.get(path, (c, next) => showFront(c) ?? next())
  // The app leads from `/` to the dashboard.
  routes.get(paths.home, (c) => {
    const isFront = product.home === 'welcome' && !c.get('visit').mayHaveSession
    if (product.home === 'welcome') c.header('vary', 'Cookie')
    return (isFront && showFront(c, paths.welcome)) || show(c, 'dashboard')
  })
  // The app says there that the id of the project is missing, and leads to the dashboard.
  routes.get(projectPath('subscription', ''), (c) => show(c, 'dashboard'))
  routes.get('/.well-known/change-password', (c) => c.redirect(paths.changePassword, 302))
  routes.get('/.well-known/security.txt', (c) => {
    const text = securityText(publicUrl)
    return text ? c.text(text) : c.text('There is no such file.', 404)
  })
  for (const [name, { path }] of screenEntries) routes.get(path, (c) => show(c, name))
  routes.get('*', (c) =>
    /\.\w+$/.test(c.req.path) || /^\/(metrics|webhooks|dev|sandbox)(\/|$)/.test(c.req.path)
      ? c.text('There is no such file.', 404)
      : show(c, undefined, 404),
  )

  /** Addresses of no screen get the page too, which says that there is nothing. */
  function show(c: Context<HttpEnv>, screen?: ScreenName, status: 200 | 404 = 200) {
    const { mayHaveSession } = c.get('visit')
    if (screen)
      c.header('link', preloadsOf(screen, mayHaveSession, c.req.header('accept-language')))
    return c.html(page, status, { 'cache-control': 'no-cache' })
  }

  /** The pages for visitors are HTML. Undefined if the address is none of theirs. */
  function showFront(c: Context<HttpEnv>, pathname = c.req.path) {
    const url = Object.assign(new URL(c.req.url), { pathname })
    const found = findFrontPage(url, c.req.header('accept-language'))
    if (!found) return undefined
    c.header('vary', 'Accept-Language', { append: true })
    c.header('content-language', found.language)
    return c.html(frontPageOf(fileOf(found)), 200, { 'cache-control': 'no-cache' })
  }

  const anyFront = frontPageOf(
    fileOf({ page: 'welcome', language: fallbackLanguage, way: waysToPay[0]! }),
  )
  return {
    routes,
    scriptHashes: [...(page + anyFront).matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
      ([, code]) => `'sha256-${hash('sha256', code!, 'base64')}'`,
    ),
  }
}

/** Vite's manifest: the file of each chunk, and the chunks that it imports, by source module. */
type Manifest = Record<string, { file: string; imports?: string[] }>

/** Gives a screen's `Link` header: the chunks to fetch before the page's own chunk has run. */
function openPreloads() {
  const file = `${root}manifest.json`
  const manifest = (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}) as Manifest
  const modules = Object.keys(manifest)
  const ofPage = withImports(['index.html'])

  function withImports(roots: string[]) {
    const found = new Set(roots)
    for (const module of found)
      for (const imported of manifest[module]?.imports ?? []) found.add(imported)
    return found
  }

  return function preloadsOf(wanted: ScreenName, isSignedIn: boolean, acceptLanguage?: string) {
    const language = matchLanguages(tagsOf(acceptLanguage), codes) ?? fallbackLanguage
    // The app leads visitors who need to sign in to the sign-in screen.
    const screen = isSignedIn || isOpen(screens[wanted].needs) ? wanted : 'signIn'
    const endings = [
      screenModule(screen),
      `/${language}.json?visitors`,
      ...(screens[screen].needs === 'signedOut' && !isSignedIn ? [] : [`/${language}.json?others`]),
      ...(isSignedIn ? ['signed-in-area.tsx', '/screens/top-bar.tsx'] : []),
    ]
    const roots = modules.filter((module) => endings.some((ending) => module.endsWith(ending)))
    return [...withImports(roots)]
      .filter((module) => !ofPage.has(module))
      .map((module) => `</${manifest[module]!.file}>; rel=modulepreload`)
      .join(', ')
  }
}

function cachingOf(path: string) {
  if (path.startsWith('/assets/')) return 'public, max-age=31536000, immutable'
  return /\.(ico|png|svg|webp|webmanifest)$/.test(path) ? 'public, max-age=86400' : 'no-cache'
}

/**
 * Keeps index.html and the pages for visitors from being served as files, without what the server
 * writes into them, and the build's manifest, which names our sources, in all its forms.
 */
function withoutPage(path: string) {
  const isOurs = /^\/(index\.html)?$|^\/front\/.*html|manifest\.json/i.test(path)
  return isOurs ? '/.none' : path
}

function loadPage(config: Runtime, publicUrl: string) {
  const file = `${root}index.html`
  if (!existsSync(file)) return 'The web app has not been built. Run: npm run build'
  const json = JSON.stringify(config).replaceAll('<', '\\u003c')
  return (
    readFileSync(file, 'utf8')
      .replace(
        /(<script type="application\/json" id="runtime">)[^<]*/,
        (_all, tag: string) => tag + json,
      )
      // Link previews need the picture's full address.
      .replace('content="/share.png"', () => `content="${publicUrl}/share.png"`)
  )
}

/** RFC 9116: where to report a hole. Readers must not trust it for longer than a year. */
function securityText(publicUrl: string) {
  if (!product.supportEmail) return undefined
  const expires = new Date(Date.now() + 30 * 24 * 60 * 60 * 1000).toISOString()
  const lines = {
    Contact: `mailto:${product.supportEmail}`,
    Expires: expires,
    'Preferred-Languages': Object.keys(languages).join(', '),
    Canonical: `${publicUrl}/.well-known/security.txt`,
  }
  return Object.entries(lines)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('')
}
