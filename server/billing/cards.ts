import type { ActivityKind } from '#contract/activity.ts'
import { findPerson, record, type Person } from '../activity/record.ts'
import type { CurrentUser, Services } from '../core/services.ts'
import type { CustomerId, ProviderSubscriptionId, SubscriptionId } from '../platform/ids.ts'
import { isRefusal } from '../platform/refusal.ts'
import type { ProviderCard, ProviderSubscription } from '../providers/payments/payments.ts'
import type { BillingRow, Lease } from '../store/billing.ts'

type CardOf = { customerId: CustomerId; cardId: string }
type CardKind = Extract<ActivityKind, 'cardAdded' | 'cardRemoved' | 'defaultCardChanged'>

/**
 * Keeps a card that a user has added in their browser. Only the provider's event tells us of it.
 */
export async function keepAddedCard(lease: Lease, cardId: string, services: Services) {
  const { payments, store } = services
  const { subscriptionId } = lease
  const found = await payments.findCard(cardId)
  // A card that came with a purchase is kept once it has paid.
  if (found?.addedBy === undefined) return
  const { customerId, addedBy, card } = found
  const row = await store.billing.find(subscriptionId)
  const providerSubscriptionId = row?.providerSubscriptionId ?? undefined
  const kept = await payments.mergeCard({ customerId, providerSubscriptionId, cardId })
  if (kept !== cardId) return
  await services.transaction(async (services) =>
    keepCard(card, { by: await findPerson(addedBy, services), subscriptionId }, services),
  )
}

/**
 * Keeps the card that a provider subscription was started or paid with, as the default. After a
 * purchase that failed it is removed.
 */
export async function finishTriedCard(
  row: BillingRow,
  { customerId, newCard, state, invoice }: ProviderSubscription,
  services: Services,
) {
  if (newCard === undefined || row.status === 'canceled') return
  const card = { customerId, cardId: newCard }
  if (state === 'active') return keepAsDefault(row, card, services)
  const hasFailed = invoice?.reason === 'subscription_create' && invoice.status !== 'paid'
  // If the subscription is new, the whole customer is removed.
  if (state === 'ended' && row.status === 'active' && hasFailed) await dropCard(card, services)
}

async function keepAsDefault(
  { id, ownerId, requestedBy }: BillingRow,
  { customerId, cardId }: CardOf,
  services: Services,
) {
  const { payments, transaction } = services
  const found = await payments.findCard(cardId)
  if (!found) return
  await payments.setDefaultCard({ customerId, providerSubscriptionId: undefined, cardId })
  await transaction(async (services) => {
    const payer = requestedBy ?? ownerId
    const by = await findPerson(found.addedBy ?? payer, services)
    const isNew = await keepCard(found.card, { by, subscriptionId: id }, services)
    if (!isNew)
      await recordCard(
        'defaultCardChanged',
        found.card,
        { by: await findPerson(payer, services), in: id },
        services,
      )
  })
}

/** Removes a card that was declined, unless the customer had it before. */
export async function dropCard({ customerId, cardId }: CardOf, { payments, store }: Services) {
  if (await store.cards.has(cardId)) return
  const card = (await payments.listCards(customerId)).find(({ id }) => id === cardId)
  if (card && !card.isDefault)
    await payments
      .removeCard({ customerId, providerSubscriptionId: undefined, cardId })
      .catch((error: unknown) => {
        if (!isRefusal(error, 'paymentMethodNotFound')) throw error
      })
}

type Choice = {
  customerId: CustomerId
  providerSubscriptionId: ProviderSubscriptionId | undefined
  cardId: string
  user: CurrentUser
}

/** Charges the provider subscription to this card from now on. */
export async function makeDefault(lease: Lease, { user, ...choice }: Choice, services: Services) {
  const { payments } = services
  const cards = await payments.listCards(choice.customerId)
  const card = cards.find(({ id }) => id === choice.cardId)
  await payments.setDefaultCard(choice)
  // Until it is merged, the same card may be there twice.
  const wasDefault = cards.some(
    ({ isDefault, fingerprint }) => isDefault && fingerprint === card?.fingerprint,
  )
  if (card && !wasDefault) {
    const place = { by: user, in: lease.subscriptionId }
    await recordCard('defaultCardChanged', card, place, services)
  }
  await removeCardsOfOthers(lease, user, services)
}

/** Once the owner pays with their own card, cards of others are removed. */
export async function removeCardsOfOthers(
  { subscriptionId }: Lease,
  user: CurrentUser,
  services: Services,
) {
  const { payments, store } = services
  const others = new Set((await store.cards.listOfOthers(subscriptionId)).map(({ id }) => id))
  if (others.size === 0) return
  const customerId = (await store.billing.find(subscriptionId))!.customerId!
  const of = { subscriptionId, customerId, providerSubscriptionId: undefined, user }
  for (const card of await payments.listCards(customerId))
    if (others.has(card.id) && !card.isDefault) await removeCard(card, of, services)
}

type Removal = Omit<Choice, 'cardId' | 'user'> & {
  subscriptionId: SubscriptionId
  /** Missing for a transfer or a deleted account. */
  user: CurrentUser | undefined
}

export async function removeCard(
  card: ProviderCard,
  { subscriptionId, customerId, providerSubscriptionId, user }: Removal,
  services: Services,
) {
  const { payments, store } = services
  await payments.removeCard({ customerId, providerSubscriptionId, cardId: card.id })
  await store.cards.remove(card.id)
  const place = { by: user, in: subscriptionId }
  await recordCard('cardRemoved', card, place, services)
}

/** True if the card is new. */
async function keepCard(
  card: ProviderCard,
  { by, subscriptionId }: { by: Person | undefined; subscriptionId: SubscriptionId },
  services: Services,
) {
  const { store, now } = services
  const row = cardRow(card, { subscriptionId, addedBy: by?.id ?? null, now })
  const isNew = await store.cards.create(row)
  if (isNew) await recordCard('cardAdded', card, { by, in: subscriptionId }, services)
  return isNew
}

type Kept = { subscriptionId: SubscriptionId; addedBy: string | null; now: () => Date }

export function cardRow({ id, card }: ProviderCard, { now, ...kept }: Kept) {
  const { brand, last4, exp_month: expMonth, exp_year: expYear } = card
  return { id, ...kept, brand, last4, expMonth, expYear, createdAt: now() }
}

async function recordCard(
  kind: CardKind,
  { card: { brand, last4 } }: ProviderCard,
  place: { by: Person | CurrentUser | undefined; in: SubscriptionId },
  services: Services,
) {
  await record(kind, { ...place, details: { brand, last4 } }, services)
}
