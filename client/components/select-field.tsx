import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { classes } from './classes.ts'
import { controlLook, Field, type FieldProps } from './field.tsx'

type SelectFieldProps = FieldProps & Omit<ComponentProps<'select'>, 'name' | 'id'>

/** The browser's own list: `children` are its options. */
export function SelectField({
  name,
  label,
  hint,
  aside,
  required = false,
  className,
  ...select
}: SelectFieldProps) {
  return (
    <Field {...{ name, label, aside, required }} {...(hint && { hint })}>
      {(wired) => (
        <div className="relative">
          <select
            {...select}
            {...wired}
            required={required}
            className={classes(controlLook, 'appearance-none pe-9', className)}
          />
          <ChevronDown
            aria-hidden
            className="pointer-events-none absolute end-3 top-1/2 size-4 -translate-y-1/2 text-soft"
          />
        </div>
      )}
    </Field>
  )
}
