import type { Form, FormValue } from '../api/form.ts'

/** Turns a form's fields into JSON values: numbers and `true`. Empty fields are left out. */
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
