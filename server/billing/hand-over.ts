import type { CurrentUser } from '../core/handle.ts'
import type { ProviderCard } from '../providers/payments/payments.ts'
import { isRefusal } from '../platform/refusal.ts'
import type { Services } from '../core/services.ts'
import type { BillingRow } from '../store/billing.ts'
import { contactOf } from './customer.ts'
import { recordCardOf } from './record-card.ts'
import { handOverKey, isHandingOver } from './handing-over.ts'
import { giveUp, isWaiting } from './settle.ts'
import { syncPlan } from './sync.ts'
import { inTurn } from './turn.ts'

/** The card that stays, and the former owner, who leaves it. */
type Kept = { kept: ProviderCard | undefined; by: CurrentUser }

/**
 * Begins to hand a project's billing over, in the transaction that gives it another owner. From here on the only card of the project is
 * the one that stays, which the table of cards has; that the provider has others, `finishHandOver` ends.
 */
export async function beginHandOver(
  row: BillingRow,
  { kept, by }: Kept,
  { store, jobs, now }: Services,
) {
  await store.cards.removeAllBut(row.id, kept?.id)
  if (kept) {
    const { brand, last4, exp_month: expMonth, exp_year: expYear } = kept.card
    await store.cards.add({
      id: kept.id,
      subscriptionId: row.id,
      addedBy: by.uid,
      brand,
      last4,
      expMonth,
      expYear,
      createdAt: now(),
    })
  }
  await store.billing.set(row.id, {
    billingEmail: null,
    ...(!kept && row.providerSubscriptionId !== null && { hasCard: false }),
  })
  await jobs.add('finishHandOver', { subscriptionId: row.id }, { key: handOverKey(row.id) })
}

/**
 * Ends at the provider what was begun here: the former owner's cards, cards that they are adding, a change that waits for their bank, and the
 * name and address on invoices. Done again after it stopped anywhere. Comes before anything else is done about the billing: what the new
 * owner adds is not mistaken for the former one's. The caller has the turn.
 */
export async function finishHandOver(subscriptionId: string, services: Services) {
  if (!(await isHandingOver(subscriptionId, services))) return
  const row = await services.store.billing.find(subscriptionId)
  if (row?.customerId)
    await clear({ ...row, customerId: row.customerId }, services).catch(unlessForgotten)
  await services.jobs.remove(handOverKey(subscriptionId))
}

export async function finishHandOverInTurn(subscriptionId: string, services: Services) {
  await inTurn(subscriptionId, services, () => finishHandOver(subscriptionId, services))
}

/** A customer who was deleted at the provider has nothing left there. */
function unlessForgotten(error: unknown) {
  if (!isRefusal(error, 'customerNotFound')) throw error
}

async function clear(row: BillingRow & { customerId: string }, services: Services) {
  const { payments, store } = services
  const { customerId } = row
  await payments.endCardSetups(customerId)
  const plan = await payments.findPlanOfCustomer(customerId)
  const planId = plan?.id
  if (plan && isWaiting(plan)) await giveUp(plan, services)
  const known = new Set(await store.cards.listIds(row.id))
  for (const { id: cardId, isDefault, card } of await payments.listCards(customerId)) {
    // Of a card that the former owner has just added the table may have heard since.
    if (isDefault && known.has(cardId)) continue
    await payments.removeCard({ customerId, planId, cardId })
    await store.cards.remove(cardId)
    await recordCardOf({ subscriptionId: row.id, user: undefined }, 'cardRemoved', card, services)
  }
  await payments.forgetPayer(customerId)
  if (row.ownerId !== null) await payments.setCustomer(customerId, await contactOf(row, services))
  await store.billing.set(row.id, { nextPlanId: null })
  if (planId !== undefined) await syncPlan(planId, services)
}
