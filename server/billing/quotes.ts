import { billingLimits } from '#config/limits.ts'
import type { Services } from '../core/services.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Preview, Shown } from '../providers/payments/payments.ts'

/** The user who saw a preview, and the change that it showed. `to` is a price, or a free plan. */
export type Change = { subscriptionId: string; from: string; to: string; userId: string }
type Tools = Pick<Services, 'secrets'>

/**
 * What a preview showed, signed with the newest invoice that it was made from. Every change brings
 * a newer one, so a quote holds for one change. Undefined if the preview has no moment to hold for.
 */
export function newQuote(change: Change, preview: Preview, { secrets }: Tools) {
  const { at, total, due } = preview
  if (at === undefined) return undefined
  const signed = signedBy(change, { at, total, due }, preview)
  return [at, total, due, secrets.sign('quote', signed)].join('.')
}

/** What a quote's preview showed. `now` is a preview of the same change at this moment. */
export function readQuote(quote: string, change: Change, now: Preview, { secrets }: Tools): Shown {
  const parts = quote.split('.')
  const [at = NaN, total = NaN, due = NaN] = parts.map(Number)
  const shown = { at, total, due }
  const signature = parts[3] ?? ''
  // The provider's clock, by which it computes the amounts, may differ from ours.
  const isOver = now.at === undefined || (now.at - at) * 1000 > lifeOf(shown)
  const isOurs = secrets.isSigned('quote', signedBy(change, shown, now), signature)
  if (isOver || !isOurs || parts.length !== 4) throw new Refusal('previewOutdated')
  return shown
}

function signedBy(change: Change, { at, total, due }: Shown, { newestInvoice }: Preview) {
  const { subscriptionId, from, to, userId } = change
  return JSON.stringify([subscriptionId, from, to, userId, newestInvoice, at, total, due])
}

/** Until the change is made, the user has the dearer plan and is credited for the time. */
function lifeOf({ total }: Shown) {
  return total < 0 ? billingLimits.creditQuoteLife : billingLimits.quoteLife
}
