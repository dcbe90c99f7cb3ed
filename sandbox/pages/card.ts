import { serveStatic } from '@hono/node-server/serve-static'
import { Hono, type Context } from 'hono'
import { html } from 'hono/html'
import { page } from './layout.ts'

const assets = serveStatic({
  root: import.meta.dirname,
  rewriteRequestPath: (path) => path.slice(path.indexOf('/assets/')),
})

/** The fields of a card for a frame of the app. They need no database and no state. */
export const cardForm = new Hono().get('/card', cardPage).get(
  '/assets/:name',
  async (c, next) => {
    // The app frames the page without an origin, so the page's requests are cross-origin.
    c.header('cross-origin-resource-policy', 'cross-origin')
    c.header('cache-control', 'no-cache')
    c.header('x-content-type-options', 'nosniff')
    await next()
  },
  assets,
)

const head = html`<link rel="stylesheet" href="/sandbox/assets/card.css" />
  <script type="module" src="/sandbox/assets/card.js"></script>`

function cardPage(c: Context) {
  return page(
    c,
    'Card',
    html`<main class="fields" aria-labelledby="title" hidden>
      <h1 id="title" class="unseen" data-text="title"></h1>
      <div class="notice">
        <p data-text="sandbox"></p>
        <button type="button" data-text="fillIn"></button>
      </div>
      ${field('number', 'cc-number', '1234 1234 1234 1234')}
      <div class="pair">${field('expiry', 'cc-exp', '12 / 34')}${field('cvc', 'cc-csc', '')}</div>
    </main>`,
    { head, allows: "; connect-src 'self'; font-src 'self'", framedBy: "'self'" },
  )
}

/** The app draws the texts and the mark of the brand. */
function field(id: 'number' | 'expiry' | 'cvc', autocomplete: string, placeholder: string) {
  return html`<div>
    <label for="${id}" data-text="${id}"></label>
    <div class="control">
      <input
        id="${id}"
        name="card.${id}"
        autocomplete="${autocomplete}"
        inputmode="numeric"
        placeholder="${placeholder}"
        maxlength="23"
        required
        aria-describedby="${id}-error ${id}-hint"
      />
      ${id === 'number' ? html`<span id="mark"></span>` : ''}
    </div>
    <p id="${id}-hint" class="hint soft"></p>
    <div aria-live="polite"><p id="${id}-error" class="error bad"></p></div>
  </div>`
}
