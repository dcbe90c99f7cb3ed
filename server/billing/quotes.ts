import { billingLimits } from '#config/limits.ts'
import { timingSafeEqual } from 'node:crypto'
import type { Services } from '../core/services.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Preview, Shown } from '../providers/payments/payments.ts'

/** The user who saw a preview, and the change that it showed. */
type Change = { subscriptionId: string; from: string; to: string; userId: string }
type Tools = Pick<Services, 'keyedHash'>

/**
 * What a preview showed, signed with the newest invoice that it was made from. Every change brings
 * a newer one, so a quote holds for one change. Undefined if the preview has no moment to hold for.
 */
export function newQuote(
  change: Change,
  { at, total, due, newestInvoice }: Pick<Preview, 'at' | 'total' | 'due' | 'newestInvoice'>,
  { keyedHash }: Tools,
) {
  if (at === undefined) return undefined
  const { subscriptionId, from, to, userId } = change
  const signed = [subscriptionId, from, to, userId, newestInvoice, at, total, due]
  return [at, total, due, keyedHash('quote', JSON.stringify(signed))].join('.')
}

/** What a quote's preview showed. `now` is a preview of the same change at this moment. */
export function readQuote(quote: string, change: Change, now: Preview, tools: Tools): Shown {
  const [at = NaN, total = NaN, due = NaN] = quote.split('.').map(Number)
  const shown = { at, total, due }
  const right = newQuote(change, { ...shown, newestInvoice: now.newestInvoice }, tools)!
  // The provider's clock, by which it computes the amounts, may differ from ours.
  const isOver = now.at === undefined || (now.at - at) * 1000 > lifeOf(shown)
  if (isOver || !isEqual(quote, right)) throw new Refusal('previewOutdated')
  return shown
}

/** Until the change is made, the user has the dearer plan and is credited for the time. */
function lifeOf({ total }: Shown) {
  return total < 0 ? billingLimits.creditQuoteLife : billingLimits.quoteLife
}

function isEqual(quote: string, right: string) {
  const [given, expected] = [Buffer.from(quote), Buffer.from(right)]
  return given.length === expected.length && timingSafeEqual(given, expected)
}
