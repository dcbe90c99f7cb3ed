import { addressIn } from '#contract/mail-address.ts'
import type { MessageKey } from '#locales/keys.ts'
import type { CallError } from '../api/post.ts'
import { isMessageKey, type Translate } from '../platform/i18n.ts'
import type { FieldErrors } from './fields.tsx'
import { problemText } from './message.tsx'

/** For each refusal reason, the names of the fields that it is about, in all forms. */
const fieldsOf: Partial<Record<CallError['reason'], readonly string[]>> = {
  'auth/password-does-not-meet-requirements': ['password', 'newPassword'],
  'auth/wrong-password': ['password'],
  'auth/invalid-verification-code': ['code', 'recoveryCode'],
  'auth/email-already-in-use': ['email', 'newEmail'],
  emailUnchanged: ['email'],
  alreadyInvited: ['email'],
  alreadyMember: ['email'],
  inviteeMoved: ['email'],
  confirmationMismatch: ['confirmationId'],
  subscriptionIdMismatch: ['confirmationId'],
  taxIdInvalid: ['tax_id.value', 'billingInfo.tax_id.value'],
  cardDeclined: ['framed.card'],
  emailRefused: ['billing_email'],
  phoneRefused: ['phone', 'billingInfo.billingDetails.phone'],
}

/** Returns the errors by field name. They replace the errors that the form finds itself. */
export type Check = (values: FormData) => Record<string, MessageKey> | undefined

/** Finds errors before the form is sent. The server checks everything again. */
export function findFieldErrors(
  form: HTMLFormElement,
  values: FormData,
  check: Check | undefined,
  t: Translate,
): FieldErrors {
  const found: FieldErrors = {}
  for (const control of controlsOf(form)) {
    const wrong = wrongWith(control, t)
    if (wrong) found[control.name] = wrong
  }
  for (const [name, key] of Object.entries(check?.(values) ?? {})) found[name] = t(key)
  return found
}

/** The errors of this form's fields that the server refused. */
export function fieldErrorsOf(error: CallError, form: HTMLFormElement, t: Translate): FieldErrors {
  const names = new Set(controlsOf(form).map(({ name }) => name))
  const told =
    error.details['fields'] ??
    Object.fromEntries((fieldsOf[error.reason] ?? []).map((name) => [name, error.reason]))
  const fields = Object.entries(told as Record<string, string>).filter(([name]) => names.has(name))
  return Object.fromEntries(fields.map(([name, code]) => [name, fieldText(name, code, error, t)]))
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

function controlsOf(form: HTMLFormElement) {
  return Array.from(form.elements).filter(
    (element): element is Control =>
      'validity' in element && 'name' in element && element.name !== '',
  )
}

function wrongWith(control: Control, t: Translate) {
  if (control.required && control.value.trim() === '') return missingText(control.name, t)
  const limit = Number(control.dataset['limit'] ?? Infinity)
  if (control.value.length > limit) return t('forms.shorten', { count: limit })
  if (control.type === 'email')
    return control.value && !addressIn(control.value) ? t('errors.auth/invalid-email') : undefined
  if (control.validity.typeMismatch || control.validity.badInput) return t('forms.invalid')
  const { rangeOverflow, rangeUnderflow } = control.validity
  if (control instanceof HTMLInputElement && (rangeOverflow || rangeUnderflow))
    return t('forms.range', { min: control.min, max: control.max })
  const minLength = control instanceof HTMLInputElement ? control.minLength : -1
  if (control.value.length < minLength) return t('auth.passwordUnmet.length', { minLength })
  return undefined
}

/** What to enter into an empty field. For `billing.address.city`, the text is `address.city`. */
export function missingText(name: string, t: Translate) {
  const parts = name.split('.')
  const keys = parts.flatMap((_, index) =>
    ['forms', 'memberForms'].map((area) => `${area}.enter.${parts.slice(index).join('.')}`),
  )
  return t(keys.find(isMessageKey) ?? 'forms.required')
}

/** `code` is a refusal reason, or a code that only fields have, such as `too_small`. */
function fieldText(name: string, code: string, error: CallError, t: Translate) {
  const { reason, details } = error
  if (isMessageKey(`errors.${code}`))
    return problemText({ reason: code as CallError['reason'], details }, t)
  if (code === 'required') return missingText(name, t)
  if (code === 'too_small') return t('forms.tooShort')
  if (code === 'too_big') return t('forms.tooLong')
  return reason === 'invalidInput' ? t('forms.invalid') : problemText(error, t)
}
