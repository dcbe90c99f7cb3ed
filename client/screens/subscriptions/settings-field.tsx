import type { SettingsField } from '#config/settings.ts'
import type { SettingValue } from '#contract/settings.ts'
import { Checkbox } from '../../components/checkbox.tsx'
import { ColorField } from '../../components/color-field.tsx'
import { SelectField } from '../../components/select-field.tsx'
import { TextAreaField, TextField } from '../../components/text-field.tsx'
import { textOf } from '../../components/text-of.ts'
import { useT } from '../../i18n.ts'

type SettingsFieldInputProps = {
  name: string
  field: SettingsField
  value: SettingValue | undefined
}

export function SettingsFieldInput({ name, field, value }: SettingsFieldInputProps) {
  const t = useT()
  const { label, hint, required, placeholder } = field
  const common = {
    name,
    label,
    required,
    hint,
    placeholder: placeholder && t(placeholder),
  }
  const text = String(value ?? '')
  switch (field.type) {
    case 'string':
      return <TextField {...common} defaultValue={text} maxLength={field.maxLength} />
    case 'url':
    case 'email':
      return (
        <TextField {...common} type={field.type} defaultValue={text} maxLength={field.maxLength} />
      )
    case 'text':
      return <TextAreaField {...common} defaultValue={text} maxLength={field.maxLength} />
    case 'number':
      return (
        <TextField
          {...common}
          type="number"
          defaultValue={text}
          min={field.min}
          max={field.max}
          step={field.step ?? 'any'}
        />
      )
    case 'boolean':
      return (
        <Checkbox name={name} required={required} defaultChecked={value === true}>
          {t(label)}
        </Checkbox>
      )
    case 'select':
      return (
        <SelectField {...common} defaultValue={text}>
          <option value="" disabled={required}>
            {placeholder ? t(placeholder) : ''}
          </option>
          {Object.entries(field.options).map(([option, words]) => (
            <option key={option} value={option}>
              {t(words)}
            </option>
          ))}
        </SelectField>
      )
    case 'color':
      return <ColorField {...{ name, label, hint, required }} defaultValue={text} />
  }
}

/** The value that was typed or chosen. */
export function settingOf(values: FormData, name: string, { type }: SettingsField): SettingValue {
  if (type === 'boolean') return values.has(name)
  const text = textOf(values, name)
  if (type !== 'number') return text
  return text.trim() === '' ? null : Number(text)
}
