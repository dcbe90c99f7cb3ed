import { fallbackLanguage, languages, type LanguageCode } from '#config/languages.ts'
import { isChosen } from '#contract/notices.ts'
import type { MailOrder, Stop } from '../mails/mails.ts'
import type { Services } from './services.ts'

/** What a link in a mail ends. Its page is in the mail's language, so nothing is looked up for it. */
export type StopLink = { stop: Stop; language: LanguageCode }

/** The link that ends mails like this one, for as long as its reader has the account. */
export function stopUrlOf(
  { stop, language }: Pick<MailOrder, 'stop' | 'language'>,
  { secrets, publicUrl }: Pick<Services, 'secrets' | 'publicUrl'>,
) {
  if (!stop) return undefined
  const link: StopLink = { stop, language: language ?? fallbackLanguage }
  const token = secrets.seal('unsubscribe', JSON.stringify(link))
  return `${publicUrl}/unsubscribe?${new URLSearchParams({ token }).toString()}`
}

/** Undefined if we have not made the token, or for a kind or in a language that is gone. */
export function openStopLink(token: string, { secrets }: Pick<Services, 'secrets'>) {
  const text = secrets.open('unsubscribe', token)
  if (text === undefined) return undefined
  const link = JSON.parse(text) as StopLink
  const { stop, language } = link
  const isKnown = 'mailbox' in stop || stop.kind === 'digest' || isChosen(stop.kind)
  return isKnown && Object.hasOwn(languages, language) ? link : undefined
}

/** Nothing happens if it was done before, or if there is no such account any more. */
export async function stopMails(stop: Stop, { store, now }: Pick<Services, 'store' | 'now'>) {
  if ('user' in stop) await store.users.endNotices({ id: stop.user, kind: stop.kind })
  else await store.invites.endMails({ mailbox: stop.mailbox, now: now() })
}
