import { languages, type LanguageCode } from '#config/languages.ts'
import { useId } from 'react'
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
          <Preference
            label={t('common.language')}
            value={language}
            options={codes.map((value) => ({ value, text: languages[value].name, lang: value }))}
            onChoose={(code) => void chooseLanguage(code)}
          />
        )}
        <Preference
          label={t('frame.theme')}
          value={theme}
          options={themes.map((value) => ({ value, text: t(`frame.themes.${value}`) }))}
          onChoose={chooseTheme}
        />
        <Preference
          label={t('profile.preferences.rows')}
          value={rows}
          options={rowHeights.map((value) => ({
            value,
            text: t(`profile.preferences.rowHeights.${value}`),
          }))}
          onChoose={chooseRows}
        />
        <ShortcutSwitch />
      </div>
    </Card>
  )
}

type PreferenceProps<Value extends string> = {
  label: string
  value: Value
  options: { value: Value; text: string; lang?: string }[]
  onChoose: (value: Value) => void
}

function Preference<Value extends string>(props: PreferenceProps<Value>) {
  const { label, value, options, onChoose } = props
  const id = useId()
  return (
    <div className="grid items-center gap-x-6 gap-y-1.5 sm:grid-cols-[10rem_minmax(0,16rem)]">
      <label htmlFor={id} className="text-small text-soft">
        {label}
      </label>
      <Select
        id={id}
        value={value}
        onChange={({ target }) => onChoose(options[target.selectedIndex]!.value)}
      >
        {options.map(({ value, text, lang }) => (
          <option key={value} value={value} lang={lang}>
            {text}
          </option>
        ))}
      </Select>
    </div>
  )
}
