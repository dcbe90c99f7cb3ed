import type { LucideIcon } from 'lucide-react'

export type Command = {
  id: string
  label: string
  hint?: string | undefined
  icon: LucideIcon
  /** Shown only to people who type part of its name. */
  isRare?: boolean
  run: () => unknown
}

/** How well a label matches what was typed, 0 being best; undefined where a word is missing. */
export function rankOf(label: string, typed: string) {
  const text = fold(label)
  const words = wordsOf(fold(typed))
  if (words.some((word) => !text.includes(word))) return undefined
  if (text.startsWith(words.join(' '))) return 0
  const starts = wordsOf(text)
  return words.every((word) => starts.some((start) => start.startsWith(word))) ? 1 : 2
}

/** Drops case and accents; splits Hangul into letters, so that unfinished syllables match. */
function fold(text: string) {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss')
}

function wordsOf(text: string) {
  return text.split(/\s+/).filter((word) => word !== '')
}
