import type { ComponentProps } from 'react'
import { classes } from './classes.ts'
import { controlLook, Field, type FieldProps } from './field.tsx'

type TextFieldProps = FieldProps & Omit<ComponentProps<'input'>, 'name' | 'id'>

export function TextField({
  name,
  label,
  hint,
  aside,
  required = false,
  className,
  ...input
}: TextFieldProps) {
  return (
    <Field {...{ name, label, aside, required }} {...(hint && { hint })}>
      {(wired) => (
        <input
          {...input}
          {...wired}
          required={required}
          className={classes(controlLook, className)}
        />
      )}
    </Field>
  )
}
