import type { BillingInfo } from '#contract/entities.ts'
import type { CurrentUser, Services } from '../core/services.ts'
import type { ProviderSubscriptionId, SubscriptionId } from '../platform/ids.ts'
import { isRefusal, Refusal } from '../platform/refusal.ts'
import type { PromotionId, ProviderSubscription } from '../providers/payments/payments.ts'
import type { Lease } from '../store/billing.ts'
import { dropCard, finishTriedCard } from './cards.ts'
import { attemptOf, contactOf, withCustomer } from './customer.ts'
import type { Offer } from './plans.ts'
import { used } from './promotions.ts'
import { syncProviderSubscription } from './sync.ts'
import { takeTrial, type Trial } from './trials.ts'

type Purchase = {
  offer: Offer
  billingInfo: BillingInfo
  trial: Trial | undefined
  promotionCode: string | undefined
  attempt: string
  user: CurrentUser
  network: string
}

/** `recover` finds the purchase by its row: see docs/decisions/003-first-payment-pending.md. */
export async function buyPlan(
  lease: Lease,
  { offer, billingInfo, trial, promotionCode: code, attempt, user, network }: Purchase,
  services: Services,
) {
  const { payments, store } = services
  const { subscriptionId } = lease
  const { billingDetails, paymentMethodId, tax_id: taxId } = billingInfo
  const buy = async (promotionId?: PromotionId) => {
    const begun =
      trial && (await takeTrial(lease, { trial, user, cardId: paymentMethodId }, services))
    const contact = await contactOf((await store.billing.find(subscriptionId))!, services)
    return withCustomer(lease, services, async (customerId) => {
      await payments.updateCustomer(customerId, { ...billingDetails, ...contact })
      if (taxId) await payments.setTaxId(customerId, taxId)
      const priceId = offer.priceId!
      const { currency } = offer.price!
      const start = {
        subscriptionId,
        customerId,
        priceId,
        currency,
        paymentMethodId,
        trial: begun?.days,
        promotionId,
        attempt,
      }
      try {
        return (await payments.startProviderSubscription(start)).id
      } catch (error) {
        if (isFinal(error) && paymentMethodId !== undefined)
          await dropCard({ customerId, cardId: paymentMethodId }, services)
        throw error
      }
    })
  }
  const given = { code, offer, user, network }
  return charge(lease, user, services, () => used(given, lease, services, buy))
}

/** If the provider gave no answer, the payment may have succeeded. */
function isFinal(error: unknown) {
  return error instanceof Refusal && !isRefusal(error, 'paymentsUnavailable')
}

/**
 * Runs `act`, for which the provider takes money, and writes the result. Undoes a payment that
 * the bank declines. If the provider gives no answer, `recover` finds the result later.
 */
export async function charge(
  lease: Lease,
  user: CurrentUser,
  services: Services,
  act: () => Promise<ProviderSubscriptionId>,
) {
  try {
    return await services.rateLimits.attempt(
      { shared: [['declinedCardsByAccount', user.uid]] },
      (error) => isRefusal(error, 'cardDeclined'),
      () => collect(lease, services, act),
    )
  } catch (error) {
    if (isFinal(error)) await recover(lease, services)
    throw error
  }
}

/** Runs `act`, by which the provider schedules something, and writes what it then says. */
export async function arrange(lease: Lease, services: Services, act: () => Promise<void>) {
  try {
    await act()
  } catch (error) {
    if (isFinal(error)) await recover(lease, services)
    throw error
  }
  const { providerSubscriptionId } = (await services.store.billing.find(lease.subscriptionId))!
  await syncProviderSubscription(providerSubscriptionId!, services)
  await endChange(lease.subscriptionId, services)
  return {}
}

async function collect(
  { subscriptionId }: Lease,
  services: Services,
  act: () => Promise<ProviderSubscriptionId>,
) {
  const { store } = services
  const current = await syncProviderSubscription(await act(), services)
  if (current?.declineCode !== undefined)
    throw new Refusal('cardDeclined', { declineCode: current.declineCode })
  if (current?.clientSecret !== undefined) return { clientSecret: current.clientSecret }
  if (current?.isProcessing) return { processing: true }
  const row = await store.billing.find(subscriptionId)
  if (row && current) await finishTriedCard(row, current, services)
  await endChange(subscriptionId, services)
  return {}
}

/** Finishes or undoes an interrupted purchase or change, unless it waits for its buyer. */
export async function recover(
  { subscriptionId }: Lease,
  services: Services,
): Promise<ProviderSubscription | undefined> {
  const { payments, store } = services
  const row = await store.billing.find(subscriptionId)
  if (!row) return undefined
  // If the purchase has created a customer, the repeated request returns the same customer.
  const customerId =
    row.customerId ?? (await payments.createCustomer({ subscriptionId, attempt: attemptOf(row) }))
  if (!row.customerId) await store.billing.update(subscriptionId, { customerId })
  const id =
    row.providerSubscriptionId ?? (await payments.findNewestProviderSubscription(customerId))?.id
  let current = id && (await syncProviderSubscription(id, services))
  // Only the buyer may try a declined payment again.
  if (current && isWaiting(current) && current.declineCode !== undefined)
    current = await giveUp(current, services)
  if (current && isWaiting(current)) return current
  if (current) await finishTriedCard(row, current, services)
  const isBought = current?.state === 'active'
  if (!isBought) await store.usedOnce.release(subscriptionId)
  if (row.status === 'incomplete' && !isBought) {
    await payments.removeCustomer(customerId)
    await store.subscriptions.removeIncomplete(subscriptionId)
  } else await endChange(subscriptionId, services)
  return current
}

/** In a transaction, because the answer to a call names the changes of its transactions. */
export function endChange(id: SubscriptionId, { transaction }: Services) {
  return transaction(({ store }) => store.billing.update(id, { nextPlanId: null }))
}

/** Whether the first payment, or the payment for a change, waits for the buyer. */
export function isWaiting({ state, isChanging }: ProviderSubscription) {
  return state === 'unpaid' || isChanging
}

/** Undoes a purchase or a change that waits for its buyer, unless it was paid a moment ago. */
export async function giveUp({ id }: ProviderSubscription, services: Services) {
  const { payments } = services
  // First, so that nothing is ended that the buyer pays meanwhile.
  await payments.dropPendingPayment(id)
  if ((await payments.findProviderSubscription(id))?.state === 'unpaid')
    await payments.endProviderSubscription(id)
  return syncProviderSubscription(id, services)
}
