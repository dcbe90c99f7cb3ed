import type { LanguageCode } from '#config/languages.ts'
import { product } from '#config/product.ts'
import { createTranslator, type Messages, type Translate } from '#locales/translator.ts'
import { readFile } from 'node:fs/promises'

const loaded = new Map<LanguageCode, Promise<Translate>>()

/** Messages in one language, read from locales/ when first asked for. */
export function translator(language: LanguageCode): Promise<Translate> {
  const known = loaded.get(language) ?? load(language)
  loaded.set(language, known)
  return known
}

async function load(language: LanguageCode) {
  const file = new URL(`../../locales/${language}.json`, import.meta.url)
  return createTranslator(JSON.parse(await readFile(file, 'utf8')) as Messages, language, { product: product.name })
}
