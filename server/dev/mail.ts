import { tidyAddress } from '#contract/mail-address.ts'
import { Hono } from 'hono'
import type { Services } from '../core/services.ts'
import { waitWhile } from '../platform/time.ts'
import { listKeptMails } from '../providers/mail/kept-mailer.ts'
import { devMailPage, devMailScript, linksIn } from './mail-page.ts'

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
