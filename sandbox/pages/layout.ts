import type { Context } from 'hono'
import { html } from 'hono/html'
import type { FramedBy } from '../store/tx.ts'

export type Html = ReturnType<typeof html>

type Options = { status?: 200 | 400 | 404 | 410; script?: string; framedBy?: FramedBy }

/** A complete page. It runs no script but `script`. By default only its own origin may frame it. */
export async function page(
  c: Context,
  title: string,
  body: Html,
  { status = 200, script, framedBy = "'self'" }: Options = {},
) {
  c.header('content-security-policy', `${policy}; frame-ancestors ${framedBy}`)
  if (framedBy === "'self'") c.header('x-frame-options', 'SAMEORIGIN')
  c.header('cache-control', 'no-store')
  c.header('referrer-policy', 'no-referrer')
  return c.html(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="robots" content="noindex" />
          <title>${title} · Sandbox</title>
          <link rel="icon" href="data:," />
          <link rel="stylesheet" href="/sandbox/assets/sandbox.css" />
          ${script ? html`<script src="/sandbox/assets/${script}" defer></script>` : ''}
        </head>
        <body>
          ${body}
        </body>
      </html>`,
    status,
  )
}

const policy =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src data:; form-action 'self'; base-uri 'none'"

export function notFound(c: Context, what: 'invoice' | 'payment' | 'page') {
  return note(c, `This ${what} was not found`, 'Check that the link is complete.', 404)
}

/** A page with a title and a text only. */
export function note(c: Context, title: string, text: string, status: 404 | 410) {
  return page(
    c,
    title,
    html`<main class="narrow">
      <h1>${title}</h1>
      <p>${text}</p>
    </main>`,
    { status },
  )
}
