import { memoize } from '#contract/memoize.ts'
import { english } from '#locales/english.ts'
import { createTranslator, fillIn, type Messages, type Translate } from './translator.ts'

/** Loads one language outside of a browser. Any message may use the name of the product. */
export const loadTranslator = memoize(
  async (language: string, product: string): Promise<Translate> => {
    if (language === 'en') return createTranslator(english, language, { product })
    const file = `#locales/${language}.json`
    const { default: messages } = (await import(/* @vite-ignore */ file, {
      with: { type: 'json' },
    })) as { default: Messages }
    return createTranslator(fillIn(messages, english), language, { product })
  },
)
