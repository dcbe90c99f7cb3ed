import type { Context } from 'hono'
import { html } from 'hono/html'
import type { FramedBy } from '../store/tx.ts'
import type { Reader } from './reader.ts'

export type Html = ReturnType<typeof html>

type Options = { status?: 200 | 400 | 404 | 410; script?: string; framedBy?: FramedBy }

/** One page, complete without scripts of its own but those given, and to be framed by our own app alone unless it says otherwise. */
export async function page(
  c: Context,
  { language, t }: Reader,
  title: string,
  body: Html,
  { status = 200, script, framedBy = "'self'" }: Options = {},
) {
  c.header('content-security-policy', `${policy}; frame-ancestors ${framedBy}`)
  if (framedBy === "'self'") c.header('x-frame-options', 'SAMEORIGIN')
  c.header('cache-control', 'no-store')
  c.header('referrer-policy', 'no-referrer')
  const head = html`<meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex" />
    <title>${title} · ${t('sandbox.home')}</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/sandbox/assets/sandbox.css" />
    ${script ? html`<script src="/sandbox/assets/${script}" defer></script>` : ''}`
  return c.html(
    html`<!doctype html>
      <html lang="${language}">
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
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src data:; form-action 'self'; base-uri 'none'"

export function notFound(c: Context, reader: Reader, what: 'invoice' | 'payment' | 'page') {
  return nothing(
    c,
    reader,
    [reader.t(`sandbox.notFound.${what}`), reader.t('sandbox.notFound.hint')],
    404,
  )
}

export function linkEnded(c: Context, reader: Reader) {
  return nothing(
    c,
    reader,
    [reader.t('sandbox.invoice.linkEnded'), reader.t('sandbox.invoice.linkEndedHint')],
    410,
  )
}

function nothing(c: Context, reader: Reader, [title, hint]: [string, string], status: 404 | 410) {
  return page(
    c,
    reader,
    title,
    html`<main class="narrow">
      <h1>${title}</h1>
      <p>${hint}</p>
    </main>`,
    { status },
  )
}
