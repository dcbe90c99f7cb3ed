import { findPerson } from '../activity/record.ts'
import type { Services } from '../core/services.ts'
import { finishHandOver } from './hand-over.ts'
import { keepCard } from './record-card.ts'
import { inTurn } from './turn.ts'

/**
 * Keeps a card that somebody has added in their browser, of which only the provider tells us. One that came with a purchase is kept when it
 * has worked.
 */
export async function takeCard(
  cardId: string,
  services: Services,
  also: (services: Services) => Promise<unknown>,
) {
  const attached = await services.payments.findCard(cardId)
  const row =
    attached?.addedBy === undefined
      ? undefined
      : await services.store.billing.findByCustomer(attached.customerId)
  if (!row) return also(services)
  return inTurn(row.id, services, async () => {
    // A transfer takes the former owner's cards off, this one among them.
    await finishHandOver(row.id, services)
    const { payments } = services
    const found = await payments.findCard(cardId)
    if (found?.addedBy === undefined) return also(services)
    const { addedBy, card } = found
    const kept = await payments.mergeCard({
      customerId: found.customerId,
      planId: row.providerSubscriptionId ?? undefined,
      cardId,
    })
    return services.transaction(async (services) => {
      if (kept === cardId)
        await keepCard(
          { card, by: await findPerson(addedBy, services), subscriptionId: row.id },
          services,
        )
      return also(services)
    })
  })
}
