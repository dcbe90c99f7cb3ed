import type { Messages } from './translator.ts'

const pluralForms = ['zero', 'one', 'two', 'few', 'many', 'other']
/** Scripts of languages for which Unicode uses several names, or another name. */
const lettersOf: Record<string, string> = {
  Hans: 'Han',
  Hant: 'Han',
  Jpan: 'Han}\\p{Script=Hiragana}\\p{Script=Katakana',
  Kore: 'Hangul}\\p{Script=Han',
}

/** Returns the keys of texts that a language lacks, and a sentence for each wrong text. */
export function findMistakes(language: string, messages: Messages, english: Messages) {
  const texts = new Map(flatten(messages))
  const originals = new Map(flatten(english))
  const wanted = new Map(
    [...originals].flatMap(([key, text]) =>
      formsOf(key, language, originals).map((form) => [form, text]),
    ),
  )
  const missing = [...wanted.keys()].filter((key) => !texts.has(key))
  const wrong = [...texts].flatMap(([key, text]) => {
    const original = wanted.get(key)
    if (original === undefined) return [`${key} is not one of the texts`]
    return compare(text, original, language).map((mistake) => `${key} ${mistake}`)
  })
  return { missing, wrong }
}

function compare(text: string, original: string, language: string): string[] {
  return [
    ...(text.trim() === text && text !== '' ? [] : ['is empty, or has spaces around it']),
    ...(isTranslated(text, original, language) ? [] : ['is not translated']),
    ...(placeholders(text) === placeholders(original)
      ? []
      : [`has ${placeholders(text)} where English has ${placeholders(original)}`]),
    ...(/\{(?!\{\w+\}\})(?<!\{\{)|(?<!\{\{\w+\})\}(?!\})/.test(text)
      ? ['has a broken placeholder']
      : []),
  ]
}

/** A single word may be the same. Other texts need a letter of the language's script. */
function isTranslated(text: string, original: string, language: string) {
  const words = text.replaceAll(/\{\{\w+\}\}/g, '').match(/\p{Letter}{2,}/gu) ?? []
  if (language === 'en' || words.length === 0) return true
  if (text === original) return words.length === 1
  const { script = '' } = new Intl.Locale(language).maximize()
  return new RegExp(`[\\p{Script=${lettersOf[script] ?? script}}]`, 'u').test(words.join(' '))
}

function placeholders(text: string) {
  return [...new Set(text.match(/\{\{\w+\}\}/g))].sort().join(' ') || 'no placeholder'
}

/** The keys of a text's plural forms in a language; for a text without forms, its own key. */
function formsOf(key: string, language: string, originals: ReadonlyMap<string, string>): string[] {
  const end = pluralForms.map((form) => `_${form}`).find((end) => key.endsWith(end))
  const stem = end ? key.slice(0, -end.length) : key
  if (!end || !originals.has(`${stem}_other`)) return [key]
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
  return pluralCategories.map((form) => `${stem}_${form}`)
}

export function* flatten(messages: Messages, above = ''): Generator<[string, string]> {
  for (const [key, value] of Object.entries(messages)) {
    if (typeof value === 'string') yield [above + key, value]
    else yield* flatten(value, `${above}${key}.`)
  }
}
