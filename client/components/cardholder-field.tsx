import { TextField } from './text-field.tsx'
import { textOf } from './text-of.ts'

/** Not one of the `CardFields`: a provider with its own card fields still leaves the name to us. */
export function CardholderField() {
  return (
    <TextField
      name="card.name"
      label="billing.cards.holder"
      autoComplete="cc-name"
      maxLength={100}
      required
    />
  )
}

export function cardholderOf(values: FormData) {
  return textOf(values, 'card.name').trim()
}
