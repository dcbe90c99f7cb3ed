import { Hono } from 'hono'
import type { Services } from '../core/services.ts'
import { devExampleRoutes } from './examples.ts'
import { devMailRoutes } from './mail.ts'

/** Which stand-ins this server has. */
export type StandIns = { mail: boolean; payments: boolean }

/** Comforts of development. `standInGuard` has to guard them: they give access to every account. */
export function devRoutes(services: Services, standIns: StandIns) {
  const routes = new Hono()
    .get('/chip.js', (c) =>
      c.body(chipScript(standIns), 200, { 'content-type': 'text/javascript' }),
    )
    .route('/', devExampleRoutes(services))
  return standIns.mail ? routes.route('/', devMailRoutes(services)) : routes
}

/** A script that puts a small menu into the corner of the app, until it is hidden in this tab. */
function chipScript({ mail, payments }: StandIns) {
  const links = {
    ...(mail && { '/dev/mail': 'Mail' }),
    ...(payments && { '/sandbox': 'Payment sandbox' }),
    '/dev/people': 'Example people',
  }
  const items = Object.entries(links)
    .map(([to, name]) => `<a href="${to}" target="_blank" rel="noreferrer">${name}</a>`)
    .join('')
  const content = `<style>${style}</style><nav aria-label="Development"><details><summary>Dev</summary><div>${items}<button type="button">Hide in this tab</button></div></details></nav>`
  return `const key = 'development-hidden'
if (!sessionStorage.getItem(key)) {
  const host = document.createElement('development-menu')
  const root = host.attachShadow({ mode: 'open' })
  root.innerHTML = ${JSON.stringify(content)}
  const menu = root.querySelector('details')
  const close = () => { menu.open = false }
  root.querySelector('button').addEventListener('click', () => {
    sessionStorage.setItem(key, '1')
    host.remove()
  })
  root.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !menu.open) return
    close()
    root.querySelector('summary').focus()
  })
  root.querySelectorAll('a').forEach((link) => link.addEventListener('click', close))
  document.addEventListener('pointerdown', (event) => event.composedPath().includes(host) || close())
  document.body.append(host)
}
`
}

/**
 * In the app's colours, over the app, but below its dialogs and menus. On a phone, it has a line of
 * its own after the page, so that there is nothing it covers for good.
 */
const style = `
@media (width < 50rem) { :host { display: block; height: 3.75rem; } }
@media print { :host { display: none; } }
nav { position: fixed; inset-block-end: max(8px, env(safe-area-inset-bottom)); inset-inline-end: 8px; font: 500 13px/1.5 var(--font-sans); }
summary { display: flex; align-items: center; height: 28px; padding: 0 10px; border: 1px solid var(--color-line-strong); border-radius: 999px; background: var(--color-surface); color: var(--color-soft); cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary:hover { color: var(--color-ink); }
div { position: absolute; inset-block-end: calc(100% + 6px); inset-inline-end: 0; display: grid; min-width: 190px; padding: 4px; border: 1px solid var(--color-line-strong); border-radius: 10px; background: var(--color-surface); box-shadow: 0 8px 24px #0003; }
a, button { padding: 8px 12px; border: 0; border-radius: 6px; background: none; color: var(--color-ink); font: inherit; text-align: start; text-decoration: none; cursor: pointer; }
button { color: var(--color-soft); }
a:hover, button:hover { background: var(--color-sunken); }
:focus-visible { outline: 2px solid var(--color-ring); outline-offset: 2px; }
@media (pointer: coarse) { summary { height: 44px; padding: 0 14px; } a, button { padding: 12px; } }`
