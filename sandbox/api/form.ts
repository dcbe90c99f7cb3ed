import { invalid } from '../rules/errors.ts'

export type FormValue = string | Form
export type Form = { [key: string]: FormValue }

const deepest = 8

/** `items[0][price]=x&expand[]=y` is `{ items: { 0: { price: 'x' } }, expand: { 0: 'y' } }`. */
export function parseForm(encoded: string): Form {
  const form = emptyForm()
  if (encoded.includes('%00') || encoded.includes('\0'))
    throw invalid('Invalid string: it holds a null character.')
  for (const [name, value] of new URLSearchParams(encoded)) put(form, pathOf(name), value, name)
  return form
}

/** The inverse: `['items', 0, 'price']` as `items[0][price]`. */
export function nameOf(path: PropertyKey[]): string {
  return path.map((step, index) => (index ? `[${String(step)}]` : String(step))).join('')
}

function pathOf(name: string): string[] {
  const head = name.split('[', 1)[0] ?? ''
  const rest = [...name.slice(head.length).matchAll(/\[([^\]]*)\]/g)].map((match) => match[1] ?? '')
  if (rest.length > deepest)
    throw invalid(`The parameter ${name} is nested too deeply.`, { param: name })
  return [head, ...rest]
}

function put(form: Form, path: string[], value: string, name: string) {
  let at = form
  for (const step of path.slice(0, -1)) {
    const next = (at[keyIn(at, step)] ??= emptyForm())
    if (typeof next === 'string') throw invalid(`Invalid parameter: ${name}`, { param: name })
    at = next
  }
  at[keyIn(at, path.at(-1) ?? '')] = value
}

function keyIn(form: Form, step: string): string {
  return step === '' ? String(Object.keys(form).length) : step
}

/** An object without a prototype, because a parameter may be called `__proto__`. */
function emptyForm(): Form {
  return Object.create(null) as Form
}
