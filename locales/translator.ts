import type { MessageKey } from './keys.ts'

export type Messages = { [key: string]: string | Messages }
/** The values for a message's placeholders. `count` chooses the plural form. */
export type Values = Record<string, string | number>
export type Translate = (key: MessageKey, values?: Values) => string

/**
 * `{{name}}` becomes the value of that name, and `count` chooses a plural form (`key_one`). Any
 * message may use the values of `common`. See docs/decisions/005-own-translator.md.
 */
export function createTranslator(
  messages: Messages,
  language: string,
  common: Values = {},
): Translate {
  const plurals = new Intl.PluralRules(language)
  const numbers = new Intl.NumberFormat(language)
  return (key, values = {}) => {
    const { count } = values
    const form =
      typeof count === 'number'
        ? (findMessage(messages, `${key}_${plurals.select(count)}`) ??
          findMessage(messages, `${key}_other`))
        : undefined
    const text = form ?? findMessage(messages, key) ?? key
    return text.replace(/\{\{(\w+)\}\}/g, (placeholder, name: string) => {
      const value = values[name] ?? common[name] ?? placeholder
      return typeof value === 'number' ? numbers.format(value) : value
    })
  }
}

export function findMessage(messages: Messages, key: string) {
  let found: string | Messages | undefined = messages
  for (const step of key.split('.')) found = typeof found === 'object' ? found[step] : undefined
  return typeof found === 'string' ? found : undefined
}

/** The messages of a language, with the English ones where it has none. */
export function fillIn(messages: Messages, english: Messages): Messages {
  const filled = { ...english, ...messages }
  for (const [key, value] of Object.entries(english)) {
    const own = messages[key]
    if (typeof own === 'object' && typeof value === 'object') filled[key] = fillIn(own, value)
  }
  return filled
}
