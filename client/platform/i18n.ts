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
/**
 * Each language has three chunks: the texts of the sign-in screen, those of the other screens for
 * visitors, and the rest for signed-in people.
 */
const files = {
  visit: import.meta.glob<Messages>('#locales/*.json', { import: 'default', query: '?visit' }),
  open: import.meta.glob<Messages>('#locales/*.json', { import: 'default', query: '?open' }),
  member: import.meta.glob<Messages>('#locales/*.json', { import: 'default', query: '?member' }),
}
export type Part = keyof typeof files

type Shown = { language: LanguageCode; messages: Messages; translate: Translate }

const shown = createStore<Shown>({
  language: fallbackLanguage,
  messages: {},
  translate: (key) => key,
})
/** The parts of the language that this visit needs. Each promise resolves when they are loaded. */
const needed = new Map<Part, Promise<void>>()
/** The texts that were requested last. */
let newest: Promise<Messages> | undefined

/** Loads the texts of the detected language, all parts at once. */
export function startI18n(parts: readonly Part[]) {
  // The page is drawn after all of them are loaded, so nobody has to wait for one.
  for (const part of parts) needed.set(part, Promise.resolve())
  return show(detectLanguage())
}

/** Loads more texts, before a screen that needs them is shown. Retries after a failure. */
export async function loadMessages(parts: readonly Part[]) {
  await Promise.all(parts.map(load))
}

function load(part: Part) {
  const loading = needed.get(part) ?? add(part)
  needed.set(part, loading)
  return loading
}

async function add(part: Part) {
  try {
    await newest?.catch(() => undefined)
    await show(currentLanguage())
  } catch (error) {
    needed.delete(part)
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
  const always = { product: product.name, minLength: limits.passwords.minLength }
  shown.set({ language: code, messages, translate: createTranslator(messages, code, always) })
}

async function fetchMessages(code: LanguageCode): Promise<Messages> {
  const isOfLanguage = (file: string) => file.endsWith(`/${code}.json`)
  const parts = await Promise.all(
    ['visit' as const, ...needed.keys()].map((part) => {
      const ofPart = files[part]
      return ofPart[Object.keys(ofPart).find(isOfLanguage)!]!()
    }),
  )
  return parts.reduce((all, part) => fillIn(part, all))
}

function detectLanguage(): LanguageCode {
  const asked = new URLSearchParams(location.search).get('lang')
  const wanted = [remembered(storageKey) ?? '', asked ?? '', ...navigator.languages]
  const code = matchLanguages(wanted, codes) ?? fallbackLanguage
  remember(storageKey, code)
  return code
}
