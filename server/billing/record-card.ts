import type { ActivityKind } from '#contract/activity.ts'
import type { PaymentMethod } from '#contract/entities.ts'
import { record, type Person } from '../activity/record.ts'
import type { CurrentUser } from '../core/handle.ts'
import type { ProviderCard } from '../providers/payments/payments.ts'
import type { Services } from '../core/services.ts'

type CardKind = Extract<ActivityKind, 'cardAdded' | 'cardRemoved' | 'defaultCardChanged'>
type Place = { by: Person | CurrentUser | undefined; in: string }

/** Keeps what somebody did with a card of a project, once the provider has done it; nobody did what a transfer or a deletion brings along. */
export async function recordCardOf(
  { subscriptionId, user }: { subscriptionId: string; user: CurrentUser | undefined },
  kind: CardKind,
  card: PaymentMethod['card'],
  services: Services,
) {
  await recordCard(kind, card, { by: user, in: subscriptionId }, services)
}

export async function recordCard(
  kind: CardKind,
  { brand, last4 }: PaymentMethod['card'],
  place: Place,
  services: Services,
) {
  await record(kind, { ...place, details: { brand, last4 } }, services)
}

/** Keeps who added a card of a project, and that they did; says whether that is new. */
export async function keepCard(
  {
    card: { id, card },
    by,
    subscriptionId,
  }: { card: ProviderCard; by: Person | undefined; subscriptionId: string },
  services: Services,
) {
  const { brand, last4, exp_month: expMonth, exp_year: expYear } = card
  const row = {
    id,
    subscriptionId,
    addedBy: by?.id ?? null,
    brand,
    last4,
    expMonth,
    expYear,
    createdAt: services.now(),
  }
  const isNew = await services.store.cards.add(row)
  if (isNew) await recordCard('cardAdded', card, { by, in: subscriptionId }, services)
  return isNew
}
