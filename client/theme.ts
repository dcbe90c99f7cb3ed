import { useSyncExternalStore } from 'react'
import { remember, remembered } from './storage.ts'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const system = matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()
let theme = stored()

export function useTheme() {
  return useSyncExternalStore(subscribe, () => theme)
}

/** Kept for the next visit, where the script in the page's head puts it on before anything is drawn. */
export function chooseTheme(chosen: Theme) {
  theme = chosen
  remember('theme', chosen)
  show()
  for (const listener of listeners) listener()
}

export function followSystemTheme() {
  system.addEventListener('change', show)
  show()
}

function show() {
  const isDark = theme === 'dark' || (theme === 'system' && system.matches)
  document.documentElement.classList.toggle('dark', isDark)
  // What the browser draws around the page goes along.
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]'))
    meta.media = (meta.dataset['theme'] === 'dark') === isDark ? 'all' : 'not all'
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function stored(): Theme {
  return themes.find((theme) => theme === remembered('theme')) ?? 'system'
}
