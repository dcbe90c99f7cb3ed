/** Characters that a terminal acts on, or that hide or reorder what stands beside them. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** The text with such characters as escapes, which mean the same in a JSON string. */
export function shown(text: string) {
  return text.replace(unseen, (found) =>
    found
      .split('')
      .map((unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}

/** The same for a text whose lines are ours. */
export function shownLines(text: string) {
  return text.split('\n').map(shown).join('\n')
}

/** The linter allows no other way to print. */
export function print(text: string) {
  console.log(shownLines(text))
}

export function printError(text: string) {
  console.error(shownLines(text))
}
