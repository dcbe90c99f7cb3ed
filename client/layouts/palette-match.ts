import type { LucideIcon } from 'lucide-react'

export type Command = {
  id: string
  label: string
  /** More words that find it, in the shown language and in English. */
  words?: string
  hint?: string | undefined
  icon: LucideIcon
  /** Shown only when the user types part of its name. */
  isRare?: boolean
  /** The address that it opens, if it opens one. */
  to?: string
  run: () => unknown
}

type Findable = { label: string; words?: string | undefined }

/** The commands that match the typed words, those matched by their label first. */
export function bestFirst<Command extends Findable>(commands: Command[], typed: string) {
  return commands
    .map((command) => ({ command, rank: rankOf(command, typed) ?? Infinity }))
    .filter(({ rank }) => rank < Infinity)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ command }) => command)
}

/** How well a command matches: 0 is best, 3 needs its keywords, undefined if a word is missing. */
export function rankOf({ label, words = '' }: Findable, typed: string) {
  const wanted = split(fold(typed))
  const text = fold(label)
  const starts = split(text)
  const areIn = (all: string[]) => wanted.every((word) => all.some((each) => each.startsWith(word)))
  if (text.startsWith(wanted.join(' '))) return 0
  if (areIn(starts)) return 1
  if (wanted.every((word) => text.includes(word))) return 2
  return areIn([...starts, ...split(fold(words))]) ? 3 : undefined
}

/** Removes case and accents. Splits Korean syllables into letters: unfinished ones match, too. */
function fold(text: string) {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss')
}

function split(text: string) {
  return text.split(/[\s,、，]+/).filter((word) => word !== '')
}
