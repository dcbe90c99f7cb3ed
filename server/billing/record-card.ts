import type { ActivityKind } from '#contract/activity.ts'
import type { PaymentMethod } from '#contract/entities.ts'
import { findPerson, person, record, type Person } from '../activity.ts'
import type { CurrentUser } from '../handle.ts'
import type { ProviderCard } from '../providers/payments/payments.ts'
import type { Services } from '../services.ts'
import { inTurn } from './turn.ts'

type CardKind = Extract<ActivityKind, 'cardAdded' | 'cardRemoved' | 'defaultCardChanged'>
type Place = { by: Person | undefined; in: string }

/** Keeps what the owner of a project did with a card of it, once the provider has done it. */
export async function recordCardOf(
  { subscriptionId, user }: { subscriptionId: string; user: CurrentUser },
  kind: CardKind,
  card: PaymentMethod['card'],
  services: Services,
) {
  await recordCard(kind, card, { by: person(user), in: subscriptionId }, services)
}

export async function recordCard(kind: CardKind, { brand, last4 }: PaymentMethod['card'], place: Place, services: Services) {
  await record(kind, { ...place, details: { brand, last4 } }, services)
}

/**
 * Keeps a card that somebody has added in their browser, of which only the provider tells us. One that came with a purchase is kept when it
 * has worked.
 */
export async function takeCard(cardId: string, services: Services, also: (services: Services) => Promise<unknown>) {
  const { payments, store } = services
  const found = await payments.findCard(cardId)
  const row = found?.addedBy === undefined ? undefined : await store.billing.findByCustomer(found.customerId)
  if (!found || !row) return also(services)
  return inTurn(row.id, services, async () => {
    const { customerId, planAtProviderId } = row
    const kept = await payments.mergeCard({ customerId: customerId!, planId: planAtProviderId ?? undefined, cardId })
    return services.transaction(async (services) => {
      const by = await findPerson(found.addedBy!, services)
      if (kept === cardId) await keepCard({ card: found.card, by, subscriptionId: row.id }, services)
      return also(services)
    })
  })
}

/** Keeps who added a card of a project, and that they did; says whether that is new. */
export async function keepCard(
  { card: { id, card }, by, subscriptionId }: { card: ProviderCard; by: Person | undefined; subscriptionId: string },
  services: Services,
) {
  const { brand, last4, exp_month: expMonth, exp_year: expYear } = card
  const row = { id, subscriptionId, addedBy: by?.id ?? null, brand, last4, expMonth, expYear, createdAt: services.now() }
  const isNew = await services.store.cards.add(row)
  if (isNew) await recordCard('cardAdded', card, { by, in: subscriptionId }, services)
  return isNew
}
