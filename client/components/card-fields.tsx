import { TextField } from './text-field.tsx'
import { textOf } from './text-of.ts'

/** A card as it is printed. Nothing here has a name that our own calls know. */
export function CardFields() {
  return (
    <>
      <TextField
        name="card.number"
        label="billing.card.number"
        autoComplete="cc-number"
        inputMode="numeric"
        placeholder="4242 4242 4242 4242"
        maxLength={23}
        required
      />
      <div className="grid grid-cols-2 gap-4">
        <TextField
          name="card.expiry"
          label="billing.card.expiry"
          autoComplete="cc-exp"
          inputMode="numeric"
          placeholder="12/34"
          maxLength={7}
          required
        />
        <TextField
          name="card.cvc"
          label="billing.card.cvc"
          autoComplete="cc-csc"
          inputMode="numeric"
          placeholder="123"
          maxLength={4}
          required
        />
      </div>
    </>
  )
}

/** Asked apart: a provider with fields of its own still leaves the name to us. */
export function CardholderField() {
  return <TextField name="card.name" label="billing.cards.holder" autoComplete="cc-name" maxLength={100} required />
}

export function cardholderOf(values: FormData) {
  return textOf(values, 'card.name').trim()
}

export function cardNumberOf(values: FormData) {
  return textOf(values, 'card.number').replace(/\D/g, '')
}

/** `12/34`, `12 / 2034` and `1234` all say December 2034. */
export function expiryOf(values: FormData) {
  const digits = textOf(values, 'card.expiry').replace(/\D/g, '')
  return { month: digits.slice(0, 2), year: digits.slice(2).padStart(4, '20') }
}
