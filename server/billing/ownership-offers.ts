import { subscriptions } from '#config/subscriptions.ts'
import { limits } from '#config/limits.ts'
import { projectName } from '#contract/project-name.ts'
import { record } from '../activity/record.ts'
import { tell } from '../core/notices.ts'
import type { Handlers, Services } from '../core/services.ts'
import type { SubscriptionId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import { after, seconds } from '../platform/time.ts'
import type { ProviderCard } from '../providers/payments/payments.ts'
import { requireTransfer, transferProject } from './transfer.ts'

export const ownershipCalls = {
  async transferSubscriptionOwnership({ input, lease, user }, services) {
    const { newOwnerId, keepCard } = input
    const { subscriptionId } = lease
    const keptCard = keepCard ? await findOwnDefault(subscriptionId, user.uid, services) : undefined
    if (subscriptions.ownership === 'given') {
      await transferProject(lease, { newOwnerId, keptCard, by: user }, services)
      return {}
    }
    await services.transaction(async (services) => {
      const { store, now } = services
      const { subscription, newOwner } = await requireTransfer(
        subscriptionId,
        newOwnerId,
        user,
        services,
      )
      const expiresAt = after(now(), limits.ownershipOffer)
      const offer = { subscriptionId, userId: newOwnerId, cardId: keptCard?.id ?? null, expiresAt }
      const project = projectName(subscription.settings)
      const told = { subscriptionId, project, by: user.displayName, expires: seconds(expiresAt) }
      await Promise.all([
        store.ownershipOffers.put(offer),
        record('ownershipOffered', { by: user, to: newOwner, in: subscriptionId }, services),
        tell(newOwner, 'ownershipOffered', told, services),
      ])
    })
    return { offered: true }
  },

  async getOwnershipOffer({ subscription: { id: subscriptionId, owner_id }, user }, services) {
    const { store, now } = services
    const offer = await store.ownershipOffers.find({ subscriptionId, now: now() })
    if (!offer || ![owner_id, offer.userId].includes(user.uid)) return { offer: null }
    const { userId: id, name, cardId, expiresAt } = offer
    return {
      offer: { to: { id, name }, keeps_card: cardId !== null, expires: seconds(expiresAt) },
    }
  },

  async acceptOwnership({ lease, user }, services) {
    const { store, now } = services
    const { subscriptionId } = lease
    const [row, offer] = await Promise.all([
      store.billing.find(subscriptionId),
      store.ownershipOffers.find({ subscriptionId, now: now() }),
    ])
    const { ownerId } = row!
    if (ownerId === user.uid) return {}
    if (offer?.userId !== user.uid) throw new Refusal('ownershipNotOffered')
    const card =
      offer.cardId !== null && ownerId !== null
        ? await findOwnDefault(subscriptionId, ownerId, services)
        : undefined
    // Of another card than the one that the owner has offered, they have said nothing.
    const keptCard = card?.id === offer.cardId ? card : undefined
    await transferProject(lease, { newOwnerId: user.uid, keptCard, by: user }, services)
    return {}
  },

  async endOwnershipOffer({ subscription, user }, services) {
    const { store, now } = services
    const { id: subscriptionId, owner_id: ownerId, settings } = subscription
    const offer = await store.ownershipOffers.find({ subscriptionId, now: now() })
    const isOwner = user.uid === ownerId
    if (!offer || !(isOwner || user.uid === offer.userId)) throw new Refusal('ownershipNotOffered')
    const owner = isOwner ? undefined : await store.users.find(ownerId)
    const kind = isOwner ? 'ownershipOfferEnded' : 'ownershipDeclined'
    const told = { subscriptionId, project: projectName(settings), by: user.displayName }
    await Promise.all([
      store.ownershipOffers.remove({ subscriptionId }),
      record(kind, { by: user, in: subscriptionId }, services),
      owner && tell(owner, 'ownershipDeclined', told, services),
    ])
    return {}
  },
} satisfies Partial<Handlers>

/** The default card, unless our store knows that another user added it. */
async function findOwnDefault(
  id: SubscriptionId,
  uid: string,
  { store, payments }: Services,
): Promise<ProviderCard | undefined> {
  const { customerId, providerSubscriptionId } = (await store.billing.find(id))!
  if (customerId === null || providerSubscriptionId === null) return undefined
  const card = (await payments.listCards(customerId)).find(({ isDefault }) => isDefault)
  const adder = card && (await store.cards.mapAdders(id)).get(card.id)
  return adder === undefined || adder.id === uid ? card : undefined
}
