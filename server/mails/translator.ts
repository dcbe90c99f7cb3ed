import type { LanguageCode } from '#config/languages.ts'
import { product } from '#config/product.ts'
import { loadTranslator } from '#locales/load-translator.ts'

export function translator(language: LanguageCode) {
  return loadTranslator(language, { product: product.name })
}
