import type { ActivityKind } from '#contract/activity.ts'
import type { PaymentMethod } from '#contract/entities.ts'
import { findPerson, person, record } from '../activity.ts'
import type { CurrentUser } from '../handle.ts'
import type { Services } from '../services.ts'

type CardKind = Extract<ActivityKind, 'cardAdded' | 'cardRemoved' | 'defaultCardChanged'>

/** Keeps what somebody did with a card of a project, once the provider has done it; nobody did what a transfer or a deletion brings along. */
export async function recordCardOf(
  { subscriptionId, user }: { subscriptionId: string; user: CurrentUser | undefined },
  kind: CardKind,
  card: PaymentMethod['card'],
  services: Services,
) {
  await record(kind, { by: user && person(user), in: subscriptionId, details: wordsOf(card) }, services)
}

/**
 * Keeps that a card was added to a project, of which only the provider tells us: nobody but the owner can. `once` says, in the same
 * transaction, whether this is the first time that it is told.
 */
export async function recordCard(cardId: string, services: Services, once: (services: Services) => Promise<boolean>) {
  const found = await services.payments.findCard(cardId)
  await services.transaction(async (services) => {
    const isFirst = await once(services)
    const row = found && (await services.store.billing.findByCustomer(found.customerId))
    if (!isFirst || !row) return
    const by = await findPerson(row.ownerId, services)
    await record('cardAdded', { by, in: row.id, details: wordsOf(found.card.card) }, services)
  })
}

function wordsOf({ brand, last4 }: PaymentMethod['card']) {
  return { brand, last4 }
}
