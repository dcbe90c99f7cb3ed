import type { ComponentProps } from 'react'
import { classes } from './classes.ts'
import { controlLook, Field, type FieldProps } from './field.tsx'

type TextFieldProps = FieldProps & Omit<ComponentProps<'input'>, 'name' | 'id'>
type TextAreaFieldProps = FieldProps & Omit<ComponentProps<'textarea'>, 'name' | 'id'>

export function TextField(props: TextFieldProps) {
  const { name, label, hint, aside, required = false, className, ...input } = props
  const look = classes(controlLook, className)
  return (
    <Field {...{ name, label, hint, aside, required }}>
      {(wired) => <input {...input} {...wired} required={required} className={look} />}
    </Field>
  )
}

export function TextAreaField(props: TextAreaFieldProps) {
  const { name, label, hint, aside, required = false, className, ...textarea } = props
  const look = classes(controlLook, 'block py-2', className)
  return (
    <Field {...{ name, label, hint, aside, required }}>
      {(wired) => <textarea {...textarea} {...wired} required={required} className={look} />}
    </Field>
  )
}

/** The text of a field, empty if the form has no such field. */
export function textOf(values: FormData, name: string) {
  const value = values.get(name)
  return typeof value === 'string' ? value : ''
}
