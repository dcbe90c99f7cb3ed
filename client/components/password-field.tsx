import { Eye, EyeOff } from 'lucide-react'
import { useState, type ComponentProps } from 'react'
import { useT } from '../platform/i18n.ts'
import { classes } from './classes.ts'
import { controlLook, Field, type FieldProps } from './field.tsx'

type PasswordFieldProps = FieldProps &
  Omit<ComponentProps<'input'>, 'name' | 'id' | 'type'> & {
    autoComplete: 'current-password' | 'new-password'
  }

export function PasswordField({ name, label, hint, aside, ...input }: PasswordFieldProps) {
  const t = useT()
  const [shown, setShown] = useState(false)
  return (
    <Field {...{ name, label, hint, aside }}>
      {(wired) => (
        <div className="relative">
          <input
            {...input}
            {...wired}
            required
            type={shown ? 'text' : 'password'}
            autoCapitalize="none"
            spellCheck={false}
            className={classes(controlLook, 'pe-11')}
          />
          <button
            type="button"
            aria-label={t('forms.showPassword')}
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
            className="absolute inset-y-1 end-1 grid w-8 place-items-center rounded-control text-soft hover:text-ink"
          >
            {shown ? <EyeOff className="size-4" /> : <Eye className="size-4" />}
          </button>
        </div>
      )}
    </Field>
  )
}
