import { renderMail, type MailOrder } from './mails.ts'
import type { Mailer } from '../providers/mail/mailer.ts'

export async function sendMail(
  order: MailOrder,
  { mailer, publicUrl }: { mailer: Mailer; publicUrl: string },
) {
  await mailer.send({ to: order.to, ...(await renderMail(order, publicUrl)) })
}
