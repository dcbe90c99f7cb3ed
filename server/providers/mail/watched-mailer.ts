import type { Observer, ProviderOutcome, Work } from '../../platform/observer.ts'
import type { Mailer } from './mailer.ts'

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
          work.outcome = outcomeOf(error as { code?: string; responseCode?: number })
          throw error
        }
      })
    },
  }
}

/** By nodemailer's codes, and those of SMTP: 5xx is a refusal that a repetition does not change. */
function outcomeOf({
  code,
  responseCode = 0,
}: {
  code?: string
  responseCode?: number
}): ProviderOutcome {
  if (code === 'EAUTH') return 'unauthorized'
  return responseCode >= 500 ? 'refused' : 'unavailable'
}
