import type { UserRecord } from '../../contract/entities.ts'
import type { Browser } from '@playwright/test'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loadModules } from '../../server/core/modules.ts'
import { renderMail } from '../../server/mails/mails.ts'
import { markId } from '../../server/providers/mail/mailer.ts'
import { mailExamples } from '../../tests/mail-examples.ts'

const icon = await readFile(join(import.meta.dirname, '../../client/public/icon-any-192.png'))
const mark = `data:image/png;base64,${icon.toString('base64')}`

type MailName = `mail-${number}-${string}`

export const mailNames = mailExamples(null).map(
  ({ mail }, index): MailName => `mail-${index + 1}-${mail}`,
)

export function isMail(name: string): name is MailName {
  return mailNames.includes(name as MailName)
}

/** Opens a page with the mail as a mail program shows it. */
export async function openMail(
  browser: Browser,
  name: MailName,
  language: NonNullable<UserRecord['language']>,
) {
  const page = await browser.newPage()
  const { mails } = await loadModules()
  const order = mailExamples(language)[mailNames.indexOf(name)]!
  const stopUrl = order.stop && 'https://example.net/unsubscribe?token=t'
  const { html } = await renderMail(order, 'https://example.net', mails, stopUrl)
  await page.setContent(html.replaceAll(`cid:${markId}`, mark))
  return page
}
