import { cardError } from '../rules/errors.ts'
import type { CardGiven } from '../objects/payment-method.ts'
import { notATestCard, testCards } from './test-cards.ts'

export type CardTyped = {
  number: string
  exp_month: number
  exp_year: number
  cvc?: string | undefined
}

/** Refuses an invalid number, expiry date or CVC with Stripe's error. */
export function checkedCard(typed: CardTyped, now: number): CardGiven {
  const number = typed.number.replaceAll(/[\s-]/g, '')
  if (!/^\d{12,19}$/.test(number)) {
    throw cardError({
      code: 'invalid_number',
      message: 'The card number is not a valid credit card number.',
      param: 'number',
    })
  }
  if (!passesLuhn(number))
    throw cardError({
      code: 'incorrect_number',
      message: 'Your card number is incorrect.',
      param: 'number',
    })
  const { exp_month, exp_year } = checkedExpiry(typed, now)
  const testCard = testCards[number]
  const cvcLength = testCard?.brand === 'amex' ? /^\d{3,4}$/ : /^\d{3}$/
  if (typed.cvc !== undefined && !cvcLength.test(typed.cvc)) {
    throw cardError({
      code: 'invalid_cvc',
      message: "Your card's security code is invalid.",
      param: 'cvc',
    })
  }
  if (!testCard) throw cardError(notATestCard)
  const { brand, funding } = testCard
  return { number, brand, funding, exp_month, exp_year, cvc: typed.cvc ?? null }
}

function checkedExpiry({ exp_month, exp_year: typedYear }: CardTyped, now: number) {
  const today = new Date(now * 1000)
  const exp_year = typedYear < 100 ? typedYear + 2000 : typedYear
  if (exp_month < 1 || exp_month > 12) {
    throw cardError({
      code: 'invalid_expiry_month',
      message: "Your card's expiration month is invalid.",
      param: 'exp_month',
    })
  }
  if (exp_year < today.getUTCFullYear() || exp_year > today.getUTCFullYear() + 50) {
    throw cardError({
      code: 'invalid_expiry_year',
      message: "Your card's expiration year is invalid.",
      param: 'exp_year',
    })
  }
  if (isPast({ exp_month, exp_year }, now)) {
    throw cardError({
      code: 'invalid_expiry_month',
      message: "Your card's expiration month is invalid.",
      param: 'exp_month',
    })
  }
  return { exp_month, exp_year }
}

/** Whether the card has expired. A card is valid until the end of its month. */
export function isPast(
  { exp_month, exp_year }: { exp_month: number; exp_year: number },
  now: number,
): boolean {
  return Date.UTC(exp_year, exp_month) <= now * 1000
}

function passesLuhn(number: string): boolean {
  const sum = number
    .split('')
    .toReversed()
    .reduce((total, digit, index) => {
      const value = Number(digit) * (index % 2 ? 2 : 1)
      return total + (value > 9 ? value - 9 : value)
    }, 0)
  return sum % 10 === 0
}
