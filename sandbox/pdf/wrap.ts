import { widthOf } from './fonts.ts'

/** The text in lines no wider than `width` at this size, broken where the language lets words end; a word that is wider, anywhere. */
export function wrapped(
  text: string,
  { width, size, language, most }: { width: number; size: number; language: string; most: number },
) {
  const fits = (line: string) => widthOf(line) * size <= width
  const lines = ['']
  for (const word of partsOf(text, language, fits)) {
    if (fits(lines.at(-1) + word.trimEnd())) lines[lines.length - 1] += word
    else lines.push(word.trimStart())
  }
  const shown =
    lines.length > most
      ? [...lines.slice(0, most - 1), cut(lines.slice(most - 1).join(''), fits)]
      : lines
  return shown.map((line) => line.trim()).filter(Boolean)
}

function partsOf(text: string, language: string, fits: (part: string) => boolean): string[] {
  const words = [...new Intl.Segmenter(language, { granularity: 'word' }).segment(text)].map(
    ({ segment }) => segment,
  )
  return words.flatMap((word) => (fits(word) ? [word] : Array.from(word)))
}

function cut(text: string, fits: (line: string) => boolean): string {
  let shown = text
  while (shown && !fits(`${shown}…`)) shown = Array.from(shown).slice(0, -1).join('')
  return `${shown.trimEnd()}…`
}
