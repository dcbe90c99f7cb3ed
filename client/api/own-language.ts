import type { LanguageCode } from '#config/languages.ts'
import { changeLanguage, currentLanguage } from '../platform/i18n.ts'
import { logError } from '../platform/log.ts'
import { remember, remembered } from '../platform/storage.ts'
import { call } from './call.ts'
import { isSignedOut } from './post.ts'
import { session } from './session.ts'

/** `yes` in storage: the user's record lacks the language chosen here. `followRecord` saves it. */
const storageKey = 'language-chosen'
/** Resolves when the latest save has ended. */
let saving: Promise<unknown> = Promise.resolve()
/** Resolves when the language chosen last is shown. */
let showing: Promise<unknown> = Promise.resolve()

/** Shows the language. Saves it in a signed-in user's record, for other browsers and for mails. */
export async function chooseLanguage(code: LanguageCode) {
  const isVisitor = session.get().status !== 'signedIn'
  remember(storageKey, isVisitor ? 'yes' : 'no')
  const shown = changeLanguage(code)
  showing = shown.catch(() => undefined)
  await (isVisitor ? shown : save(shown))
}

/** Shows the language of the user's record, or saves the shown one there if that is newer. */
export async function followRecord(read: () => Promise<LanguageCode | null>) {
  const latest = saving
  await latest
  const saved = await read()
  // If the user has chosen a language since the read began, the record is out of date.
  if (saving !== latest) return
  if (saved !== null && remembered(storageKey) !== 'yes') return changeLanguage(saved)
  await showing
  remember(storageKey, 'no')
  if (saved !== currentLanguage()) await save()
}

/** Waits for earlier saves, then saves the shown language, so that the last choice wins. */
async function save(shown?: Promise<void>) {
  const saved = Promise.all([saving, shown]).then(saveShown)
  saving = saved.catch(() => undefined)
  await saved
}

/** Without a connection or a session, this browser keeps the choice and saves it later. */
async function saveShown() {
  await call('saveUser', { language: currentLanguage() }).catch((error: unknown) => {
    remember(storageKey, 'yes')
    if (!isSignedOut(error)) logError('The language could not be saved', error)
  })
}
