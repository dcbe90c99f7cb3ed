import type { MessageKey } from '#locales/keys.ts'
import { brandName } from '#contract/card-brands.ts'
import card from 'card-validator'
import { useRef, useState, type FormEvent } from 'react'
import { CardMark } from './card-mark.tsx'
import { classes } from './classes.ts'
import { controlLook, Field, TextField, textOf } from './fields.tsx'
import { digitsOf, grouped, monthAndYear, rewritten, type Write } from './typed-digits.ts'

const longest = 19
const usualGaps = [4, 8, 12, 16]
/** The payment provider's names of brands that the checking library calls otherwise. */
const providerNames: Record<string, string> = {
  'american-express': 'amex',
  'diners-club': 'diners',
}
/** A card can't expire later than this many years from now. */
const years = 50

/** The fields of a card. No call has inputs of these names, so our server never gets card data. */
export function CardFields() {
  const [number, setNumber] = useState('')
  const shown = useRef<Record<string, string>>({})
  const brand = brandOf(number)
  const brandKey = brand?.type && (providerNames[brand.type] ?? brand.type)
  const codeLength = brand?.code.size ?? 3

  /** Formats the typed digits as on a card, and focuses the next field after the last digit. */
  function writeAs(write: Write, isComplete: (text: string) => boolean) {
    return ({ currentTarget: field, nativeEvent }: FormEvent<HTMLInputElement>) => {
      const inputType = (nativeEvent as InputEvent).inputType ?? ''
      const typed = {
        value: field.value,
        caret: field.selectionStart ?? field.value.length,
        inputType,
      }
      const { text, caret } = rewritten(shown.current[field.name] ?? '', typed, write)
      shown.current[field.name] = field.value = text
      if (field.name === 'card.number') setNumber(digitsOf(text))
      if (document.activeElement !== field) return
      field.setSelectionRange(caret, caret)
      if (inputType.startsWith('insert') && caret === text.length && isComplete(text))
        nextOf(field)?.focus()
    }
  }

  return (
    <>
      <Field name="card.number" label="billing.card.number" required>
        {(wired) => (
          <div className="relative">
            <input
              {...wired}
              autoComplete="cc-number"
              inputMode="numeric"
              placeholder="1234 1234 1234 1234"
              maxLength={23}
              onInput={writeAs(asNumber, isWholeNumber)}
              required
              className={classes(controlLook, 'pe-11')}
            />
            <span className="pointer-events-none absolute inset-y-0 end-3 grid place-items-center">
              <CardMark brand={brandKey} />
              {brandKey && <span className="sr-only">{brandName(brandKey)}</span>}
            </span>
          </div>
        )}
      </Field>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(9rem,1fr))] gap-4">
        <TextField
          name="card.expiry"
          label="billing.card.expiry"
          autoComplete="cc-exp"
          inputMode="numeric"
          placeholder="12 / 34"
          onInput={writeAs(monthAndYear, isGood)}
          required
        />
        <TextField
          name="card.cvc"
          label="billing.card.cvc"
          hint={codeLength === 4 ? 'billing.card.cvcFront' : 'billing.card.cvcBack'}
          autoComplete="cc-csc"
          inputMode="numeric"
          onInput={writeAs(
            (digits) => digits.slice(0, codeLength),
            () => false,
          )}
          required
        />
      </div>
    </>
  )
}

/** Finds errors in the card. The form itself finds empty fields. */
export function checkCard(values: FormData) {
  const wrong: Record<string, MessageKey> = {}
  const [number, expiry, cvc] = ['card.number', 'card.expiry', 'card.cvc'].map((name) =>
    textOf(values, name),
  ) as [string, string, string]
  if (number && !card.number(digitsOf(number)).isValid)
    wrong['card.number'] = 'billing.card.numberWrong'
  if (expiry && !isGood(expiry))
    wrong['card.expiry'] = isOver(expiry) ? 'declines.expired_card' : 'forms.invalid'
  if (cvc && digitsOf(cvc).length !== (brandOf(number)?.code.size ?? 3))
    wrong['card.cvc'] = 'declines.incorrect_cvc'
  return wrong
}

export function fillInCard(
  form: HTMLFormElement,
  values: { number: string; expiry: string; cvc: string },
) {
  for (const [name, value] of Object.entries(values)) {
    const field = form.elements.namedItem(`card.${name}`) as HTMLInputElement
    field.value = value
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
}

export function cardNumberOf(values: FormData) {
  return digitsOf(textOf(values, 'card.number'))
}

/** Reads `12/34`, `12 / 2034` and `1234` as December 2034. */
export function expiryOf(values: FormData) {
  const digits = digitsOf(textOf(values, 'card.expiry'))
  return { month: digits.slice(0, 2), year: digits.slice(2).padStart(4, '20') }
}

/** Null unless the digits fit exactly one brand. */
function brandOf(number: string) {
  const digits = digitsOf(number)
  return digits ? card.number(digits).card : null
}

function asNumber(digits: string) {
  return grouped(digits.slice(0, longest), brandOf(digits)?.gaps ?? usualGaps)
}

/** Fewer than 15 digits may be incomplete, because some brands have numbers of several lengths. */
function isWholeNumber(text: string) {
  return digitsOf(text).length >= 15 && card.number(digitsOf(text)).isValid
}

function isGood(expiry: string) {
  return card.expirationDate(expiry, years).isValid
}

function isOver(expiry: string) {
  const [month = '', year = ''] = expiry.split(' / ')
  return (
    card.expirationMonth(month).isValid &&
    /^(20)?\d\d$/.test(year) &&
    Number(`20${year.slice(-2)}`) <= new Date().getFullYear()
  )
}

function nextOf(field: HTMLInputElement) {
  const controls = Array.from(field.form!.elements)
  const next = controls[controls.indexOf(field) + 1]
  return next instanceof HTMLInputElement ? next : undefined
}
