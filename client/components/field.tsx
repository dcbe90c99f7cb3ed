import type { MessageKey } from '#locales/keys.ts'
import { createContext, useContext, useId, type ReactNode } from 'react'
import { useT } from '../platform/i18n.ts'

/** The error text of each wrong field, by the field's name. */
export type FieldErrors = Record<string, string>

export const FormErrors = createContext<FieldErrors>({})

export type FieldProps = {
  name: string
  label: MessageKey
  hint?: MessageKey | undefined
  aside?: ReactNode
}

type Wired = {
  id: string
  name: string
  'aria-invalid': boolean | undefined
  'aria-describedby': string | undefined
}

type Props = FieldProps & {
  required?: boolean | undefined
  children: (wired: Wired) => ReactNode
}

/** A label, a control, a hint and an error. Screen readers read the last two with the control. */
export function Field({ name, label, hint, aside, required, children }: Props) {
  const t = useT()
  const id = useId()
  const error = useContext(FormErrors)[name]
  const described = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ')
  return (
    <div>
      <div className="mb-1.5 flex flex-wrap items-baseline justify-between gap-x-3">
        <label htmlFor={id} className="text-small font-strong">
          {t(label)}
          {required === false && (
            <span className="font-normal text-faint"> {t('forms.optional')}</span>
          )}
        </label>
        {aside}
      </div>
      {children({
        id,
        name,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': described || undefined,
      })}
      {hint && (
        <p id={`${id}-hint`} className="mt-1.5 text-small text-soft">
          {t(hint)}
        </p>
      )}
      <div aria-live="polite">
        {error && (
          <p id={`${id}-error`} className="mt-1.5 text-small font-medium text-bad">
            {error}
          </p>
        )}
      </div>
    </div>
  )
}

export const controlLook =
  'w-full min-h-10 rounded-control border border-control bg-surface px-3 text-ink transition-colors placeholder:text-faint aria-invalid:border-bad disabled:bg-sunken disabled:text-soft'
