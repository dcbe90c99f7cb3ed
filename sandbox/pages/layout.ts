import type { Context } from 'hono'
import { html } from 'hono/html'

export type Html = ReturnType<typeof html>

/** One page, complete without scripts of its own but those given, and to be framed by our own app alone. */
export async function page(
  c: Context,
  title: string,
  body: Html,
  { status = 200, script }: { status?: 200 | 400 | 404; script?: string } = {},
) {
  c.header('content-security-policy', policy)
  c.header('x-frame-options', 'SAMEORIGIN')
  c.header('cache-control', 'no-store')
  c.header('referrer-policy', 'no-referrer')
  const head = html`<meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex" />
    <title>${title}</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/sandbox/assets/sandbox.css" />
    ${script ? html`<script src="/sandbox/assets/${script}" defer></script>` : ''}`
  return c.html(
    html`<!doctype html>
      <html lang="en">
        <head>
          ${head}
        </head>
        <body>
          ${body}
        </body>
      </html>`,
    status,
  )
}

const policy =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'self'"

export function notFound(c: Context, what: string) {
  return page(
    c,
    'Not found',
    html`<main class="narrow">
      <h1>${what} was not found</h1>
      <p>Check that the link is complete.</p>
    </main>`,
    { status: 404 },
  )
}
