import { product } from '#config/product.ts'
import { html, raw } from 'hono/html'
import { markId } from '../providers/mail/mailer.ts'
import type { KeptMail } from '../store/kept-mails.ts'

/** The page of all kept mails, or of those to one address. The newest is open. */
export function devMailPage(mails: KeptMail[], to: string) {
  const addresses = [...new Set(mails.map((mail) => mail.to))].toSorted()
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${`Mail · ${product.name}`}</title>
        <link rel="icon" href="/mark.svg" />
        <style>
          ${raw(style)}
        </style>
        <script src="/dev/mail.js" defer></script>
      </head>
      <body>
        <header class="bar">
          <a href="/" class="logo"
            ><img src="/mark.svg" width="28" height="28" alt="" />${product.name}</a
          >
        </header>
        <main>
          <h1>Mail</h1>
          <p class="soft">
            No mail server is configured, so mail is kept here instead of being sent. Set
            <code>SMTP_URL</code> to send it.
          </p>
          <form class="filter">
            <label for="to">Sent to</label>
            <input
              id="to"
              name="to"
              type="search"
              value="${to}"
              list="addresses"
              placeholder="ann@example.com"
              autocomplete="off"
              autocapitalize="none"
            />
            <datalist id="addresses">
              ${addresses.map((address) => html`<option value="${address}"></option>`)}
            </datalist>
            <button>Filter</button>
            ${to ? html`<a href="/dev/mail" class="button">Show all</a>` : ''}
          </form>
          ${mails.length === 0 ? html`<p class="card empty">${nothing(to)}</p>` : ''}
          ${mails.map((mail, index) => entry(mail, index === 0))}
        </main>
      </body>
    </html>`
}

export function linksIn({ text }: Pick<KeptMail, 'text'>) {
  return text.match(/https?:\/\/\S+/g) ?? []
}

function nothing(to: string) {
  return to
    ? `Nothing has been sent to ${to}.`
    : 'Nothing has been sent yet. Sign up, and the verification mail appears here.'
}

function entry(mail: KeptMail, isOpen: boolean) {
  const { subject, to, at } = mail
  return html`<details class="card" ${isOpen ? 'open' : ''}>
    <summary>
      <h2>${subject}</h2>
      <span class="soft"
        ><span>to ${to}</span> <time datetime="${at.toISOString()}">${utc.format(at)}</time></span
      >
    </summary>
    <div class="mail">
      <iframe
        title="${`The mail “${subject}”`}"
        sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
        loading="lazy"
        srcdoc="${asShown(mail.html)}"
      ></iframe>
      <div class="text">
        <h3>Links</h3>
        <ul>
          ${linksIn(mail).map((link) => html`<li><a href="${link}">${link}</a></li>`)}
        </ul>
        <h3>Plain text</h3>
        <pre>${mail.text}</pre>
      </div>
    </div>
  </details>`
}

const utc = new Intl.DateTimeFormat('en', {
  dateStyle: 'medium',
  timeStyle: 'long',
  timeZone: 'UTC',
})

/** The HTML as a mail program shows it: with its picture, and links that leave the frame. */
function asShown(text: string) {
  return text
    .replaceAll(`cid:${markId}`, '/icon-any-192.png')
    .replace('<head>', '<head><base target="_blank">')
}

/** Writes times in the reader's form, and makes each frame as high as its mail. */
export const devMailScript = `const form = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
for (const time of document.querySelectorAll('time')) time.textContent = form.format(new Date(time.dateTime))

const frames = [...document.querySelectorAll('iframe')]
function fit(frame) {
  const page = frame.contentDocument?.documentElement
  if (!page || !frame.offsetWidth) return
  frame.style.height = 0
  frame.style.height = page.scrollHeight + 'px'
}
for (const frame of frames) {
  frame.addEventListener('load', () => fit(frame))
  frame.closest('details').addEventListener('toggle', () => fit(frame))
  fit(frame)
}
addEventListener('resize', () => frames.forEach(fit))
`

const style = `:root {
  color-scheme: light dark;
  --page: light-dark(oklch(0.985 0.003 230), oklch(0.18 0.012 240));
  --surface: light-dark(oklch(1 0 0), oklch(0.215 0.014 240));
  --sunken: light-dark(oklch(0.968 0.005 230), oklch(0.195 0.013 240));
  --line: light-dark(oklch(0.915 0.008 230), oklch(0.3 0.016 240));
  --strong: light-dark(oklch(0.84 0.012 230), oklch(0.4 0.02 240));
  --ink: light-dark(oklch(0.23 0.02 240), oklch(0.95 0.006 230));
  --soft: light-dark(oklch(0.47 0.02 240), oklch(0.75 0.014 230));
  --accent: light-dark(oklch(0.42 0.095 222), oklch(0.83 0.09 215));
  --ring: light-dark(oklch(0.6 0.12 222), oklch(0.75 0.11 215));
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 14px/1.5 Inter, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif; overflow-wrap: anywhere; }
.bar { display: flex; align-items: center; height: 56px; padding: 0 20px; border-bottom: 1px solid var(--line); background: var(--surface); }
.logo { display: flex; align-items: center; gap: 10px; min-height: 44px; color: inherit; font-size: 16px; font-weight: 700; letter-spacing: -0.01em; text-decoration: none; }
main { display: grid; gap: 16px; max-width: 1120px; margin: 0 auto; padding: 32px 16px; }
h1, h2, h3, p, ul, pre { margin: 0; }
h1 { font-size: 22px; font-weight: 650; letter-spacing: -0.015em; line-height: 1.25; }
h2 { font-size: 15px; font-weight: 600; }
h3 { font-size: 12px; font-weight: 550; color: var(--soft); }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--ring); outline-offset: 2px; border-radius: 6px; }
.soft { color: var(--soft); }
.filter { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 12px; }
.filter input { flex: 1 1 200px; max-width: 360px; min-width: 0; height: 44px; padding: 0 12px; border: 1px solid var(--strong); border-radius: 6px; background: var(--surface); color: var(--ink); font: inherit; font-size: 16px; }
button, .button { display: inline-flex; align-items: center; height: 44px; padding: 0 16px; border: 1px solid var(--strong); border-radius: 6px; background: var(--surface); color: var(--ink); font: inherit; font-weight: 550; text-decoration: none; cursor: pointer; }
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
pre { white-space: pre-wrap; font: inherit; font-size: 13px; }
@media (width >= 60rem) {
  .mail { grid-template-columns: minmax(0, 1fr) 22rem; }
  .text { border-top: 0; border-inline-start: 1px solid var(--line); }
  .filter input, button, .button { height: 40px; font-size: 14px; }
}
`
