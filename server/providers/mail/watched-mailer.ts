import type { Observer, ProviderOutcome, Work } from '../../observe/observer.ts'
import { RecipientRefused, type Mailer } from './mailer.ts'

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
