import { english } from '#locales/english.ts'
import {
  createTranslator,
  fillIn,
  type Messages,
  type Translate,
  type Values,
} from './translator.ts'

/** Loads one language outside of a browser. Any message may use the values of `common`. */
export async function loadTranslator(language: string, common: Values): Promise<Translate> {
  if (language === 'en') return createTranslator(english, language, common)
  const file = `#locales/${language}.json`
  const { default: messages } = (await import(/* @vite-ignore */ file, {
    with: { type: 'json' },
  })) as { default: Messages }
  return createTranslator(fillIn(messages, english), language, common)
}
