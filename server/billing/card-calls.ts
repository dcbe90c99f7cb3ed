import type { OwnPaymentMethod } from '#contract/entities.ts'
import { projectName } from '#contract/project-name.ts'
import { handle, type CurrentUser } from '../core/handle.ts'
import type { Services } from '../core/services.ts'
import { Refusal } from '../platform/refusal.ts'
import { ownCustomer, withCustomer } from './customer.ts'
import { makeDefault } from './default-card.ts'
import { finishHandOver } from './hand-over.ts'
import { isHandingOver } from './handing-over.ts'
import { removeCard } from './remove-card.ts'
import { syncPlan } from './sync.ts'
import { inTurn } from './turn.ts'

export const getPaymentMethods = handle(
  'getPaymentMethods',
  async ({ subscription }, { store, payments, jobs }) => {
    const { customerId } = (await store.billing.find(subscription.id))!
    if (!customerId) return { paymentMethods: [] }
    const [cards, adders] = await Promise.all([
      payments.listCards(customerId),
      store.cards.mapAdders(subscription.id),
    ])
    // Of the former owner's cards only that which stays is there any more, whether the provider has heard so or not.
    const shown = (await isHandingOver(subscription.id, { jobs }))
      ? cards.filter(({ id, isDefault }) => isDefault && adders.has(id))
      : cards
    return {
      paymentMethods: shown.map(({ id, isDefault, card }) => ({
        id,
        isDefault,
        card,
        added_by: adders.get(id) ?? null,
      })),
    }
  },
)

export const createSetupIntent = handle(
  'createSetupIntent',
  async ({ subscription, user }, services) => {
    const { rateLimits, store, payments } = services
    await rateLimits.consume('cardsByAccount', user.uid)
    const row = (await store.billing.find(subscription.id))!
    return {
      clientSecret: await withCustomer(row, services, (customerId) =>
        payments.addCard({ customerId, addedBy: user.uid }),
      ),
    }
  },
)

export const setDefaultPaymentMethod = handle(
  'setDefaultPaymentMethod',
  async ({ input, subscription: { id }, user }, services) => {
    const customer = ownCustomer((await services.store.billing.find(id))!)
    await makeDefault(
      { subscriptionId: id, ...customer, cardId: input.paymentMethodId, user },
      services,
    )
    return {}
  },
)

export const deletePaymentMethod = handle(
  'deletePaymentMethod',
  async ({ input, subscription, user }, services) => {
    const { store, payments } = services
    const { customerId } = ownCustomer((await store.billing.find(subscription.id))!)
    const card = (await payments.listCards(customerId)).find(
      ({ id }) => id === input.paymentMethodId,
    )
    if (!card) throw new Refusal('paymentMethodNotFound')
    const plan = await findPlan(customerId, services)
    if (plan && (card.isDefault || plan.newCard === card.id))
      throw new Refusal('defaultPaymentMethod')
    await removeCard({ row: subscription, customerId, planId: undefined, card, user }, services)
    return {}
  },
)

/** As the provider says: of what the bank has just allowed our row may not have heard yet. */
async function findPlan(customerId: string, services: Services) {
  const newest = await services.payments.findPlanOfCustomer(customerId)
  const plan = newest && (await syncPlan(newest.id, services))
  return plan?.state === 'ended' ? undefined : plan
}

type Added = Awaited<ReturnType<Services['store']['cards']['listOf']>>

/** Projects whose cards the provider is asked for at a time. */
const atATime = 8

export const listOwnPaymentMethods = handle('listOwnPaymentMethods', async ({ user }, services) => {
  const added = await services.store.cards.listOf(user.uid)
  const projects = [...Map.groupBy(added, ({ subscription }) => subscription.id).values()]
  const paymentMethods: OwnPaymentMethod[] = []
  for (let from = 0; from < projects.length; from += atATime) {
    const found = await Promise.all(
      projects.slice(from, from + atATime).map((added) => listIn(added, user.uid, services)),
    )
    paymentMethods.push(...found.flat())
  }
  return { paymentMethods }
})

/** Of what somebody added to one project, what the provider still has. */
async function listIn(
  added: Added,
  uid: string,
  { payments }: Services,
): Promise<OwnPaymentMethod[]> {
  const { subscription, isMember } = added[0]!
  const { id, customerId, ownerId, status, providerSubscriptionId, settings } = subscription
  const known = customerId === null ? [] : await payments.listCards(customerId)
  const cards = known.filter((card) => added.some((own) => own.card.id === card.id))
  return cards.map(({ id: cardId, isDefault, card }) => ({
    id: cardId,
    isDefault,
    card,
    subscription_id: id,
    subscription_name: projectName(settings),
    standing: ownerId === uid ? 'owner' : isMember ? 'member' : null,
    pays_plan: isDefault && status === 'active' && providerSubscriptionId !== null,
  }))
}

type Own = { subscriptionId: string; paymentMethodId: string }

export const deleteOwnPaymentMethod = handle(
  'deleteOwnPaymentMethod',
  async ({ input, user }, services) => {
    const own = await services.store.cards.findOf(user.uid, {
      id: input.paymentMethodId,
      subscriptionId: input.subscriptionId,
    })
    // Only now is it clear that they may wait for a turn in this project.
    if (!own) throw new Refusal('paymentMethodNotFound')
    await inTurn(input.subscriptionId, services, async () => {
      await finishHandOver(input.subscriptionId, services)
      await remove(input, user, services)
    })
    return {}
  },
)

async function remove(
  { subscriptionId, paymentMethodId }: Own,
  user: CurrentUser,
  services: Services,
) {
  const { store, payments } = services
  const row = (await store.billing.find(subscriptionId))!
  const { customerId, ownerId } = row
  const card =
    customerId === null
      ? undefined
      : (await payments.listCards(customerId)).find(({ id }) => id === paymentMethodId)
  // It has gone some other way.
  if (!card) return store.cards.remove(paymentMethodId)
  const plan = await payments.findPlanOfCustomer(customerId!)
  const planId = plan && plan.state !== 'ended' ? plan.id : undefined
  if (card.isDefault && planId !== undefined && ownerId === user.uid)
    throw new Refusal('defaultPaymentMethod')
  return removeCard({ row, customerId: customerId!, planId, card, user }, services)
}
