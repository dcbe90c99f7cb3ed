import { english } from '#locales/english.ts'
import {
  createTranslator,
  fillIn,
  type Messages,
  type Translate,
  type Values,
} from './translator.ts'

/**
 * The messages of one language, outside a browser. `common` are values that any message may use.
 */
export async function loadTranslator(language: string, common: Values): Promise<Translate> {
  if (language === 'en') return createTranslator(english, language, common)
  const file = `#locales/${language}.json`
  const { default: messages } = (await import(/* @vite-ignore */ file, {
    with: { type: 'json' },
  })) as { default: Messages }
  return createTranslator(fillIn(messages, english), language, common)
}
