import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { classes } from './classes.ts'
import { controlLook, Field, type FieldProps } from './field.tsx'

type SelectFieldProps = FieldProps & Omit<ComponentProps<'select'>, 'name' | 'id'>

export function SelectField(props: SelectFieldProps) {
  const { name, label, hint, aside, required = false, ...select } = props
  return (
    <Field {...{ name, label, hint, aside, required }}>
      {(wired) => <Select {...select} {...wired} required={required} />}
    </Field>
  )
}

/** A `<select>` of the browser. `children` are its options. */
export function Select({ className, ...select }: ComponentProps<'select'>) {
  return (
    <div className="relative">
      <select {...select} className={classes(controlLook, 'appearance-none pe-9', className)} />
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute end-3 top-1/2 size-4 -translate-y-1/2 text-soft"
      />
    </div>
  )
}
