import { languages, type LanguageCode } from '#config/languages.ts'
import { useId, type ReactNode } from 'react'
import { chooseLanguage } from '../../api/own-language.ts'
import { Card } from '../../components/card.tsx'
import { Select } from '../../components/fields.tsx'
import { ShortcutSwitch } from '../../layouts/shortcuts.tsx'
import { useLanguage, useT } from '../../platform/i18n.ts'
import { chooseRows, rowHeights, useRows } from '../../platform/rows.ts'
import { chooseTheme, themes, useTheme } from '../../platform/theme.ts'

const codes = Object.keys(languages) as LanguageCode[]

/** How the app looks and speaks. The language goes with the account, the rest with the browser. */
export function Preferences() {
  const t = useT()
  const language = useLanguage()
  const theme = useTheme()
  const rows = useRows()
  return (
    <Card title={t('profile.preferences.title')}>
      <div className="grid gap-3">
        {codes.length > 1 && (
          <Preference label={t('common.language')}>
            {(id) => (
              <Select
                id={id}
                value={language}
                onChange={({ target }) => void chooseLanguage(target.value as LanguageCode)}
              >
                {codes.map((code) => (
                  <option key={code} value={code} lang={code}>
                    {languages[code].name}
                  </option>
                ))}
              </Select>
            )}
          </Preference>
        )}
        <Preference label={t('frame.theme')}>
          {(id) => (
            <Select
              id={id}
              value={theme}
              onChange={({ target }) => chooseTheme(themes[target.selectedIndex]!)}
            >
              {themes.map((name) => (
                <option key={name} value={name}>
                  {t(`frame.themes.${name}`)}
                </option>
              ))}
            </Select>
          )}
        </Preference>
        <Preference label={t('profile.preferences.rows')}>
          {(id) => (
            <Select
              id={id}
              value={rows}
              onChange={({ target }) => chooseRows(rowHeights[target.selectedIndex]!)}
            >
              {rowHeights.map((height) => (
                <option key={height} value={height}>
                  {t(`profile.preferences.rowHeights.${height}`)}
                </option>
              ))}
            </Select>
          )}
        </Preference>
        <ShortcutSwitch />
      </div>
    </Card>
  )
}

type PreferenceProps = { label: string; children: (id: string) => ReactNode }

function Preference({ label, children }: PreferenceProps) {
  const id = useId()
  return (
    <div className="grid items-center gap-x-6 gap-y-1.5 sm:grid-cols-[10rem_minmax(0,16rem)]">
      <label htmlFor={id} className="text-small text-soft">
        {label}
      </label>
      {children(id)}
    </div>
  )
}
