import type { BillingInfo, EpochSeconds } from '#contract/entities.ts'
import type { Plan } from '#contract/plan.ts'
import type { CurrentUser, Services } from '../core/services.ts'
import type { SubscriptionId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import { after, day, seconds } from '../platform/time.ts'
import type { Lease } from '../store/billing.ts'
import { isUsed, takeOnce } from '../core/once.ts'
import type { Offer } from './plans.ts'

/** `isAsked`: the buyer wants it, and nothing else. */
export type Trial = NonNullable<Plan['trial']> & { isAsked: boolean }
type Wish = { trial?: boolean | undefined }
type Buyer = { user: CurrentUser; subscriptionId?: SubscriptionId }

/** When the trial would end that a purchase begins with now; null if there is none left. */
export async function previewTrial(
  { plan: { trial } }: Offer,
  { trial: wanted }: Wish,
  buyer: Buyer,
  services: Services,
): Promise<EpochSeconds | null> {
  if (!trial || wanted === false || !buyer.user.claimed) return null
  if (await isUsed({ what: 'trial', ...buyer }, services)) return null
  return seconds(after(await services.payments.now(), trial.days * day))
}

/** The trial that a purchase begins with. Refuses if it lacks a card, or the buyer's address. */
export function requireTrial(
  { plan }: Offer,
  { trial: wanted }: Wish,
  { paymentMethodId }: BillingInfo,
  { claimed }: CurrentUser,
): Trial | undefined {
  const trial = wanted === false ? undefined : plan.trial
  const isWithoutCard = paymentMethodId === undefined
  if (wanted && !trial) throw new Refusal('trialUsed')
  if (trial && !claimed && (wanted || isWithoutCard)) throw new Refusal('claimRequired')
  const begun = claimed && trial ? { ...trial, isAsked: wanted === true } : undefined
  if (isWithoutCard && begun?.card !== 'later') throw new Refusal('paymentMethodRequired')
  return begun
}

type Begun = { trial: Trial; user: CurrentUser; cardId: string | undefined }

/**
 * Takes the trial. A buyer who left it open, and has had one, pays at once, as the preview says. What
 * no preview could know, such as a card that has had one, is refused. `recover` may give it back.
 */
export async function takeTrial(
  { subscriptionId }: Lease,
  { trial, user, cardId }: Begun,
  services: Services,
): Promise<Trial | undefined> {
  const buyer = { what: 'trial', user, subscriptionId } as const
  const mayPay = !trial.isAsked && cardId !== undefined
  if (mayPay && (await isUsed(buyer, services, { settled: true }))) return undefined
  const card = cardId && (await services.payments.findFingerprint(cardId))
  await services.transaction(async (services) => {
    if (!(await takeOnce({ ...buyer, card }, services))) throw new Refusal('trialUsed')
  })
  return trial
}
