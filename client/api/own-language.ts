import type { LanguageCode } from '#config/languages.ts'
import { changeLanguage, currentLanguage } from '../i18n.ts'
import { logError } from '../log.ts'
import { remember, remembered } from '../storage.ts'
import { call, isLeaving } from './call.ts'
import { isSignedOut } from './post.ts'
import { currentSession } from './session.ts'

/** `yes`: a visitor chose the language, and it goes into their record when they sign in. */
const storageKey = 'language-chosen'
/** Choices that are being kept, and how many have been: what the record says meanwhile, or was asked before, may be an earlier one. */
let underWay = 0
let done = 0
let keeping = Promise.resolve()

/** Shows it from now on. For somebody signed in the choice is kept in their record, which other browsers and mails follow. */
export async function chooseLanguage(code: LanguageCode) {
  const isVisitor = currentSession().status !== 'signedIn'
  remember(storageKey, isVisitor ? 'yes' : 'no')
  if (isVisitor) await changeLanguage(code)
  else await keep(() => changeLanguage(code))
}

/** Shows the language that is kept in their record, unless they have just chosen another, or none is kept. */
export async function followRecord(read: () => Promise<LanguageCode | null>) {
  const before = done
  const kept = await read()
  if (underWay > 0 || done !== before) return
  if (kept !== null && remembered(storageKey) !== 'yes') return changeLanguage(kept)
  remember(storageKey, 'no')
  if (kept !== currentLanguage()) await keep()
}

/** Keeps what is shown then. One after the other, so that the last choice is the one that stays. */
async function keep(change?: () => Promise<void>) {
  underWay++
  try {
    await change?.()
    await (keeping = keeping.then(save))
  } finally {
    underWay--
    done++
  }
}

/** Without a connection, or when the session has just ended, the choice still holds in this browser. */
async function save() {
  if (isLeaving()) return
  await call('saveUser', { language: currentLanguage() }).catch((error: unknown) => {
    if (!isSignedOut(error)) logError('The language could not be kept', error)
  })
}
