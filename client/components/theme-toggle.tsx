import { Monitor, Moon, Sun } from 'lucide-react'
import { useT } from '../i18n.ts'
import { chooseTheme, themes, useTheme } from '../theme.ts'
import { Button } from './button.tsx'

const icons = { light: Sun, dark: Moon, system: Monitor }

/** Each press goes to the next theme: light, dark, system. */
export function ThemeToggle() {
  const t = useT()
  const theme = useTheme()
  const next = themes[(themes.indexOf(theme) + 1) % themes.length]!
  const Icon = icons[theme]
  const label = t('layout.theme', {
    theme: t(`layout.themes.${theme}`),
    next: t(`layout.themes.${next}`),
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
