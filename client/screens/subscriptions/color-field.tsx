import { useState } from 'react'
import { useT } from '../../platform/i18n.ts'
import { Button } from '../../components/button.tsx'
import { Field, type FieldProps } from '../../components/fields.tsx'

type ColorFieldProps = FieldProps & { required: boolean; defaultValue: string }

/** The browser's colour picker can't be empty, so a hidden field holds the value. */
export function ColorField({ name, label, hint, required, defaultValue }: ColorFieldProps) {
  const t = useT()
  const [color, setColor] = useState(defaultValue)
  return (
    <Field {...{ name, label, hint, required }}>
      {({ name: _, ...wired }) => (
        <div className="flex items-center gap-3">
          <input
            {...wired}
            type="color"
            value={color || '#ffffff'}
            onChange={({ target }) => setColor(target.value)}
            className="h-10 w-16 rounded-control border border-control bg-surface p-1"
          />
          <input
            type="hidden"
            name={name}
            value={color}
            data-default={defaultValue}
            onInput={({ currentTarget }) => setColor(currentTarget.value)}
          />
          <span className="font-mono text-small text-soft">{color || t('forms.noColor')}</span>
          {color && !required && <Button onClick={() => setColor('')}>{t('forms.clear')}</Button>}
        </div>
      )}
    </Field>
  )
}
