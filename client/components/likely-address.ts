import { addressIn } from '#contract/mail-address.ts'

/** Domains of mailboxes that many people have. Shorter ones are too close to other real ones. */
const known = `
  gmail.com googlemail.com yahoo.com hotmail.com outlook.com icloud.com protonmail.com t-online.de
  orange.fr laposte.net wanadoo.fr yahoo.co.jp docomo.ne.jp naver.com hanmail.net uol.com.br
`
  .trim()
  .split(/\s+/)

/** Domains of mailboxes that are close to a known one. */
const real = new Set(['mail.com', 'email.com', 'ymail.com', 'aol.com.br'])

/** The address that was probably meant, if its domain has one mistake. */
export function likelyAddress(typed: string) {
  const address = addressIn(typed)
  if (!address) return undefined
  const [local, domain] = address.split('@') as [string, string]
  if (known.includes(domain) || real.has(domain)) return undefined
  const meant = known.find((other) => isOneMistakeFrom(domain, other))
  return meant && `${local}@${meant}`
}

/** Whether a letter is missing, added or another, or two neighbours have changed places. */
export function isOneMistakeFrom(typed: string, meant: string) {
  let same = 0
  while (same < meant.length && typed[same] === meant[same]) same++
  const [rest, other] = [typed.slice(same), meant.slice(same)]
  return (
    rest.slice(1) === other ||
    rest === other.slice(1) ||
    rest.slice(1) === other.slice(1) ||
    `${rest[1]}${rest[0]}${rest.slice(2)}` === other
  )
}
