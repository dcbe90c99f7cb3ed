import type { CurrentUser } from '../core/handle.ts'
import type { ProviderCard } from '../providers/payments/payments.ts'
import type { Services } from '../core/services.ts'
import type { BillingRow } from '../store/billing.ts'
import { finishHandOver } from './hand-over.ts'
import { recordCardOf } from './record-card.ts'
import { syncPlan } from './sync.ts'
import { inTurn } from './turn.ts'

type Removal = {
  row: Pick<BillingRow, 'id'>
  customerId: string
  planId: string | undefined
  card: ProviderCard
  user: CurrentUser | undefined
}

/** Takes a card off a project. A plan that was paid with it has none then, which its owner is mailed. The caller has the turn. */
export async function removeCard(
  { row, customerId, planId, card, user }: Removal,
  services: Services,
) {
  const { payments, store } = services
  await payments.removeCard({ customerId, planId, cardId: card.id })
  await store.cards.remove(card.id)
  await recordCardOf({ subscriptionId: row.id, user }, 'cardRemoved', card.card, services)
  if (card.isDefault && planId !== undefined) await syncPlan(planId, services)
}

/** From the day that the owner pays with a card of their own, nobody else's is left. */
export async function removeCardsOfOthers(
  subscriptionId: string,
  user: CurrentUser,
  services: Services,
) {
  const { payments, store } = services
  const others = new Set((await store.cards.listOfOthers(subscriptionId)).map(({ id }) => id))
  if (others.size === 0) return
  const row = (await store.billing.find(subscriptionId))!
  const customerId = row.customerId!
  for (const card of await payments.listCards(customerId))
    if (others.has(card.id) && !card.isDefault)
      await removeCard({ row, customerId, planId: undefined, card, user }, services)
}

/** The card of somebody who has deleted their account. */
export async function removeCardLeft(
  { subscriptionId, cardId }: { subscriptionId: string; cardId: string },
  services: Services,
) {
  await inTurn(subscriptionId, services, async () => {
    await finishHandOver(subscriptionId, services)
    const row = await services.store.billing.find(subscriptionId)
    const card = row?.customerId
      ? (await services.payments.listCards(row.customerId)).find(({ id }) => id === cardId)
      : undefined
    if (card)
      await removeCard(
        {
          row: row!,
          customerId: row!.customerId!,
          planId: row!.providerSubscriptionId ?? undefined,
          card,
          user: undefined,
        },
        services,
      )
  })
}
