import { readFile } from 'node:fs/promises'
import type { Context } from 'hono'

const files: Record<string, string> = {
  'colors.css': 'text/css; charset=utf-8',
  'sandbox.css': 'text/css; charset=utf-8',
  'card.css': 'text/css; charset=utf-8',
  'card.js': 'text/javascript; charset=utf-8',
  'card-text.js': 'text/javascript; charset=utf-8',
  'authenticated.js': 'text/javascript; charset=utf-8',
}

export async function asset(c: Context) {
  const name = c.req.param('name') ?? ''
  const type = Object.hasOwn(files, name) ? files[name] : undefined
  if (!type) return c.text('Not found', 404)
  const content = await readFile(new URL(`./assets/${name}`, import.meta.url), 'utf8')
  // The app frames the page without an origin, so the page's requests are cross-origin.
  c.header('cross-origin-resource-policy', 'cross-origin')
  return c.body(content, 200, {
    'content-type': type,
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
  })
}
