import { product } from '#config/product.ts'
import { memoize } from '#contract/memoize.ts'
import { on } from '#contract/modules.ts'
import { english } from '#locales/english.ts'
import { createTranslator, fillIn, type Messages, type Translate } from './translator.ts'

/** Loads one language outside of a browser. Any message may use the name of the product. */
export const loadTranslator = memoize(async (language: string): Promise<Translate> => {
  const messages = await loadMessages(language)
  return createTranslator(messages, language, { product: product.name })
})

/** All texts of a language, with those of the modules that are on. Missing ones are English. */
export async function loadMessages(language: string): Promise<Messages> {
  if (language === 'en') return addWords(english, 'en')
  const own = await load(`#locales/${language}.json`)
  return fillIn(await addWords(own, language), await loadMessages('en'))
}

async function addWords(messages: Messages, language: string) {
  const words = await Promise.all(
    on.map((name: string) => load(`#modules/${name}/words/${language}.json`).catch(orNone)),
  )
  return words.reduce<Messages>((all, own) => fillIn(all, own), messages)
}

/** A module need not have words in every language. */
function orNone(error: unknown): Messages {
  if ((error as { code?: string }).code === 'ERR_MODULE_NOT_FOUND') return {}
  throw error
}

async function load(file: string) {
  const { default: messages } = (await import(/* @vite-ignore */ file, {
    with: { type: 'json' },
  })) as { default: Messages }
  return messages
}
