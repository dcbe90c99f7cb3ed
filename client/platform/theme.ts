import { createStore } from './create-store.ts'
import { remember, remembered } from './storage.ts'

export const themes = ['system', 'light', 'dark'] as const
type Theme = (typeof themes)[number]

const system = matchMedia('(prefers-color-scheme: dark)')
const stored = themes.find((theme) => theme === remembered('theme'))
const theme = createStore<Theme>(stored ?? 'system')
export const useTheme = theme.use

/** Shows and stores the theme. On the next visit, a script in index.html applies it at once. */
export function chooseTheme(chosen: Theme) {
  remember('theme', chosen)
  theme.set(chosen)
  show()
}

export function followSystemTheme() {
  system.addEventListener('change', show)
  show()
}

function show() {
  const isDark = theme.get() === 'dark' || (theme.get() === 'system' && system.matches)
  document.documentElement.classList.toggle('dark', isDark)
  // Gives the browser's own bars the same colour.
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]'))
    meta.media = (meta.dataset['theme'] === 'dark') === isDark ? 'all' : 'not all'
}
