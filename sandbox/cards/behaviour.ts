import type { CardProblem } from '../rules/errors.ts'
import type { PaymentMethod } from '../objects/wire.ts'
import { isPast } from './check-card.ts'
import { declines, testCards } from './test-cards.ts'

/** The reason why the bank declines every use of the card, if it does. */
export function declineOf(card: PaymentMethod, now: number): CardProblem | undefined {
  return card.card && isPast(card.card, now)
    ? declines.expired_card
    : testCards[card.$hidden.number]?.declines
}

/** The reason why the bank declines charges to the card, if it does. */
export function chargeFailureOf(card: PaymentMethod): CardProblem | undefined {
  return testCards[card.$hidden.number]?.failsCharges
}

/** Whether the payer's bank takes hours to answer a charge. */
export function answersLater({ type }: PaymentMethod): boolean {
  return type === 'us_bank_account'
}

export function failsRefunds(card: PaymentMethod): boolean {
  return testCards[card.$hidden.number]?.failsRefunds ?? false
}

export function asksCardholder(card: PaymentMethod): boolean {
  const asks = testCards[card.$hidden.number]?.authenticates
  return asks === 'always' || (asks === 'once' && !card.$hidden.authenticated)
}
