import type { FieldValues } from '../drafts.ts'

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** Passwords, cards, one-time codes, and whatever is marked `data-secret` never leave the form. */
const secret = /password|^cc-|one-time-code/

/** What is in the fields of a form, but for those that hold secrets. */
export function valuesOf(form: HTMLFormElement) {
  const values: FieldValues = {}
  for (const control of controlsOf(form)) {
    const known = (values[control.name] ??= [])
    if (!isChoice(control) || control.checked) known.push(control.value)
  }
  return values
}

/** The fields that are not as they were. */
export function changedSince(before: FieldValues, values: FieldValues): FieldValues {
  return Object.fromEntries(
    Object.entries(values).filter(([name, now]) => now.join('\n') !== before[name]?.join('\n')),
  )
}

/** Puts values into the fields as if they were typed, so that whatever follows what is typed does. */
export function fillIn(form: HTMLFormElement, values: FieldValues) {
  for (const control of controlsOf(form)) {
    const wanted = values[control.name]
    if (!wanted) continue
    if (isChoice(control)) {
      if (control.checked !== wanted.includes(control.value)) control.click()
    } else if (wanted[0] !== undefined && control.value !== wanted[0]) type(control, wanted[0])
  }
}

/** Past React's own setter, which would take the event for an echo of its own. */
function type(control: Control, value: string) {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')!.set!.call(
    control,
    value,
  )
  control.dispatchEvent(new Event('input', { bubbles: true }))
  control.dispatchEvent(new Event('change', { bubbles: true }))
}

function controlsOf(form: HTMLFormElement) {
  return Array.from(form.elements).filter(
    (element): element is Control =>
      'validity' in element &&
      'value' in element &&
      'name' in element &&
      element.name !== '' &&
      !isSecret(element as Control),
  )
}

function isSecret({ type, autocomplete, dataset }: Control) {
  return (
    type === 'password' ||
    type === 'file' ||
    secret.test(autocomplete) ||
    dataset['secret'] !== undefined
  )
}

function isChoice(control: Control): control is HTMLInputElement {
  return control.type === 'checkbox' || control.type === 'radio'
}
