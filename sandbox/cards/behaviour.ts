import type { CardProblem } from '../api/errors.ts'
import type { PaymentMethod } from '../objects/wire.ts'
import { isPast } from './check-card.ts'
import { declines, testCards } from './test-cards.ts'

/** What its bank says at any use. */
export function declineOf(card: PaymentMethod, now: number): CardProblem | undefined {
  return card.card && isPast(card.card, now)
    ? declines.expired_card
    : testCards[card.$hidden.number]?.declines
}

/** What its bank says to a charge that is otherwise in order. */
export function chargeFailureOf(card: PaymentMethod): CardProblem | undefined {
  return testCards[card.$hidden.number]?.failsCharges
}

/** The bank says later whether it pays. */
export function answersLater({ type }: PaymentMethod): boolean {
  return type === 'us_bank_account'
}

export function failsRefunds(card: PaymentMethod): boolean {
  return testCards[card.$hidden.number]?.failsRefunds ?? false
}

export function asksOwner(card: PaymentMethod): boolean {
  const asks = testCards[card.$hidden.number]?.authenticates
  return asks === 'always' || (asks === 'once' && !card.$hidden.authenticated)
}
