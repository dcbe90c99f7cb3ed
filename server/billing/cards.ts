import type { ActivityKind } from '#contract/activity.ts'
import { findPerson, record, type Person } from '../activity/record.ts'
import { noteCardOfTrial } from '../core/once.ts'
import type { CurrentUser, Services } from '../core/services.ts'
import type { SubscriptionId } from '../platform/ids.ts'
import { isRefusal, Refusal } from '../platform/refusal.ts'
import type {
  CardOfCustomer,
  ProviderCard,
  ProviderSubscription,
} from '../providers/payments/payments.ts'
import type { BillingRow, Lease } from '../store/billing.ts'
import { syncProviderSubscription } from './sync.ts'

type CardKind = Extract<ActivityKind, 'cardAdded' | 'cardRemoved' | 'defaultCardChanged'>

/** Records a card that a user added in their browser. Only the provider's event tells of it. */
export async function keepAddedCard(lease: Lease, cardId: string, services: Services) {
  const { payments, store } = services
  const { subscriptionId } = lease
  const found = await payments.findCard(cardId)
  // `finishTriedCard` records a card that came with a purchase, once it has paid.
  if (found?.addedBy === undefined) return
  const { customerId, addedBy, card } = found
  const row = await store.billing.find(subscriptionId)
  const providerSubscriptionId = row?.providerSubscriptionId
  const kept = await payments.mergeCard({ customerId, providerSubscriptionId, cardId })
  // The first card in a trial pays at its end.
  if (row?.trialEndsAt && !row.hasCard)
    await payments.setDefaultCard({ customerId, providerSubscriptionId, cardId: kept })
  if (kept !== cardId) return
  await services.transaction(async (services) => {
    const { fingerprint } = card
    if (row?.trialEndsAt && fingerprint !== undefined)
      await noteCardOfTrial(fingerprint, subscriptionId, services)
    await keepCard(card, { by: await findPerson(addedBy, services), subscriptionId }, services)
  })
}

/** Makes a card the default if it paid, or removes it if the purchase failed. */
export async function finishTriedCard(
  row: BillingRow,
  { customerId, newCard, state, invoice }: ProviderSubscription,
  services: Services,
) {
  if (newCard === undefined || row.status === 'canceled') return
  const card = { customerId, cardId: newCard }
  if (state === 'active') return keepAsDefault(row, card, services)
  const hasPaid = invoice?.status === 'paid' && invoice.total > 0
  const hasFailed = invoice?.reason === 'subscription_create' && !hasPaid
  // If the subscription was never paid, its whole customer is removed instead.
  if (state === 'ended' && row.status === 'active' && hasFailed) await dropCard(card, services)
}

async function keepAsDefault(
  { id, ownerId, requestedBy }: BillingRow,
  { customerId, cardId }: CardOfCustomer,
  services: Services,
) {
  const { payments, transaction } = services
  const found = await payments.findCard(cardId)
  if (!found) return
  await payments.setDefaultCard({ customerId, cardId })
  await transaction(async (services) => {
    const payer = requestedBy ?? ownerId
    const by = await findPerson(found.addedBy ?? payer, services)
    const isNew = await keepCard(found.card, { by, subscriptionId: id }, services)
    if (isNew) return
    const place = { by: await findPerson(payer, services), in: id }
    await recordCard('defaultCardChanged', found.card, place, services)
  })
}

/** Removes a card that was declined, unless the customer had it before. */
export async function dropCard(
  { customerId, cardId }: CardOfCustomer,
  { payments, store }: Services,
) {
  if (await store.cards.has(cardId)) return
  const card = (await payments.listCards(customerId)).find(({ id }) => id === cardId)
  if (card && !card.isDefault)
    await payments.removeCard({ customerId, cardId }).catch((error: unknown) => {
      if (!isRefusal(error, 'paymentMethodNotFound')) throw error
    })
}

/** Removes other people's cards, except the default. Callers run it once the owner pays. */
export async function removeCardsOfOthers(
  { subscriptionId }: Lease,
  user: CurrentUser,
  services: Services,
) {
  const { payments, store } = services
  const others = new Set((await store.cards.listOfOthers(subscriptionId)).map(({ id }) => id))
  if (others.size === 0) return
  const customerId = (await store.billing.find(subscriptionId))!.customerId!
  const of = { subscriptionId, customerId, user }
  for (const card of await payments.listCards(customerId))
    if (others.has(card.id) && !card.isDefault) await removeCard(card, of, services)
}

/** False if the provider has no such card. Refuses if `user` is the owner and pays with it. */
export async function removeCardById(
  { subscriptionId }: Lease,
  cardId: string,
  user: CurrentUser | undefined,
  services: Services,
) {
  const { store, payments } = services
  const row = await store.billing.find(subscriptionId)
  if (!row?.customerId) return false
  const { customerId, ownerId } = row
  const card = (await payments.listCards(customerId)).find(({ id }) => id === cardId)
  if (!card) return false
  // The bank may have allowed a payment that our row does not show yet.
  const newest = await payments.findNewestProviderSubscription(customerId)
  const current = newest && (await syncProviderSubscription(newest.id, services))
  const paid = current?.state === 'ended' ? undefined : current
  const pays = paid && (card.isDefault || paid.newCard === cardId)
  if (pays && ownerId === user?.uid) throw new Refusal('defaultPaymentMethod')
  const of = { subscriptionId, customerId, providerSubscriptionId: paid?.id, user }
  await removeCard(card, of, services)
  if (pays) await syncProviderSubscription(paid.id, services)
  return true
}

type Removal = Omit<CardOfCustomer, 'cardId'> & {
  subscriptionId: SubscriptionId
  /** Missing if a transfer or the deletion of an account removes the card. */
  user?: CurrentUser | undefined
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

/** Stores the card and records it in the activity log. True if the card is new. */
async function keepCard(
  card: ProviderCard,
  { by, subscriptionId }: { by: Person | undefined; subscriptionId: SubscriptionId },
  services: Services,
) {
  const { store, now } = services
  const addedBy = by?.id ?? null
  const isNew = await store.cards.add({ ...card, subscriptionId, addedBy, now: now() })
  if (isNew) await recordCard('cardAdded', card, { by, in: subscriptionId }, services)
  return isNew
}

export async function recordCard(
  kind: CardKind,
  { card: { brand, last4 } }: ProviderCard,
  place: { by: Person | CurrentUser | undefined; in: SubscriptionId },
  services: Services,
) {
  await record(kind, { ...place, details: { brand, last4 } }, services)
}
