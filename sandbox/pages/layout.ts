import type { Context } from 'hono'
import { html } from 'hono/html'
import type { Merchant } from '../objects/account.ts'
import type { FramedBy } from '../store/tx.ts'

export type Html = ReturnType<typeof html>

type Options = {
  status?: 200 | 400 | 404 | 410
  /** What stands in the head beside the styles of all pages. */
  head?: Html
  /** What the content security policy allows beside what all pages need. */
  allows?: string
  framedBy?: FramedBy
  /** Whose name and links to the other pages stand at the top. */
  bar?: Merchant
}

/** A complete page. By default it runs no script, and nobody may frame it. */
export async function page(
  c: Context,
  title: string,
  body: Html,
  { status = 200, head, allows = '', framedBy = "'none'", bar }: Options = {},
) {
  c.header('content-security-policy', `${policy}${allows}; frame-ancestors ${framedBy}`)
  if (framedBy !== '*') c.header('x-frame-options', framedBy === "'self'" ? 'SAMEORIGIN' : 'DENY')
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
          <link rel="stylesheet" href="/sandbox/assets/colors.css" />
          <link rel="stylesheet" href="/sandbox/assets/sandbox.css" />
          ${head ?? ''}
        </head>
        <body>
          ${bar ? barOf(bar, c.req.path) : ''} ${body}
        </body>
      </html>`,
    status,
  )
}

const places = {
  '/sandbox': 'Test cards',
  '/sandbox/clock': 'Clock',
  '/sandbox/control': 'Control',
}

function barOf(merchant: Merchant, path: string) {
  return html`<header class="bar">
    ${logo(merchant)}
    <nav aria-label="Sandbox">
      ${Object.entries(places).map(
        ([to, name]) =>
          html`<a href="${to}" ${to === path ? html`aria-current="page"` : ''}>${name}</a>`,
      )}
    </nav>
  </header>`
}

/** The merchant's mark and name. */
export function logo({ mark, name }: Merchant) {
  const picture = mark && `data:image/png;base64,${Buffer.from(mark).toString('base64')}`
  return html`<span class="logo"
    >${picture ? html`<img src="${picture}" width="28" height="28" alt="" />` : ''}${name}</span
  >`
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
