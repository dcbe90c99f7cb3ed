import type { CurrentUser } from '../handle.ts'
import type { Services } from '../services.ts'
import { recordCardOf } from './record-card.ts'
import { removeCardsOfOthers } from './remove-card.ts'

type Choice = { subscriptionId: string; customerId: string; planId: string | undefined; cardId: string; user: CurrentUser }

/** From now on the plan is charged to this card of the project's. */
export async function makeDefault({ subscriptionId, user, ...card }: Choice, services: Services) {
  const { payments } = services
  const known = (await payments.listCards(card.customerId)).find(({ id }) => id === card.cardId)
  await payments.setDefaultCard(card)
  if (known && !known.isDefault) await recordCardOf({ subscriptionId, user }, 'defaultCardChanged', known.card, services)
  await removeCardsOfOthers(subscriptionId, user, services)
}
