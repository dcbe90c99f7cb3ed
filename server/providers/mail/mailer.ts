import type { KeyedHash } from '../../platform/keyed-hash.ts'

export type Mail = { to: string; subject: string; text: string; html: string }

/** `send` sends one mail. If it throws, the job `sendMail` tries again later, with the same id. */
export type Mailer = { send(mail: Mail, jobId: string): Promise<void> }

/** HTML shows the product's mark as `cid:mark`, and the mail brings the picture along. */
export const markId = 'mark'

/** `mark` is that picture, a PNG, if there is one. */
type SmtpOptions = { url: string; from: string; mark: Buffer | undefined; keyedHash: KeyedHash }

/** Imports nodemailer here, so that servers that keep their mail don't load it. */
export async function openSmtpMailer({ url, from, mark, keyedHash }: SmtpOptions): Promise<Mailer> {
  const domain = /@([^\s>]+)/.exec(from)?.[1] ?? 'localhost'
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    url,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
  })
  const attachments = mark
    ? [{ filename: 'mark.png', contentDisposition: 'inline' as const, content: mark, cid: markId }]
    : []
  return {
    async send(mail, jobId) {
      // A mailbox shows a mail once, even if a job that stopped in a crash sends it again.
      const messageId = `<${keyedHash('mail', jobId)}@${domain}>`
      await transport.sendMail({ from, ...mail, messageId, attachments })
    },
  }
}
