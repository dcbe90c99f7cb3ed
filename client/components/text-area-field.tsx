import type { ComponentProps } from 'react'
import { classes } from './classes.ts'
import { controlLook, Field, type FieldProps } from './field.tsx'

type TextAreaFieldProps = FieldProps & Omit<ComponentProps<'textarea'>, 'name' | 'id'>

export function TextAreaField({
  name,
  label,
  hint,
  aside,
  required = false,
  className,
  ...textarea
}: TextAreaFieldProps) {
  return (
    <Field {...{ name, label, aside, required }} {...(hint && { hint })}>
      {(wired) => (
        <textarea
          {...textarea}
          {...wired}
          required={required}
          className={classes(controlLook, 'block py-2', className)}
        />
      )}
    </Field>
  )
}
