/** Formats digits as on a card, with spaces or a slash between them. */
export type Write = (digits: string) => string

type Typed = { value: string; caret: number; inputType: string }

/**
 * Formats a field of digits after an edit. The caret stays after the same digit. Deleting a
 * separator also deletes the digit before it, or after it when the user deletes forward.
 */
export function rewritten(before: string, { value, caret, inputType }: Typed, write: Write) {
  let digits = digitsOf(value)
  let passed = digitsOf(value.slice(0, caret)).length
  if (value.length < before.length && digits === digitsOf(before)) {
    if (inputType === 'deleteContentBackward' && passed > 0) passed--
    if (inputType === 'deleteContentBackward' || inputType === 'deleteContentForward')
      digits = digits.slice(0, passed) + digits.slice(passed + 1)
  }
  const text = write(digits)
  // If formatting put a digit in front, such as 05 for 5, the caret moves past it.
  const added = Math.max(0, digitsOf(text).length - digits.length)
  return { text, caret: after(text, passed === 0 ? 0 : passed + added) }
}

export function digitsOf(text: string) {
  return text.replace(/\D/g, '')
}

/** Inserts a space after each number of digits in `gaps`. */
export function grouped(digits: string, gaps: readonly number[]) {
  return digits.replace(/./g, (digit, place: number) =>
    gaps.includes(place) ? ` ${digit}` : digit,
  )
}

/** Formats `12 / 34`. Digits that can't start a month get a zero: 5 is 05, and 13 is 01 / 3. */
export function monthAndYear(digits: string) {
  const whole = /^([2-9]|1[3-9])/.test(digits) ? `0${digits}` : digits
  return whole.length > 2 ? `${whole.slice(0, 2)} / ${whole.slice(2, 6)}` : whole
}

/** The position in the text right after `count` digits. */
function after(text: string, count: number) {
  let place = 0
  for (let passed = 0; passed < count && place < text.length; place++)
    if (/\d/.test(text[place]!)) passed++
  return place
}
