// What the fields of a card make of the typed digits, and whether they can be a card's.

/** The brands by how their numbers begin. `gaps` says after how many digits a space stands. */
const brands = {
  visa: { start: /^4/, lengths: [16, 18, 19] },
  mastercard: { start: /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, lengths: [16] },
  amex: { start: /^3[47]/, lengths: [15], gaps: [4, 10], code: 4 },
  discover: { start: /^(6011|64[4-9]|65)/, lengths: [16, 19] },
  diners: { start: /^3(0[0-5]|[689])/, lengths: [14, 16, 19], gaps: [4, 10] },
  jcb: { start: /^35(2[89]|[3-8])/, lengths: [16, 17, 18, 19] },
  unionpay: { start: /^62/, lengths: [14, 15, 16, 17, 18, 19] },
}
const usualGaps = [4, 8, 12, 16]
const longest = 19
/** A card can't expire later than this many years from now. */
const years = 50

/** The payment provider's name of the brand, undefined while the digits fit none. */
export function brandOf(number) {
  return Object.keys(brands).find((name) => brands[name].start.test(digitsOf(number)))
}

export function codeLength(number) {
  return brands[brandOf(number)]?.code ?? 3
}

/** How each field shows the digits that are typed into it. `number` is the card's. */
export const write = {
  number: (digits) => grouped(digits.slice(0, longest), brands[brandOf(digits)]?.gaps ?? usualGaps),
  expiry: monthAndYear,
  cvc: (digits, number) => digits.slice(0, codeLength(number)),
}

/** What is wrong with the text of each field: `Missing`, `Wrong`, `Over` for a past date, or ''. */
export const judge = {
  number(text) {
    const digits = digitsOf(text)
    const lengths = brands[brandOf(digits)]?.lengths ?? [16]
    if (!digits) return 'Missing'
    return lengths.includes(digits.length) && passesLuhn(digits) ? '' : 'Wrong'
  },
  expiry(text, _number, now = new Date()) {
    if (!text) return 'Missing'
    const [, month, year] = /^(0[1-9]|1[0-2]) \/ (?:20)?(\d\d)$/.exec(text) ?? []
    if (!month) return 'Wrong'
    const left = 2000 + Number(year) - now.getFullYear()
    if (left < 0 || (left === 0 && Number(month) <= now.getMonth())) return 'Over'
    return left > years ? 'Wrong' : ''
  },
  cvc(text, number) {
    if (!text) return 'Missing'
    return text.length === codeLength(number) ? '' : 'Wrong'
  },
}

/** Fewer than 15 digits may be incomplete, because some brands have numbers of several lengths. */
export function isWhole(field, text) {
  if (field === 'cvc' || judge[field](text)) return false
  return field === 'expiry' || digitsOf(text).length >= 15
}

function passesLuhn(digits) {
  const sum = Array.from(digits, Number)
    .toReversed()
    .reduce((total, digit, place) => {
      const value = digit * (place % 2 ? 2 : 1)
      return total + (value > 9 ? value - 9 : value)
    }, 0)
  return sum % 10 === 0
}

/**
 * Formats a field of digits after an edit. The caret stays after the same digit. Deleting a
 * separator also deletes the digit before it, or after it when the user deletes forward.
 */
export function rewritten(before, { value, caret, inputType }, write) {
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

export function digitsOf(text) {
  return text.replace(/\D/g, '')
}

/** Inserts a space after each number of digits in `gaps`. */
function grouped(digits, gaps) {
  return digits.replace(/./g, (digit, place) => (gaps.includes(place) ? ` ${digit}` : digit))
}

/** Formats `12 / 34`. Digits that can't start a month get a zero: 5 is 05, and 13 is 01 / 3. */
function monthAndYear(digits) {
  const whole = /^([2-9]|1[3-9])/.test(digits) ? `0${digits}` : digits
  return whole.length > 2 ? `${whole.slice(0, 2)} / ${whole.slice(2, 6)}` : whole
}

/** The position in the text right after `count` digits. */
function after(text, count) {
  let place = 0
  for (let passed = 0; passed < count && place < text.length; place++)
    if (/\d/.test(text[place])) passed++
  return place
}
