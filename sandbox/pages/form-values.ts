import type { Form, FormValue } from '../api/form.ts'

/** A form's fields as JSON would have them: numbers and `true` as such, and empty fields left out. */
export function typed(value: FormValue): unknown {
  if (typeof value !== 'string') return typedFields(value)
  if (value === 'true') return true
  return /^-?\d{1,15}$/.test(value) ? Number(value) : value
}

function typedFields(form: Form): object {
  return Object.fromEntries(
    Object.entries(form).flatMap(([name, value]) => (value === '' ? [] : [[name, typed(value)]])),
  )
}
