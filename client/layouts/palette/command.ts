import type { LucideIcon } from 'lucide-react'
import { isOneMistakeFrom } from '../../components/likely-address.ts'

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

/** The commands that match if each typed word may have one mistake. */
export function nearly<Found extends Findable>(commands: Found[], typed: string) {
  const wanted = split(fold(typed))
  return commands.filter(({ label, words = '' }) =>
    wanted.every((word) => isNear(word, split(fold(`${label} ${words}`)))),
  )
}

/** Whether one of the words begins like the typed one, with one mistake in four letters or more. */
function isNear(typed: string, words: string[]) {
  const lengths = typed.length < 4 ? [] : [typed.length, typed.length + 1, typed.length - 1]
  return words.some(
    (word) =>
      word.startsWith(typed) ||
      lengths.some((length) => isOneMistakeFrom(typed, word.slice(0, length))),
  )
}

/** Removes case and accents. Splits Korean syllables into letters: unfinished ones match, too. */
function fold(text: string) {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss')
}

function split(text: string) {
  return text.split(/[\s,、，]+/).filter((word) => word !== '')
}
