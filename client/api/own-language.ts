import type { LanguageCode } from '#config/languages.ts'
import { changeLanguage, currentLanguage } from '../platform/i18n.ts'
import { logError } from '../platform/log.ts'
import { remember, remembered } from '../platform/storage.ts'
import { call } from './call.ts'
import { isSignedOut } from './post.ts'
import { session } from './session.ts'

/** `yes`: the language chosen here isn't in the user's record yet, and goes there when it is read. */
const storageKey = 'language-chosen'
/** The latest save, done or not. */
let saving: Promise<unknown> = Promise.resolve()

/** Shows the language. A signed-in user's record keeps it for other browsers and mails. */
export async function chooseLanguage(code: LanguageCode) {
  const isVisitor = session.get().status !== 'signedIn'
  remember(storageKey, isVisitor ? 'yes' : 'no')
  const shown = changeLanguage(code)
  await (isVisitor ? shown : save(shown))
}

/** Shows the language of the user's record, unless they have just chosen another. */
export async function followRecord(read: () => Promise<LanguageCode | null>) {
  const latest = saving
  await latest
  const saved = await read()
  // A record that was read before the latest choice may name an earlier language.
  if (saving !== latest) return
  if (saved !== null && remembered(storageKey) !== 'yes') return changeLanguage(saved)
  remember(storageKey, 'no')
  if (saved !== currentLanguage()) await save()
}

/** Saves the language that is shown then, one save after the other: the last choice stays. */
async function save(shown?: Promise<void>) {
  const saved = Promise.all([saving, shown]).then(saveShown)
  saving = saved.catch(() => undefined)
  await saved
}

/** Without a connection or a session the choice still holds in this browser, and is saved later. */
async function saveShown() {
  await call('saveUser', { language: currentLanguage() }).catch((error: unknown) => {
    remember(storageKey, 'yes')
    if (!isSignedOut(error)) logError('The language could not be saved', error)
  })
}
