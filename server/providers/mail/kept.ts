import type { Store } from '../../store/store.ts'
import type { Mailer } from './mailer.ts'

/** Keeps every mail to be read at /dev/mail: the stand-in while no mail server is configured. */
export function openKeptMailer(store: Store, now: () => Date): Mailer {
  return {
    async send(mail) {
      await store.keptMails.add({ ...mail, at: now() })
    },
  }
}
