import type { Observer, ProviderOutcome, Work } from '../../observe/observer.ts'
import type { KeyedHash } from '../../platform/keyed-hash.ts'

/** A POST to `unsubscribe` ends mails of its kind to its reader, where that is possible. */
export type Mail = { to: string; subject: string; text: string; html: string; unsubscribe?: string }

/**
 * `send` sends one mail. If it throws, the job tries again later, with the same id, unless it throws
 * a `RecipientRefused`.
 */
export type Mailer = { send(mail: Mail, jobId: string): Promise<void> }

/** The mail server knows for good that nobody has the address, or that its mailbox takes nothing. */
export class RecipientRefused extends Error {
  readonly reply: string

  constructor(reply: string, options?: ErrorOptions) {
    super('The mail server refuses the recipient.', options)
    this.reply = reply
  }
}

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
    async send({ unsubscribe, ...mail }, jobId) {
      // A mailbox shows a mail once, even if a job that stopped in a crash sends it again.
      const messageId = `<${keyedHash('mail', jobId)}@${domain}>`
      const headers = {
        'Auto-Submitted': 'auto-generated',
        // RFC 8058: mail programs offer a button for it.
        ...(unsubscribe && {
          'List-Id': `<notices.${domain}>`,
          'List-Unsubscribe': `<${unsubscribe}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        }),
      }
      await transport
        .sendMail({ from, ...mail, messageId, attachments, headers })
        .catch((error: SmtpError) => {
          const { response = '' } = error
          throw isAboutRecipient(error) ? new RecipientRefused(response, { cause: error }) : error
        })
    },
  }
}

/** What nodemailer says of a failure: SMTP's command, and the mail server's answer to it. */
type SmtpError = Error & { command?: string; responseCode?: number; response?: string }

/**
 * By the enhanced codes of RFC 3463: 5.1 is about addresses, of which 5.1.7 and 5.1.8 mean the
 * sender's, 5.2 about the mailbox, and 5.7 about what we may do, which operators can change.
 */
function isAboutRecipient({ command, responseCode = 0, response = '' }: SmtpError) {
  if (responseCode < 500) return false
  const [, subject, detail] = /^\d{3}[ -]5\.(\d+)\.(\d+)/.exec(response) ?? []
  if (subject === '7' || (subject === '1' && (detail === '7' || detail === '8'))) return false
  return command === 'RCPT TO' || (command === 'DATA' && (subject === '1' || subject === '2'))
}

/** Lets the observer see each mail that goes to the mail server, and how that ended. */
export function watchedMailer(mailer: Mailer, { watch }: Observer): Mailer {
  return {
    send(mail, jobId) {
      const work: Work = { kind: 'provider', provider: 'smtp', operation: 'send' }
      return watch(work, async () => {
        try {
          await mailer.send(mail, jobId)
          work.outcome = 'ok'
        } catch (error) {
          work.outcome = outcomeOf(error)
          throw error
        }
      })
    },
  }
}

/** By nodemailer's codes, and those of SMTP: with 5xx the mail server takes nothing from us. */
function outcomeOf(error: unknown): ProviderOutcome {
  if (error instanceof RecipientRefused) return 'refused'
  const { code, responseCode = 0 } = error as { code?: string; responseCode?: number }
  return code === 'EAUTH' || responseCode >= 500 ? 'unauthorized' : 'unavailable'
}
