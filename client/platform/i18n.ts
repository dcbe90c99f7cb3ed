import { fallbackLanguage, languages, type LanguageCode } from '#config/languages.ts'
import { limits } from '#config/limits.ts'
import { product } from '#config/product.ts'
import type { MessageKey } from '#locales/keys.ts'
import { matchLanguages } from '#locales/match-language.ts'
import {
  createTranslator,
  fillIn,
  findMessage,
  type Messages,
  type Translate,
} from '#locales/translator.ts'
import { createStore } from './create-store.ts'
import { remember, remembered } from './storage.ts'

export type { Translate }

const storageKey = 'language'
const codes = Object.keys(languages) as LanguageCode[]
/** Each language has two chunks: the texts of screens where nobody is signed in, and the others. */
const files = {
  visitors: import.meta.glob<Messages>('#locales/*.json', {
    import: 'default',
    query: '?visitors',
  }),
  others: import.meta.glob<Messages>('#locales/*.json', { import: 'default', query: '?others' }),
}

type Shown = { language: LanguageCode; messages: Messages; translate: Translate }

const shown = createStore<Shown>({
  language: fallbackLanguage,
  messages: {},
  translate: (key) => key,
})
/** Resolves when all texts are loaded. Undefined as long as this visit needs the visitors' alone. */
let all: Promise<void> | undefined
/** The texts that were requested last. */
let newest: Promise<Messages> | undefined

/** Loads the texts of the detected language, before the page is drawn. */
export function startI18n(needsAll: boolean) {
  if (needsAll) all = Promise.resolve()
  return show(detectLanguage())
}

/** Loads all texts, before a screen that needs them is shown. Retries after a failure. */
export function loadAllTexts() {
  all ??= addOthers()
  return all
}

async function addOthers() {
  try {
    await newest?.catch(() => undefined)
    await show(currentLanguage())
  } catch (error) {
    all = undefined
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
  const own = fetchMessages(code)
  newest = own
  const messages = await own
  if (newest !== own) {
    // A later call has requested other texts, and shows them when they are loaded.
    await newest
    return
  }
  Object.assign(document.documentElement, { lang: code, dir: languages[code].dir ?? '' })
  showTexts(code, messages)
}

/** Shows texts that are there. */
export function showTexts(language: LanguageCode, messages: Messages) {
  const always = { product: product.name, minLength: limits.passwords.minLength }
  shown.set({ language, messages, translate: createTranslator(messages, language, always) })
}

async function fetchMessages(code: LanguageCode): Promise<Messages> {
  const file = Object.keys(files.visitors).find((file) => file.endsWith(`/${code}.json`))!
  const [visitors, others] = await Promise.all([
    files.visitors[file]!(),
    all && files.others[file]!(),
  ])
  return others ? fillIn(others, visitors) : visitors
}

function detectLanguage(): LanguageCode {
  const asked = new URLSearchParams(location.search).get('lang')
  const wanted = [remembered(storageKey) ?? '', asked ?? '', ...navigator.languages]
  const code = matchLanguages(wanted, codes) ?? fallbackLanguage
  remember(storageKey, code)
  return code
}
