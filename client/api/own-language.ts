import type { LanguageCode } from '#config/languages.ts'
import { changeLanguage, currentLanguage } from '../i18n.ts'
import { logError } from '../log.ts'
import { call } from './call.ts'
import { currentSession } from './session.ts'

/** Chosen by a visitor: goes into their record when they sign in. */
let chosen = false

/** Shows it from now on. For somebody signed in the choice is kept in their record, which other browsers and mails follow. */
export async function chooseLanguage(code: LanguageCode) {
  chosen = currentSession().status !== 'signedIn'
  await changeLanguage(code)
  if (!chosen) await keep(code)
}

/** Somebody's record came to be known, or was changed elsewhere. Theirs is shown, unless they have just chosen another, or none is kept yet. */
export async function followRecord(kept: LanguageCode | null) {
  if (kept !== null && !chosen) return changeLanguage(kept)
  chosen = false
  if (kept !== currentLanguage()) await keep(currentLanguage())
}

/** Without a connection the choice still holds in this browser. */
async function keep(language: LanguageCode) {
  await call('saveUser', { language }).catch((error: unknown) => logError('The language could not be kept', error))
}
