import type { CurrentUser } from '../core/handle.ts'
import type { Services } from '../core/services.ts'
import { recordCardOf } from './record-card.ts'
import { removeCardsOfOthers } from './remove-card.ts'

type Choice = {
  subscriptionId: string
  customerId: string
  planId: string | undefined
  cardId: string
  user: CurrentUser
}

/** From now on the plan is charged to this card of the project's. */
export async function makeDefault({ subscriptionId, user, ...card }: Choice, services: Services) {
  const { payments } = services
  const cards = await payments.listCards(card.customerId)
  const known = cards.find(({ id }) => id === card.cardId)
  await payments.setDefaultCard(card)
  // Until it is merged, the same card may be there twice.
  const wasDefault = cards.some(
    ({ isDefault, fingerprint }) => isDefault && fingerprint === known?.fingerprint,
  )
  if (known && !wasDefault)
    await recordCardOf({ subscriptionId, user }, 'defaultCardChanged', known.card, services)
  await removeCardsOfOthers(subscriptionId, user, services)
}
