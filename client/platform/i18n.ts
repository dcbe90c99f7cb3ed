import { fallbackLanguage, languages, type LanguageCode } from '#config/languages.ts'
import { limits } from '#config/limits.ts'
import { product } from '#config/product.ts'
import type { MessageKey } from '#locales/keys.ts'
import { matchLanguages } from '#locales/match-language.ts'
import {
  createTranslator,
  findMessage,
  type Messages,
  type Translate,
} from '#locales/translator.ts'
import { createStore } from './create-store.ts'
import { remember, remembered } from './storage.ts'

export type { Translate }

const storageKey = 'language'
const codes = Object.keys(languages) as LanguageCode[]
/** Each language has two chunks: the texts that visitors read, and the rest for signed-in users. */
const forVisits = import.meta.glob<Messages>('#locales/*.json', {
  import: 'default',
  query: '?visit',
})
const forMembers = import.meta.glob<Messages>('#locales/*.json', {
  import: 'default',
  query: '?member',
})

type Shown = { language: LanguageCode; messages: Messages; translate: Translate }

const shown = createStore<Shown>({
  language: fallbackLanguage,
  messages: {},
  translate: (key) => key,
})
/** Resolves when the texts for signed-in users are loaded. Undefined until one needs them. */
let memberMessages: Promise<void> | undefined
/** The texts that were requested last. */
let newest: Promise<Messages> | undefined

/** Loads the texts of the detected language, both chunks at once if `asMember`. */
export function startI18n(asMember: boolean) {
  // The page is drawn after both chunks are loaded, so nobody has to wait for the second one.
  if (asMember) memberMessages = Promise.resolve()
  return show(detectLanguage())
}

/** Loads the texts behind the sign-in, before such a screen is shown. Retries after a failure. */
export function loadMemberMessages() {
  memberMessages ??= addMemberMessages()
  return memberMessages
}

async function addMemberMessages() {
  try {
    await newest?.catch(() => undefined)
    await show(currentLanguage())
  } catch (error) {
    memberMessages = undefined
    throw error
  }
}

export async function changeLanguage(code: LanguageCode) {
  remember(storageKey, code)
  await show(code)
}

/** Translates into the shown language. The component is drawn again when the language changes. */
export function useT(): Translate {
  return shown.use().translate
}

export function useLanguage() {
  return shown.use().language
}

export function currentLanguage() {
  return shown.get().language
}

/** Whether the shown texts have a key that comes from outside, such as a refusal reason. */
export function isMessageKey(key: string): key is MessageKey {
  return findMessage(shown.get().messages, key) !== undefined
}

async function show(code: LanguageCode) {
  const own = loadMessages(code)
  newest = own
  const messages = await own
  if (newest !== own) {
    // A later call has requested other texts, and shows them when they are loaded.
    await newest
    return
  }
  Object.assign(document.documentElement, { lang: code, dir: languages[code].dir ?? '' })
  const always = { product: product.name, minLength: limits.passwords.minLength }
  shown.set({ language: code, messages, translate: createTranslator(messages, code, always) })
}

async function loadMessages(code: LanguageCode): Promise<Messages> {
  const isOfLanguage = (file: string) => file.endsWith(`/${code}.json`)
  const parts = memberMessages ? [forVisits, forMembers] : [forVisits]
  const [ofVisit, ofMember] = await Promise.all(
    parts.map((part) => part[Object.keys(part).find(isOfLanguage)!]!()),
  )
  return {
    ...ofVisit,
    ...ofMember,
    errors: Object.assign({}, ofVisit?.['errors'], ofMember?.['errors']),
  }
}

function detectLanguage(): LanguageCode {
  const asked = new URLSearchParams(location.search).get('lang')
  const wanted = [remembered(storageKey) ?? '', asked ?? '', ...navigator.languages]
  const code = matchLanguages(wanted, codes) ?? fallbackLanguage
  remember(storageKey, code)
  return code
}
