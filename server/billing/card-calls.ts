import type { OwnPaymentMethod } from '#contract/entities.ts'
import { projectName } from '#contract/project-name.ts'
import type { Handlers, Services } from '../core/services.ts'
import { Refusal } from '../platform/refusal.ts'
import { recordCard, removeCardById, removeCardsOfOthers } from './cards.ts'
import { withCustomer } from './customer.ts'
import { withBillingLease } from './lease.ts'
import { isTransferring } from './transfer-state.ts'

/** For how many subscriptions the server asks the provider at a time. */
const atATime = 8

export const cardCalls = {
  async getPaymentMethods({ subscription: { id } }, services) {
    const { payments, transaction } = services
    // On one connection, they share a round trip.
    const [row, adders, isMoving] = await transaction((services) =>
      Promise.all([
        services.store.billing.find(id),
        services.store.cards.mapAdders(id),
        isTransferring(id, services),
      ]),
    )
    const { customerId } = row!
    if (!customerId) return { paymentMethods: [] }
    const cards = await payments.listCards(customerId)
    // During a transfer, the provider may still have cards of the former owner.
    const offered = isMoving
      ? cards.filter(({ id, isDefault }) => isDefault && adders.has(id))
      : cards.filter(({ id }) => !adders.get(id)?.isWithdrawn)
    return {
      paymentMethods: offered.map(({ id: cardId, isDefault, card }) => {
        const adder = adders.get(cardId)
        return {
          id: cardId,
          isDefault,
          card,
          added_by: adder ? { id: adder.id, name: adder.name } : null,
        }
      }),
    }
  },

  async createSetupIntent({ lease, user }, services) {
    const { rateLimits, payments } = services
    await rateLimits.consume(['cardsByAccount', user.uid])
    const clientSecret = await withCustomer(lease, services, (customerId) =>
      payments.createCardSetup({ customerId, addedBy: user.uid }),
    )
    return { clientSecret }
  },

  async setDefaultPaymentMethod({ input: { paymentMethodId: cardId }, lease, user }, services) {
    const { store, payments } = services
    const { subscriptionId } = lease
    const { customerId, providerSubscriptionId } = (await store.billing.find(subscriptionId))!
    if (!customerId) throw new Refusal('paymentMethodNotFound')
    const cards = await payments.listCards(customerId)
    const card = cards.find(({ id }) => id === cardId)
    await payments.setDefaultCard({ customerId, providerSubscriptionId, cardId })
    // The provider may list the same card twice until `mergeCard` merges the two.
    const wasDefault = cards.some(
      ({ isDefault, fingerprint }) => isDefault && fingerprint === card?.fingerprint,
    )
    if (card && !wasDefault)
      await recordCard('defaultCardChanged', card, { by: user, in: subscriptionId }, services)
    await removeCardsOfOthers(lease, user, services)
    return {}
  },

  async deletePaymentMethod({ input, lease, user }, services) {
    const isRemoved = await removeCardById(lease, input.paymentMethodId, user, services)
    if (!isRemoved) throw new Refusal('paymentMethodNotFound')
    return {}
  },

  async deleteOwnPaymentMethod({ input, user }, services) {
    const { subscriptionId, paymentMethodId: id } = input
    const { store } = services
    // Checked before the lease, so that strangers can't block the billing of the subscription.
    const own = await store.cards.listOf(user.uid)
    if (!own.some((card) => card.id === id && card.subscriptionId === subscriptionId))
      throw new Refusal('paymentMethodNotFound')
    await withBillingLease(subscriptionId, services, async (lease) => {
      const isRemoved = await removeCardById(lease, id, user, services)
      if (!isRemoved) await store.cards.remove(id)
    })
    return {}
  },

  async listOwnPaymentMethods({ user }, services) {
    const added = await services.store.cards.listOf(user.uid)
    const groups = [...Map.groupBy(added, ({ subscriptionId }) => subscriptionId).values()]
    services.readLimits.consume('providerReadsByAccount', user.uid, groups.length)
    const paymentMethods: OwnPaymentMethod[] = []
    for (let from = 0; from < groups.length; from += atATime) {
      const found = await Promise.all(
        groups.slice(from, from + atATime).map((added) => listIn(added, user.uid, services)),
      )
      paymentMethods.push(...found.flat())
    }
    return { paymentMethods }
  },
} satisfies Partial<Handlers>

type Added = Awaited<ReturnType<Services['store']['cards']['listOf']>>

/** The cards that a user added to one subscription and that the provider still has. */
async function listIn(
  added: Added,
  uid: string,
  { payments }: Services,
): Promise<OwnPaymentMethod[]> {
  const { subscriptionId, customerId, ownerId, status, ...first } = added[0]!
  const all = customerId === null ? [] : await payments.listCards(customerId)
  const own = all.filter((card) => added.some(({ id }) => id === card.id))
  return own.map(({ id, isDefault, card }) => ({
    id,
    isDefault,
    card,
    subscription_id: subscriptionId,
    subscription_name: projectName(first.settings),
    standing: ownerId === uid ? 'owner' : first.isMember ? 'member' : null,
    pays_plan: isDefault && status === 'active' && first.providerSubscriptionId !== null,
  }))
}
