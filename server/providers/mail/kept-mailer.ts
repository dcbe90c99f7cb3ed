import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Secrets } from '../../platform/secrets.ts'
import type { KeptMail, NewMail } from '../../store/kept-mails.ts'
import type { Store } from '../../store/store.ts'
import type { Mailer } from './mailer.ts'

type Tools = { store: Store; secrets: Secrets; now: () => Date }

/**
 * Stores mails for /dev/mail while no mail server is configured, those of one moment together. Their
 * texts have codes, so they are sealed.
 */
export function openKeptMailer({ store, secrets, now }: Tools): Mailer {
  let next: { mails: NewMail[]; stored: Promise<void> } | undefined

  function begin() {
    const mails: NewMail[] = []
    const stored = nextTurn().then(() => {
      next = undefined
      return store.keptMails.addAll(mails)
    })
    return { mails, stored }
  }

  return {
    async send({ text, html, ...mail }, jobId) {
      const [sealedText, sealedHtml] = [text, html].map((part) => secrets.seal('kept mail', part))
      next ??= begin()
      next.mails.push({
        ...mail,
        text: sealedText!,
        html: sealedHtml!,
        jobId: Number(jobId),
        at: now(),
      })
      return next.stored
    },
  }
}

/** The newest mails first. Leaves out those that were sealed with another key. */
export async function listKeptMails(
  to: string | undefined,
  { store, secrets }: Pick<Tools, 'store' | 'secrets'>,
): Promise<KeptMail[]> {
  const mails = await store.keptMails.list(to)
  return mails.flatMap((mail) => {
    const [text, html] = [mail.text, mail.html].map((part) => secrets.open('kept mail', part))
    return text === undefined || html === undefined ? [] : [{ ...mail, text, html }]
  })
}
