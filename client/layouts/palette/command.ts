import type { LucideIcon } from 'lucide-react'

export type Command = {
  id: string
  /** The title of its group. */
  group: string
  label: string
  /** More words that find it. */
  words?: string
  hint?: string | undefined
  icon: LucideIcon
  /** Shown only when the user types part of its name. */
  isRare?: boolean
  /** The address that it opens, or what it does. */
  does: string | (() => unknown)
}

type Findable = Pick<Command, 'label' | 'words'>

/** The commands that match the typed words: by how their label begins first, by keywords last. */
export function bestFirst<Found extends Findable>(commands: Found[], typed: string) {
  const wanted = split(fold(typed))
  const begin = (text: string) =>
    wanted.every((word) => split(text).some((other) => other.startsWith(word)))
  const ways: ((label: string, words: string) => boolean)[] = [
    (label) => label.startsWith(wanted.join(' ')),
    begin,
    (label) => wanted.every((word) => label.includes(word)),
    (label, words) => begin(`${label} ${words}`),
  ]
  const rankOf = ({ label, words = '' }: Found) =>
    ways.findIndex((way) => way(fold(label), fold(words)))
  return ways.flatMap((_, rank) => commands.filter((command) => rankOf(command) === rank))
}

/** Removes case and accents. Splits Korean syllables into letters: unfinished ones match, too. */
function fold(text: string) {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss')
}

function split(text: string) {
  return text.split(/[\s,、，]+/).filter((word) => word !== '')
}
