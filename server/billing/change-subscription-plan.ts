import type { BillingInfo, EpochSeconds } from '#contract/entities.ts'
import { buyPlan } from './buy-plan.ts'
import { charge } from './charge.ts'
import type { KnownPlan } from './offered-plan.ts'
import { isFree, plannedChange } from './plan-change.ts'
import { readQuote } from './quote.ts'
import { recordPlan } from './record-plan.ts'
import { removeCardsOfOthers } from './remove-card.ts'
import { giveUp, isWaiting, settle } from './settle.ts'
import { settleCard } from './tried-card.ts'
import { handle, type CurrentUser } from '../core/handle.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Services } from '../core/services.ts'
import type { BillingRow } from '../store/billing.ts'
import { newId } from '../store/ids.ts'

type Wish = {
  planId: string
  billingInfo: BillingInfo | undefined
  quote: string | undefined
  user: CurrentUser
}
type Change = Pick<Wish, 'billingInfo' | 'user'> & {
  row: BillingRow
  plan: KnownPlan
  at: EpochSeconds | undefined
  attempt: string
}

export const changeSubscriptionPlan = handle(
  'changeSubscriptionPlan',
  async ({ input, subscription, user }, services) => {
    const { planId, billingInfo, quote } = input
    const isDone = await settleEarlier(subscription.id, planId, services)
    if (isDone) return {}
    const { row, plan, at } = await begin(
      subscription.id,
      { planId, billingInfo, quote, user },
      services,
    )
    return change({ row, plan, at, billingInfo, attempt: newId(), user }, services)
  },
)

/** What an earlier attempt left, one that waits at the bank included, comes to its end first. Whether it was this change, and is done. */
async function settleEarlier(id: string, planId: string, services: Services) {
  const { store } = services
  const row = (await store.billing.find(id))!
  if (!row.customerId && !row.nextPlanId) return false
  const begun = await settle(row, services)
  // The bank is at it: a purchase given up now might be charged all the same.
  if (begun?.isProcessing) throw new Refusal('billingBusy')
  if (begun && isWaiting(begun)) {
    const ended = await giveUp(begun, services)
    if (ended) await settleCard(row, ended, services)
  }
  return row.nextPlanId === planId && (await store.billing.find(id))!.planId === planId
}

/** Own row first: from here on there are only the seats that both plans have. */
async function begin(id: string, { planId, billingInfo, quote, user }: Wish, services: Services) {
  return services.transaction(async (services) => {
    const { store } = services
    await store.subscriptions.lock(id)
    await store.subscriptions.lockOwner(user.uid)
    const row = (await store.billing.find(id))!
    const plan = await plannedChange(row, planId, services)
    const buys = isFree(row.planId) && !plan.free
    if (buys && !billingInfo) throw new Refusal('billingInfoRequired')
    if (!buys && billingInfo) throw new Refusal('billingInfoNotWanted')
    const shown = { subscriptionId: id, from: row.planId, to: plan.id, userId: user.uid }
    const at = quote === undefined ? undefined : readQuote(quote, shown, services)
    const asked = { nextPlanId: plan.id, askedBy: user.uid }
    await store.billing.set(id, asked)
    return { row: { ...row, ...asked }, plan, at }
  })
}

async function change({ row, plan, at, billingInfo, attempt, user }: Change, services: Services) {
  const { payments } = services
  const subscriptionId = row.id
  if (billingInfo) {
    const answer = await buyPlan({ subscriptionId, plan, billingInfo, attempt, user }, services)
    await removeCardsOfOthers(subscriptionId, user, services)
    return answer
  }
  const planId = row.planAtProviderId
  if (planId === null) {
    await services.transaction(async (services) => {
      await services.store.billing.set(subscriptionId, { planId: plan.id, nextPlanId: null })
      await recordPlan(row, plan.id, services)
    })
    return {}
  }
  return charge({ subscriptionId, user }, services, async () => {
    if (plan.free) await payments.endPlan(planId, plan.id)
    else await payments.changePlan({ planId, priceId: plan.priceIds[0]!, attempt, at })
    return planId
  })
}
