import { product } from '#config/product.ts'
import { html, raw } from 'hono/html'
import { colors, font } from '../platform/colors.ts'

type Html = ReturnType<typeof html>

/** A page for people who develop, in the product's look. */
export function devPage(title: string, body: Html, { script }: { script?: string } = {}) {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${`${title} · ${product.name}`}</title>
        <link rel="icon" href="/mark.svg" />
        <style>
          ${raw(style)}
        </style>
        ${script ? html`<script src="${script}" defer></script>` : ''}
      </head>
      <body>
        <header class="bar">
          <a href="/" class="logo"
            ><img src="/mark.svg" width="28" height="28" alt="" />${product.name}</a
          >
        </header>
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html>`
}

const variables = Object.entries(colors).map(
  ([name, [light, dark]]) => `--${name}: light-dark(${light}, ${dark});`,
)

const style = `:root { color-scheme: light dark; ${variables.join(' ')} }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 14px/1.5 ${font.family}; overflow-wrap: anywhere; }
.bar { display: flex; align-items: center; height: 56px; padding: 0 20px; border-bottom: 1px solid var(--line); background: var(--surface); }
.logo { display: flex; align-items: center; gap: 10px; min-height: 44px; color: inherit; font-size: 16px; font-weight: 700; letter-spacing: -0.01em; text-decoration: none; }
main { display: grid; gap: 16px; max-width: 1120px; margin: 0 auto; padding: 32px 16px; }
h1, h2, h3, p, ul, pre { margin: 0; }
h1 { font-size: 22px; font-weight: 650; letter-spacing: -0.015em; line-height: 1.25; }
h2 { font-size: 15px; font-weight: 600; }
h3 { font-size: 12px; font-weight: 550; color: var(--soft); }
a { color: var(--accent-ink); }
:focus-visible { outline: 2px solid var(--ring); outline-offset: 2px; border-radius: 6px; }
.soft { color: var(--soft); }
.filter { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 12px; }
.filter input { flex: 1 1 200px; max-width: 360px; min-width: 0; height: 44px; padding: 0 12px; border: 1px solid var(--line-strong); border-radius: 6px; background: var(--surface); color: var(--ink); font: inherit; font-size: 16px; }
button, .button { display: inline-flex; align-items: center; height: 44px; padding: 0 16px; border: 1px solid var(--line-strong); border-radius: 6px; background: var(--surface); color: var(--ink); font: inherit; font-weight: 550; text-decoration: none; cursor: pointer; }
button:hover, .button:hover { background: var(--sunken); }
.card { border: 1px solid var(--line); border-radius: 14px; background: var(--surface); overflow: hidden; }
.empty { padding: 20px; }
summary { display: grid; gap: 2px; padding: 14px 20px; cursor: pointer; }
summary:hover { background: var(--sunken); }
summary:focus-visible { outline-offset: -2px; border-radius: 14px; }
summary .soft { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 16px; font-size: 13px; }
.mail { display: grid; border-top: 1px solid var(--line); }
iframe { display: block; width: 100%; height: 560px; border: 0; }
.text { display: grid; align-content: start; gap: 8px; min-width: 0; padding: 20px; border-top: 1px solid var(--line); }
.text * + h3 { margin-top: 12px; }
ul { display: grid; gap: 4px; padding: 0; list-style: none; }
li { min-width: 0; }
li a { display: block; padding: 4px 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
code { padding: 1px 6px; border-radius: 6px; background: var(--sunken); color: var(--ink); font-size: 13px; }
.people { padding: 0; }
.people li { display: grid; gap: 2px; padding: 14px 20px; border-top: 1px solid var(--line); }
.people li:first-child { border-top: 0; }
.people strong { font-weight: 600; }
pre { white-space: pre-wrap; font: inherit; font-size: 13px; }
.calls { display: grid; gap: 4px 24px; grid-template-columns: repeat(auto-fill, minmax(min(100%, 220px), 1fr)); align-items: start; }
.calls summary { display: list-item; padding: 10px 0; list-style-position: inside; }
.call { display: grid; gap: 8px; padding: 20px; scroll-margin-top: 16px; }
.call h3 { font-size: 15px; color: inherit; }
.call h4 { margin: 12px 0 0; font-size: 13px; font-weight: 600; }
.call dl { display: grid; gap: 2px; margin: 0; }
.call dd { margin: 0 0 8px 16px; }
.call dd:empty { margin: 0 0 4px; }
@media (width >= 60rem) {
  .mail { grid-template-columns: minmax(0, 1fr) 22rem; }
  .text { border-top: 0; border-inline-start: 1px solid var(--line); }
  .filter input, button, .button { height: 40px; font-size: 14px; }
}
`
