import { limitReached, type Try } from './rate-limits.ts'
import type { Services } from './services.ts'

/** Providers with several domains for one mailbox, and what they ignore before the `@`. */
const providers = [
  { domains: ['gmail.com', 'googlemail.com'], ignored: /\./g },
  { domains: ['proton.me', 'protonmail.com', 'pm.me'], ignored: /[._-]/g },
  {
    domains: ['yandex.com', 'yandex.ru', 'yandex.by', 'yandex.kz', 'yandex.ua', 'ya.ru'],
    ignored: /[.-]/g,
  },
]

/** The address of the mailbox that gets what is mailed to an address, which is in lower case. */
export function mailboxOf(email: string) {
  const [local, domain] = email.split('@') as [string, string]
  const untagged = local.replace(/\+.*/, '')
  const provider = providers.find(({ domains }) => domains.includes(domain))
  if (!provider) return `${untagged}@${domain}`
  return `${untagged.replace(provider.ignored, '')}@${provider.domains[0]}`
}

/** The key under which rate limits count the mails to an address: a hash, as for accounts. */
export function mailboxKey(email: string, { keyedHash }: Pick<Services, 'keyedHash'>) {
  return keyedHash('mailbox', mailboxOf(email))
}

/** What a mail counts as that `sender` causes, who may not own the mailbox: a user or a network. */
export function triesOfMail(
  email: string,
  sender: string,
  services: Pick<Services, 'keyedHash'>,
): [bySender: Try, toMailbox: Try] {
  const mailbox = mailboxKey(email, services)
  return [
    ['mailsBySender', `${sender} ${mailbox}`],
    ['mailsToMailbox', mailbox],
  ]
}

/** Counts such a mail. Returns the refusal if it may not be sent today. */
export async function countMail(
  email: string,
  sender: string,
  services: Pick<Services, 'keyedHash' | 'successLimits'>,
) {
  return limitReached(services.successLimits.consume(...triesOfMail(email, sender, services)))
}
