import type { StandIns } from './dev.ts'

/** A script that puts a small menu into the corner of the app, until it is hidden in this tab. */
export function chipScript({ mail, payments }: StandIns) {
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

/** Below toasts and everything else that opens over the app. */
const style = `
:host { position: fixed; inset-block-end: max(8px, env(safe-area-inset-bottom)); inset-inline-end: 8px; z-index: 15; font: 500 13px/1.5 'Inter Variable', system-ui, sans-serif; }
@media print { :host { display: none; } }
details { position: relative; }
summary { display: flex; align-items: center; height: 28px; padding: 0 10px; border: 1px solid var(--line); border-radius: 999px; background: var(--surface); color: var(--soft); cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary:hover { color: var(--ink); }
div { position: absolute; inset-block-end: calc(100% + 6px); inset-inline-end: 0; display: grid; min-width: 190px; padding: 4px; border: 1px solid var(--line); border-radius: 10px; background: var(--surface); box-shadow: 0 8px 24px #0003; }
a, button { padding: 8px 12px; border: 0; border-radius: 6px; background: none; color: var(--ink); font: inherit; text-align: start; text-decoration: none; cursor: pointer; }
button { color: var(--soft); }
a:hover, button:hover { background: var(--sunken); }
:focus-visible { outline: 2px solid var(--ring); outline-offset: 2px; }
@media (pointer: coarse) { summary { height: 44px; padding: 0 14px; } a, button { padding: 12px; } }
nav {
  --surface: light-dark(oklch(1 0 0), oklch(0.215 0.014 240));
  --sunken: light-dark(oklch(0.968 0.005 230), oklch(0.26 0.014 240));
  --line: light-dark(oklch(0.84 0.012 230), oklch(0.4 0.02 240));
  --ink: light-dark(oklch(0.23 0.02 240), oklch(0.95 0.006 230));
  --soft: light-dark(oklch(0.47 0.02 240), oklch(0.75 0.014 230));
  --ring: light-dark(oklch(0.6 0.12 222), oklch(0.75 0.11 215));
}`
