import { createStore } from './create-store.ts'
import { remember, remembered } from './storage.ts'

export const themes = ['system', 'light', 'dark'] as const
type Theme = (typeof themes)[number]

const stored = () => themes.find((theme) => theme === remembered('theme')) ?? 'system'
const theme = createStore<Theme>(stored())
export const useTheme = theme.use

// Only the other tabs hear of what one tab stores.
addEventListener('storage', () => {
  theme.set(stored())
  showTheme()
})

export function isDark() {
  const isSystemDark = matchMedia('(prefers-color-scheme: dark)').matches
  return theme.get() === 'dark' || (theme.get() === 'system' && isSystemDark)
}

/** Shows and stores the theme. On the next visit, a script in index.html applies it at once. */
export function chooseTheme(chosen: Theme) {
  remember('theme', chosen)
  theme.set(chosen)
  showTheme()
}

/** The style sheet follows the system's theme without a script. */
export function showTheme() {
  const shown = theme.get()
  document.documentElement.dataset['theme'] = shown
  // Gives the browser's own bars the same colour.
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')) {
    const of = meta.dataset['theme']
    if (shown === 'system') meta.media = `(prefers-color-scheme: ${of})`
    else meta.media = of === shown ? 'all' : 'not all'
  }
}
