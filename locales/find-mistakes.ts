import type { Messages } from './translator.ts'

const plurals = ['zero', 'one', 'two', 'few', 'many', 'other']
const han = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/u

/**
 * A sentence for each text of a language that is missing, extra, not translated, or doesn't fit the English one with its placeholders.
 * `alike`: the keys whose text may be the English one.
 */
export function findMistakes(
  language: string,
  messages: Messages,
  english: Messages,
  alike: ReadonlySet<string>,
): string[] {
  const texts = new Map(flatten(messages))
  const originals = new Map(flatten(english))
  const wanted = new Map(
    [...originals].flatMap(([key, text]) =>
      formsOf(key, language, originals).map((form) => [form, text]),
    ),
  )
  return [
    ...[...wanted.keys()].filter((key) => !texts.has(key)).map((key) => `${key} is missing`),
    ...[...texts.keys()]
      .filter((key) => !wanted.has(key))
      .map((key) => `${key} is not one of the texts`),
    ...[...alike]
      .filter((key) => texts.get(key) !== wanted.get(key))
      .map((key) => `${key} is said to be the same as in English, and isn't`),
    ...[...texts].flatMap(([key, text]) => {
      const original = wanted.get(key)
      return original === undefined
        ? []
        : compare(text, original, language, alike.has(key)).map((mistake) => `${key} ${mistake}`)
    }),
  ]
}

function compare(text: string, original: string, language: string, mayBeAlike: boolean): string[] {
  const isTranslated =
    language === 'en' || mayBeAlike || (text !== original && hasItsScript(text, language))
  return [
    ...(text.trim() === text && text !== '' ? [] : ['is empty, or has spaces around it']),
    ...(isTranslated ? [] : ['is not translated']),
    ...(placeholders(text) === placeholders(original)
      ? []
      : [`has ${placeholders(text)} where English has ${placeholders(original)}`]),
    ...(/\{(?!\{\w+\}\})(?<!\{\{)|(?<!\{\{\w+\})\}(?!\})/.test(text)
      ? ['has a broken placeholder']
      : []),
  ]
}

/** A text without a single character of Chinese, Japanese or Korean was forgotten there; elsewhere such a character was. */
function hasItsScript(text: string, language: string) {
  const words = text.replaceAll(/\{\{\w+\}\}/g, '')
  return (
    !/\p{Letter}/u.test(words) ||
    han.test(words) === ['zh', 'ja', 'ko'].includes(language.slice(0, 2))
  )
}

function placeholders(text: string) {
  return [...new Set(text.match(/\{\{\w+\}\}/g))].sort().join(' ') || 'no placeholder'
}

/** Of a text in several forms, those that CLDR has for the language; of any other, itself. */
function formsOf(key: string, language: string, originals: ReadonlyMap<string, string>): string[] {
  const end = plurals.map((form) => `_${form}`).find((end) => key.endsWith(end))
  const stem = end ? key.slice(0, -end.length) : key
  if (!end || !originals.has(`${stem}_other`)) return [key]
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
  return pluralCategories.map((form) => `${stem}_${form}`)
}

function* flatten(messages: Messages, above = ''): Generator<[string, string]> {
  for (const [key, value] of Object.entries(messages)) {
    if (typeof value === 'string') yield [above + key, value]
    else yield* flatten(value, `${above}${key}.`)
  }
}
