import type { LanguageCode } from '#config/languages.ts'
import { fallbackLanguage } from '#config/languages.ts'
import type { MessageKey } from '#locales/keys.ts'
import { createInstance } from 'i18next'
import { readFile } from 'node:fs/promises'

type Translate = (key: MessageKey, values?: Record<string, string | number>) => string

const loaded = new Map<LanguageCode, Promise<Translate>>()

/** Messages in one language, read from locales/ when first asked for. Values go in as they are: escaping is for the one who knows the format. */
export function translator(language: LanguageCode): Promise<Translate> {
  const known = loaded.get(language) ?? load(language)
  loaded.set(language, known)
  return known
}

async function load(language: LanguageCode): Promise<Translate> {
  const i18n = createInstance()
  const codes = [...new Set([language, fallbackLanguage])]
  const resources = Object.fromEntries(await Promise.all(codes.map(async (code) => [code, { translation: await read(code) }])))
  await i18n.init({ lng: language, fallbackLng: fallbackLanguage, resources, interpolation: { escapeValue: false } })
  return (key, values = {}) => i18n.t(key, values)
}

async function read(language: LanguageCode): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(new URL(`../../locales/${language}.json`, import.meta.url), 'utf8'))
}
