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
import { useSyncExternalStore } from 'react'
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

let language = fallbackLanguage
let messages: Messages = {}
/** Whether the words of both parts are asked for. */
let isMember = false
/** Those of the second part, under way or there. */
let memberMessages: Promise<void> | undefined
/** What was asked for last. */
let newest: Promise<Messages> | undefined
let translate: Translate = (key) => key
const listeners = new Set<() => void>()

/** For somebody who is signed in, the words of both parts at once. */
export function startI18n(asMember: boolean) {
  isMember = asMember
  const shown = show(detectLanguage())
  if (asMember) memberMessages = shown
  return shown
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
  isMember = true
  try {
    await newest?.catch(() => undefined)
    await show(language)
  } catch (error) {
    isMember = false
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
  return useSyncExternalStore(subscribe, () => translate)
}

export function useLanguage() {
  return useSyncExternalStore(subscribe, currentLanguage)
}

export function currentLanguage() {
  return language
}

/** Whether there are words for something that was named from outside. */
export function isMessageKey(key: string): key is MessageKey {
  return findMessage(messages, key) !== undefined
}

async function show(code: LanguageCode) {
  const own = loadMessages(code)
  newest = own
  const loaded = await own
  if (newest !== own) {
    // Others were asked for meanwhile: those are shown when they are there.
    await newest
    return
  }
  messages = loaded
  language = code
  translate = createTranslator(messages, code, {
    product: product.name,
    minLength: limits.passwords.minLength,
  })
  Object.assign(document.documentElement, { lang: code, dir: languages[code].dir ?? '' })
  for (const listener of listeners) listener()
}

async function loadMessages(code: LanguageCode): Promise<Messages> {
  const isOfLanguage = (file: string) => file.endsWith(`/${code}.json`)
  const parts = isMember ? [forVisits, forMembers] : [forVisits]
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
  const wanted = [remembered(storageKey), asked, ...navigator.languages].filter(
    (tag) => tag !== null,
  )
  const code =
    wanted.map((tag) => matchLanguage(tag, codes)).find((code) => code !== undefined) ??
    fallbackLanguage
  remember(storageKey, code)
  return code
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
