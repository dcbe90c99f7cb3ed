import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { compress } from 'hono/compress'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export type PublicConfig = {
  /** Where Stripe itself takes the money. */
  stripePublishableKey: string | null
  /** The stand-in is part of this server. */
  sandbox: boolean
  signInProviders: { name: string; label: string }[]
}

const root = fileURLToPath(new URL('../../dist/client/', import.meta.url))

/** The built app: hashed files for good, pictures for a day, and the one page that every other path gets, never cached. */
export function openWebApp(config: PublicConfig, publicUrl: string) {
  const page = loadPage(config, publicUrl)
  const routes = new Hono()
    .use(
      '/assets/*',
      serveStatic({
        root,
        precompressed: true,
        onFound: (_path, c) => c.header('cache-control', 'public, max-age=31536000, immutable'),
      }),
    )
    .use(
      '*',
      serveStatic({
        root,
        precompressed: true,
        rewriteRequestPath: withoutPage,
        onFound: (_path, c) =>
          c.header(
            'cache-control',
            /\.(ico|png|svg|webmanifest)$/.test(c.req.path) ? 'public, max-age=86400' : 'no-cache',
          ),
      }),
    )
    .get('*', compress(), (c) =>
      /\.\w+$/.test(c.req.path) || /^\/(metrics|webhooks|dev|sandbox)(\/|$)/.test(c.req.path)
        ? c.text('There is no such file.', 404)
        : c.html(page, 200, { 'cache-control': 'no-cache' }),
    )
  return {
    routes,
    scriptHashes: [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, code]) =>
      hashOf(code!),
    ),
  }
}

/** The page is served with its configuration in it, never as the bare file. */
function withoutPage(path: string) {
  return path === '/' || path === '/index.html' ? '/.none' : path
}

function loadPage(config: PublicConfig, publicUrl: string) {
  const file = `${root}index.html`
  if (!existsSync(file)) return 'The web app has not been built. Run: npm run build'
  const json = JSON.stringify(config).replaceAll('<', '\\u003c')
  return (
    readFileSync(file, 'utf8')
      .replace(
        /(<script type="application\/json" id="atrium-config">)[^<]*/,
        (_all, tag: string) => tag + json,
      )
      // Whoever shows a preview of a link wants the picture's whole address.
      .replace('content="/share.png"', () => `content="${publicUrl}/share.png"`)
  )
}

function hashOf(script: string) {
  return `'sha256-${createHash('sha256').update(script).digest('base64')}'`
}
