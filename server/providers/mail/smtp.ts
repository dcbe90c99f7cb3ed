import { createTransport } from 'nodemailer'
import type { Mailer } from './mailer.ts'

export function openSmtpMailer({ url, from }: { url: string; from: string }): Mailer {
  const transport = createTransport(url)
  return {
    async send(mail) {
      await transport.sendMail({ from, ...mail })
    },
  }
}
