import type { LanguageCode } from '#config/languages.ts'
import { changeLanguage, currentLanguage } from '../i18n.ts'
import { logError } from '../log.ts'
import { remember, remembered } from '../storage.ts'
import { call } from './call.ts'
import { currentSession } from './session.ts'

/** `yes`: a visitor chose the language, and it goes into their record when they sign in. */
const storageKey = 'language-chosen'

/** Shows it from now on. For somebody signed in the choice is kept in their record, which other browsers and mails follow. */
export async function chooseLanguage(code: LanguageCode) {
  const isVisitor = currentSession().status !== 'signedIn'
  remember(storageKey, isVisitor ? 'yes' : 'no')
  await changeLanguage(code)
  if (!isVisitor) await keep(code)
}

/** Shows the language that their record says, unless they have just chosen another, or none is kept. */
export async function followRecord() {
  const record = await call('getUser', {}).catch(() => undefined)
  if (!record) return
  const kept = record.user.language
  if (kept !== null && remembered(storageKey) !== 'yes') return changeLanguage(kept)
  remember(storageKey, 'no')
  if (kept !== currentLanguage()) await keep(currentLanguage())
}

/** Without a connection the choice still holds in this browser. */
async function keep(language: LanguageCode) {
  await call('saveUser', { language }).catch((error: unknown) => logError('The language could not be kept', error))
}
