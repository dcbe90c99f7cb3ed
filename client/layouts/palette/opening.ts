import { createStore } from '../../platform/create-store.ts'

export const onApple = '⌘K'
export const isApple = /Mac|iPhone|iPad/.test(navigator.platform)

/** Counts how often the palette has opened, so that each opening starts afresh. 0 is closed. */
export const opening = createStore(0)
let last = 0

export function openPalette() {
  if (!document.querySelector('dialog[open]')) opening.set(++last)
}

export function closePalette() {
  opening.set(0)
}
