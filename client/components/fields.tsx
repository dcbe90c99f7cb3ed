import type { MessageKey } from '#locales/keys.ts'
import { ChevronDown, Eye, EyeOff } from 'lucide-react'
import {
  createContext,
  useContext,
  useId,
  useState,
  type ReactNode,
  type ComponentProps,
  type KeyboardEvent,
} from 'react'
import { useT } from '../platform/i18n.ts'
import { classes } from './classes.ts'

/** The error text of each wrong field, by the field's name. */
export type FieldErrors = Record<string, string>

export const FormErrors = createContext<FieldErrors>({})

export type FieldProps = {
  name: string
  label: MessageKey
  hint?: MessageKey | undefined
  aside?: ReactNode
  /** The most characters that may be sent. More can be typed or pasted, and then shortened. */
  maxLength?: number | undefined
}

type Wired = {
  id: string
  name: string
  'aria-invalid': boolean | undefined
  'aria-describedby': string | undefined
  'data-limit': number | undefined
}

type Props = FieldProps & {
  required?: boolean | undefined
  children: (wired: Wired) => ReactNode
}

/** A label, a control, a hint and an error. Screen readers read the last two with the control. */
export function Field({ name, label, hint, aside, maxLength, required, children }: Props) {
  const t = useT()
  const id = useId()
  const error = useContext(FormErrors)[name]
  const [length, setLength] = useState(0)
  const isNearLimit = maxLength !== undefined && length >= maxLength * 0.9
  // An error takes the place of the hint, so that the fields below stay where they are.
  const described = [error ? 'error' : hint && 'hint', isNearLimit && 'length']
    .flatMap((part) => (part ? `${id}-${part}` : []))
    .join(' ')
  return (
    <div onInput={({ target }) => setLength((target as HTMLInputElement).value.length)}>
      <div className="grid grid-cols-[1fr_auto] items-baseline gap-x-3 gap-y-1.5">
        <label htmlFor={id} className="text-small font-strong">
          {t(label)}
          {required === false && (
            <span className="font-normal text-faint"> {t('forms.optional')}</span>
          )}
        </label>
        <div className="col-span-2 min-w-0">
          {children({
            id,
            name,
            'aria-invalid': error ? true : undefined,
            'aria-describedby': described || undefined,
            'data-limit': maxLength,
          })}
        </div>
        {/* The Tab key reaches the control first. */}
        {aside && <div className="col-start-2 row-start-1">{aside}</div>}
      </div>
      {hint && !error && (
        <p id={`${id}-hint`} className="mt-1.5 text-small text-soft">
          {t(hint)}
        </p>
      )}
      <FieldError id={`${id}-error`}>{error}</FieldError>
      {isNearLimit && (
        <p
          id={`${id}-length`}
          className={classes('mt-1.5 text-small', length > maxLength ? 'text-bad' : 'text-soft')}
        >
          {t('forms.length', { count: length, max: maxLength })}
        </p>
      )}
    </div>
  )
}

/** Announces what is wrong with a field as soon as there is a text. */
export function FieldError({ id, children }: { id: string; children: string | false | undefined }) {
  return (
    <div aria-live="polite">
      {children && (
        <p id={id} className="mt-1.5 text-small font-medium text-bad">
          {children}
        </p>
      )}
    </div>
  )
}

export const controlLook =
  'w-full min-h-10 rounded-control border border-control bg-surface px-3 text-ink transition-colors placeholder:text-faint aria-invalid:border-bad disabled:bg-sunken disabled:text-soft'

export function TextField(props: FieldProps & Omit<ComponentProps<'input'>, 'name' | 'id'>) {
  const { name, label, hint, aside, maxLength, required = false, className, ...input } = props
  const look = classes(controlLook, className)
  return (
    <Field {...{ name, label, hint, aside, maxLength, required }}>
      {(wired) => <input dir="auto" {...input} {...wired} required={required} className={look} />}
    </Field>
  )
}

export function TextAreaField(props: FieldProps & Omit<ComponentProps<'textarea'>, 'name' | 'id'>) {
  const { name, label, hint, aside, maxLength, required = false, className, ...textarea } = props
  const look = classes(controlLook, 'block py-2', className)
  return (
    <Field {...{ name, label, hint, aside, maxLength, required }}>
      {(wired) => (
        <textarea dir="auto" {...textarea} {...wired} required={required} className={look} />
      )}
    </Field>
  )
}

/** The text of a field, empty if the form has no such field. */
export function textOf(values: FormData, name: string) {
  const value = values.get(name)
  return typeof value === 'string' ? value : ''
}

export function SelectField(props: FieldProps & Omit<ComponentProps<'select'>, 'name' | 'id'>) {
  const { name, label, hint, aside, required = false, ...select } = props
  return (
    <Field {...{ name, label, hint, aside, required }}>
      {(wired) => <Select {...select} {...wired} required={required} />}
    </Field>
  )
}

export function Select({ className, ...select }: ComponentProps<'select'>) {
  return (
    <div className="relative grow">
      <select
        {...select}
        data-default={select.defaultValue}
        className={classes(controlLook, 'appearance-none pe-9', className)}
      />
      <ChevronDown className="pointer-events-none absolute end-3 top-1/2 size-4 -translate-y-1/2 text-soft" />
    </div>
  )
}

type CheckboxProps = Omit<ComponentProps<'input'>, 'type' | 'children'> & { children: ReactNode }

export function Checkbox({ children, ...input }: CheckboxProps) {
  return (
    <label className="flex min-h-9 items-center gap-2.5 has-disabled:text-soft pointer-coarse:min-h-11">
      <input {...input} type="checkbox" className="tick" />
      <span>{children}</span>
    </label>
  )
}

type PasswordFieldProps = FieldProps &
  Omit<ComponentProps<'input'>, 'name' | 'id' | 'type'> & {
    autoComplete: 'current-password' | 'new-password'
  }

export function PasswordField(props: PasswordFieldProps) {
  const { name, label, hint, aside, maxLength, ...input } = props
  const t = useT()
  const [shown, setShown] = useState(false)
  const [isCapsLock, setCapsLock] = useState(false)

  function watchCapsLock(event: KeyboardEvent) {
    setCapsLock(event.getModifierState('CapsLock'))
  }

  return (
    <Field {...{ name, label, hint, aside, maxLength }}>
      {(wired) => (
        <>
          <div className="relative">
            <input
              {...input}
              {...wired}
              onKeyDown={watchCapsLock}
              onKeyUp={watchCapsLock}
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
              className="absolute inset-y-1 end-1 grid touch-target w-8 place-items-center rounded-control text-soft hover:text-ink"
            >
              {shown ? <EyeOff className="size-4" /> : <Eye className="size-4" />}
            </button>
          </div>
          <div aria-live="polite">
            {isCapsLock && <p className="mt-1.5 text-small text-warn">{t('forms.capsLock')}</p>}
          </div>
        </>
      )}
    </Field>
  )
}
