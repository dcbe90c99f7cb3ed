import { languages, type Language, type LanguageCode } from '#config/languages.ts'
import { ChevronDown, Languages, Monitor, Moon, Sun } from 'lucide-react'
import { chooseLanguage } from '../api/own-language.ts'
import { useLanguage, useT } from '../platform/i18n.ts'
import { chooseTheme, themes, useTheme } from '../platform/theme.ts'
import { Button } from './button.tsx'

export const themeIcons = { light: Sun, dark: Moon, system: Monitor }

/**
 * Each press switches to the next theme: light, dark, system. For visitors: signed-in people choose
 * the theme in their profile menu.
 */
export function ThemeToggle() {
  const t = useT()
  const theme = useTheme()
  const next = themes[(themes.indexOf(theme) + 1) % themes.length]!
  const Icon = themeIcons[theme]
  const label = t('common.theme', {
    theme: t(`common.themes.${theme}`),
    next: t(`common.themes.${next}`),
  })
  return (
    <Button
      variant="quiet"
      size="icon"
      aria-label={label}
      title={label}
      onClick={() => chooseTheme(next)}
      icon={<Icon className="size-4.5!" />}
    />
  )
}

const choices = Object.entries(languages) as [LanguageCode, Language][]

/** Shows each language by its own name. Draws nothing if there is only one language. */
export function LanguageSelector() {
  const t = useT()
  const language = useLanguage()
  if (choices.length < 2) return null
  return (
    <div className="relative inline-flex items-center rounded-control text-soft transition-colors hover:bg-tint hover:text-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ring">
      <Languages className="pointer-events-none absolute start-2.25 size-4.5 pointer-coarse:start-3.25" />
      <select
        aria-label={t('common.language')}
        value={language}
        onChange={({ target }) => void chooseLanguage(target.value as LanguageCode)}
        className="h-9 w-9 cursor-pointer pointer-coarse:size-11 appearance-none bg-transparent ps-9 text-body font-medium outline-none max-sm:text-transparent sm:w-auto! sm:field-sizing-content sm:pe-7 [&>option]:bg-surface [&>option]:text-ink"
      >
        {choices.map(([code, { name }]) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
      <ChevronDown className="pointer-events-none absolute end-2 size-3.5 max-sm:hidden" />
    </div>
  )
}
