import { createTransport } from 'nodemailer'
import type { Store } from '../../store/store.ts'

export type Mail = { to: string; subject: string; text: string; html: string }

/** `send` sends one mail. If it throws, the job `sendMail` tries again later. */
export type Mailer = { send(mail: Mail): Promise<void> }

export function openSmtpMailer({ url, from }: { url: string; from: string }): Mailer {
  const transport = createTransport({
    url,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
  })
  return {
    async send(mail) {
      await transport.sendMail({ from, ...mail })
    },
  }
}

/** Stores mails for /dev/mail while no mail server is configured. */
export function openKeptMailer(store: Store, now: () => Date): Mailer {
  return {
    async send(mail) {
      await store.keptMails.add({ ...mail, at: now() })
    },
  }
}
