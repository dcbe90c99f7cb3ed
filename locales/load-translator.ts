import { createTranslator, type Messages, type Translate, type Values } from './translator.ts'

/** The messages of one language for whoever runs outside a browser, read when first asked for. `common` are values that any may use. */
export async function loadTranslator(language: string, common: Values): Promise<Translate> {
  const file = `./${language}.json`
  const { default: messages } = (await import(/* @vite-ignore */ file, {
    with: { type: 'json' },
  })) as { default: Messages }
  return createTranslator(messages, language, common)
}
