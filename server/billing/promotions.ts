import type { Try } from '../core/rate-limits.ts'
import type { CurrentUser, Services } from '../core/services.ts'
import { isRefusal, Refusal } from '../platform/refusal.ts'
import type { PromotionId } from '../providers/payments/payments.ts'
import type { Lease } from '../store/billing.ts'
import { isUsed, takeOnce } from '../core/once.ts'
import type { Offer } from './plans.ts'

/** Who gives which code for what. */
export type CodeGiven = {
  code: string | undefined
  offer: Offer
  user: CurrentUser
  network: string
}

/** Runs `act` with the code's promotion, and counts a wrong code. */
async function withPromotion<Answer>(
  { code, offer, user, network }: CodeGiven,
  { payments, rateLimits }: Services,
  act: (id: PromotionId | undefined) => Promise<Answer>,
) {
  if (code === undefined) return act(undefined)
  const { currency } = offer.price!
  const shared: Try[] = [
    ['wrongPromotionsByAccount', user.uid],
    ['wrongPromotionsByNetwork', network],
  ]
  const isWrong = (error: unknown) => isRefusal(error, 'promotionUnknown', 'promotionEnded')
  return rateLimits.attempt({ shared }, isWrong, async () => {
    const promotion = await payments.findPromotion(code)
    if (!promotion) throw new Refusal('promotionUnknown')
    if (promotion.currencies?.includes(currency) === false)
      throw new Refusal('promotionOtherCurrency', { currency })
    return act(promotion.id).catch(async (error: unknown) => {
      // The provider refuses with it also one that has just ended.
      const isRefused = isRefusal(error, 'promotionNotForThis')
      throw isRefused && !(await payments.findPromotion(code))?.isActive
        ? new Refusal('promotionEnded')
        : error
    })
  })
}

/** Runs `act` with a promotion that the person has not used. */
export function previewed<Answer>(
  given: CodeGiven,
  services: Services,
  act: (id: PromotionId | undefined) => Promise<Answer>,
) {
  return withPromotion(given, services, async (what) => {
    // The purchase gives up an earlier one that waits for its buyer.
    const use = what && { what, user: given.user }
    if (use && (await isUsed(use, services, { settled: true }))) throw new Refusal('promotionUsed')
    return act(what)
  })
}

/** Runs `act` for a purchase, which uses the promotion up for the person unless it is undone. */
export function used<Answer>(
  given: CodeGiven,
  { subscriptionId }: Lease,
  services: Services,
  act: (id: PromotionId | undefined) => Promise<Answer>,
) {
  return withPromotion(given, services, async (what) => {
    const use = what && { what, user: given.user, subscriptionId }
    if (use)
      await services.transaction(async (services) => {
        if (!(await takeOnce(use, services))) throw new Refusal('promotionUsed')
      })
    return act(what)
  })
}
