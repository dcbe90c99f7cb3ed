import { cardError, type StripeFailure } from '../rules/errors.ts'
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
  if (!/^\d{12,19}$/.test(number))
    throw wrong('number', 'invalid_number', 'The card number is not a valid credit card number.')
  if (!passesLuhn(number))
    throw wrong('number', 'incorrect_number', 'Your card number is incorrect.')
  const { exp_month, exp_year } = checkedExpiry(typed, now)
  const testCard = testCards[number]
  const cvcLength = testCard?.brand === 'amex' ? /^\d{3,4}$/ : /^\d{3}$/
  if (typed.cvc !== undefined && !cvcLength.test(typed.cvc))
    throw wrong('cvc', 'invalid_cvc', "Your card's security code is invalid.")
  if (!testCard) throw cardError(notATestCard)
  const { brand, funding } = testCard
  return { number, brand, funding, exp_month, exp_year, cvc: typed.cvc ?? null }
}

function checkedExpiry({ exp_month, exp_year: typedYear }: CardTyped, now: number) {
  const today = new Date(now * 1000)
  const exp_year = typedYear < 100 ? typedYear + 2000 : typedYear
  const wrongMonth = () =>
    wrong('exp_month', 'invalid_expiry_month', "Your card's expiration month is invalid.")
  if (exp_month < 1 || exp_month > 12) throw wrongMonth()
  if (exp_year < today.getUTCFullYear() || exp_year > today.getUTCFullYear() + 50)
    throw wrong('exp_year', 'invalid_expiry_year', "Your card's expiration year is invalid.")
  if (isPast({ exp_month, exp_year }, now)) throw wrongMonth()
  return { exp_month, exp_year }
}

function wrong(param: string, code: string, message: string): StripeFailure {
  return cardError({ code, message, param })
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
