import { fallbackLanguage, languages, type LanguageCode } from '#config/languages.ts'
import { limits } from '#config/limits.ts'
import { product } from '#config/product.ts'
import type { MessageKey } from '#locales/keys.ts'
import { matchLanguage } from '#locales/match-language.ts'
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
/** Two chunks per language: what every visitor reads, and the rest for people who are signed in. */
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
/** The words of the second part, under way or there, once somebody has signed in. */
let memberMessages: Promise<void> | undefined
/** What was asked for last. */
let newest: Promise<Messages> | undefined

/** For somebody who is signed in, the words of both parts at once. */
export function startI18n(asMember: boolean) {
  // The page is drawn when they are there, so nothing else waits for them.
  if (asMember) memberMessages = Promise.resolve()
  return show(detectLanguage())
}

/**
 * The words of the screens behind the sign-in, to be waited for before one is shown. What has
 * failed is tried anew the next time.
 */
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

/** The words of the language that is shown; the component is drawn again when it changes. */
export function useT(): Translate {
  return shown.use().translate
}

export function useLanguage() {
  return shown.use().language
}

export function currentLanguage() {
  return shown.get().language
}

/** Whether there are words for something that was named from outside. */
export function isMessageKey(key: string): key is MessageKey {
  return findMessage(shown.get().messages, key) !== undefined
}

async function show(code: LanguageCode) {
  const own = loadMessages(code)
  newest = own
  const messages = await own
  if (newest !== own) {
    // Others were asked for meanwhile: those are shown when they are there.
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
  const wanted = [remembered(storageKey), asked, ...navigator.languages]
  const [code = fallbackLanguage] = wanted.flatMap((tag) => matchLanguage(tag ?? '', codes) ?? [])
  remember(storageKey, code)
  return code
}
