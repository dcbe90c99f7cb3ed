import { tidyAddress } from '#contract/mail-address.ts'
import { Hono } from 'hono'
import { html } from 'hono/html'
import type { Services } from '../core/services.ts'
import { waitWhile } from '../platform/time.ts'
import { listKeptMails } from '../providers/mail/kept-mailer.ts'
import { markId } from '../providers/mail/mailer.ts'
import type { KeptMail } from '../store/kept-mails.ts'
import { devPage } from './page.ts'

/** Shows kept mails, which give access to every account. */
export function devMailRoutes(services: Services) {
  async function listMails(to: string | undefined) {
    // Waits for jobs, which send mails, so that a reader who comes at once sees the mail.
    await waitWhile(() => services.jobs.isBusy(), 10_000)
    return listKeptMails(to && tidyAddress(to), services)
  }
  return new Hono()
    .get('/mail.json', async (c) => {
      const mails = await listMails(c.req.query('to'))
      return c.json(
        mails.map(({ id: _, jobId: _job, ...mail }) => ({ ...mail, links: linksIn(mail) })),
      )
    })
    .get('/mail.js', (c) => c.body(devMailScript, 200, { 'content-type': 'text/javascript' }))
    .get('/mail', async (c) => {
      const to = c.req.query('to')?.trim() ?? ''
      return c.html(devMailPage(await listMails(to || undefined), to))
    })
}

/** The page of all kept mails, or of those to one address. The newest is open. */
function devMailPage(mails: KeptMail[], to: string) {
  const addresses = [...new Set(mails.map((mail) => mail.to))].toSorted()
  return devPage(
    'Mail',
    html` <p class="soft">
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
      ${mails.map((mail, index) => entry(mail, index === 0))}`,
    { script: '/dev/mail.js' },
  )
}

function linksIn({ text }: Pick<KeptMail, 'text'>) {
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
        ><span>to ${to}</span> <time datetime="${at.toISOString()}">${inUtc(at)}</time></span
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

function inUtc(at: Date) {
  return at.toLocaleString('en', { dateStyle: 'medium', timeStyle: 'long', timeZone: 'UTC' })
}

/** The HTML as a mail program shows it: with its picture, and links that leave the frame. */
function asShown(text: string) {
  return text
    .replaceAll(`cid:${markId}`, '/icon-any-192.png')
    .replace('<head>', '<head><base target="_blank">')
}

/** Writes times in the reader's form, and makes each frame as high as its mail. */
const devMailScript = `const form = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
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
