import { Hono } from 'hono'
import { html } from 'hono/html'
import { setTimeout as delay } from 'node:timers/promises'
import type { Services } from '../core/services.ts'
import type { KeptMail } from '../store/kept-mails.ts'

/** Shows mails, which give access to every account: `standInGuard` has to guard these routes. */
export function devMailRoutes({ jobs, store }: Services) {
  async function listMails(to: string | undefined) {
    // Waits for jobs, which send mails, so that a reader who comes at once sees the mail.
    for (let round = 0; round < 500 && (await jobs.isBusy()); round++) await delay(20)
    return store.keptMails.list(to?.trim().toLowerCase())
  }
  return new Hono()
    .get('/mail.json', async (c) => {
      const mails = await listMails(c.req.query('to'))
      return c.json(mails.map(({ id: _, ...mail }) => ({ ...mail, links: linksIn(mail) })))
    })
    .get('/mail', async (c) => c.html(page(await listMails(c.req.query('to')))))
}

function linksIn({ text }: Pick<KeptMail, 'text'>) {
  return text.match(/https?:\/\/\S+/g) ?? []
}

function page(mails: KeptMail[]) {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Mail</title>
        <style>
          :root {
            color-scheme: light dark;
          }
          body {
            font:
              14px/1.5 system-ui,
              sans-serif;
            max-width: 760px;
            margin: 32px auto;
            padding: 0 16px;
          }
          article {
            border: 1px solid #8885;
            border-radius: 14px;
            padding: 16px 20px;
            margin: 16px 0;
          }
          pre {
            white-space: pre-wrap;
            overflow-wrap: anywhere;
            font: inherit;
          }
          small {
            opacity: 0.75;
          }
        </style>
      </head>
      <body>
        <main>
          <h1>Mail</h1>
          <p>
            No mail server is configured, so mail is kept here instead of being sent. Set
            <code>SMTP_URL</code> to send it.
          </p>
          ${mails.length === 0 ? html`<p>Nothing has been sent yet. Sign up, and the verification mail appears here.</p>` : ''}
          ${mails.map(
            (mail) =>
              html`<article>
                <h2>${mail.subject}</h2>
                <small>to ${mail.to}, ${mail.at.toISOString()}</small>
                <pre>
${mail.text.split(/(https?:\/\/\S+)/).map((part) => (part.startsWith('http') ? html`<a href="${part}">${part}</a>` : part))}</pre>
              </article>`,
          )}
        </main>
      </body>
    </html>`
}
