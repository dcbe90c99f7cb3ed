import type Stripe from 'stripe'
import type { CustomerId } from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { CardOfCustomer, Payments, ProviderCard } from '../payments.ts'
import { idOf, means, once, orUndefined } from './answers.ts'

export function cards(stripe: Stripe) {
  async function setCardOfSubscription(id: string, default_payment_method: string) {
    await stripe.subscriptions.update(id, { default_payment_method })
  }

  async function setCardOfCustomer(id: string, default_payment_method: string) {
    const invoice_settings = { default_payment_method }
    await stripe.customers.update(id, { invoice_settings })
  }

  /** Whether it is the customer's default card, and the provider subscription's own. */
  async function usesOf({ customerId, providerSubscriptionId, cardId }: CardOfCustomer) {
    const [customer, subscription] = await Promise.all([
      stripe.customers.retrieve(customerId),
      providerSubscriptionId && orUndefined(stripe.subscriptions.retrieve(providerSubscriptionId)),
    ])
    return {
      isDefault:
        !customer.deleted && idOf(customer.invoice_settings.default_payment_method) === cardId,
      isOfSubscription:
        subscription?.ended_at === null && idOf(subscription.default_payment_method) === cardId,
    }
  }

  return {
    async listCards(customerId) {
      const [customer, cards] = await Promise.all([
        orUndefined(stripe.customers.retrieve(customerId)),
        orUndefined(stripe.customers.listPaymentMethods(customerId, { type: 'card', limit: 100 })),
      ])
      if (!customer || customer.deleted || !cards) return []
      const defaultId = idOf(customer.invoice_settings.default_payment_method)
      return cards.data
        .map((card) => toCard(card, defaultId))
        .toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault))
    },

    async findCard(id) {
      const method = await orUndefined(stripe.paymentMethods.retrieve(id))
      const customer = idOf(method?.customer)
      if (!method || customer === undefined) return undefined
      const { data } = await stripe.setupIntents.list({ customer, payment_method: id, limit: 1 })
      return {
        customerId: customer as CustomerId,
        card: toCard(method, undefined),
        addedBy: data[0]?.metadata?.['addedBy'],
      }
    },

    async findFingerprint(cardId) {
      const method = await orUndefined(stripe.paymentMethods.retrieve(cardId))
      return method?.card?.fingerprint ?? undefined
    },

    async createCardSetup({ customerId, addedBy }) {
      const intent = await stripe.setupIntents.create({
        customer: customerId,
        usage: 'off_session',
        allowed_payment_method_types: ['card'],
        metadata: { addedBy },
      })
      return intent.client_secret!
    },

    async mergeCard(card) {
      const { customerId, providerSubscriptionId, cardId } = card
      const method = await stripe.paymentMethods.retrieve(cardId)
      const older = await dropTwin(stripe, customerId, method, async (older) => {
        const { isDefault, isOfSubscription } = await usesOf(card)
        if (isOfSubscription) await setCardOfSubscription(providerSubscriptionId!, older)
        if (isDefault || isOfSubscription) await setCardOfCustomer(customerId, older)
      })
      return older ?? cardId
    },

    async setDefaultCard(card) {
      const { customerId, providerSubscriptionId } = card
      const cardId = await ownCard(stripe, card)
      if (providerSubscriptionId) await setCardOfSubscription(providerSubscriptionId, cardId)
      await setCardOfCustomer(customerId, cardId)
    },

    /** Detaches the card last: if an earlier step fails, it is still listed for another attempt. */
    async removeCard(card) {
      const cardId = await ownCard(stripe, card)
      const { isDefault, isOfSubscription } = await usesOf({ ...card, cardId })
      if (isOfSubscription) await setCardOfSubscription(card.providerSubscriptionId!, '')
      if (isDefault) await setCardOfCustomer(card.customerId, '')
      await stripe.paymentMethods.detach(cardId)
    },

    async cancelCardSetups(customer) {
      const intents = stripe.setupIntents.list({ customer, limit: 100 })
      for await (const intent of intents) if (isOpen(intent)) await cancelSetup(stripe, intent.id)
    },
  } satisfies Partial<Payments>
}

/** Returns the card to pay with: the older one if the customer has one with the same number. */
export async function attachCard(
  stripe: Stripe,
  { customerId, cardId, key }: { customerId: string; cardId: string; key: string },
) {
  const attached = await once({
    key,
    send: (options) => stripe.paymentMethods.attach(cardId, { customer: customerId }, options),
  })
  return (await dropTwin(stripe, customerId, attached)) ?? attached.id
}

/** If there is an older card with the same number, keeps only that one. Returns its id. */
async function dropTwin(
  stripe: Stripe,
  customerId: string,
  newer: Stripe.PaymentMethod,
  before?: (olderId: string) => Promise<void>,
) {
  const twin = await findTwin(stripe, customerId, newer)
  if (!twin) return undefined
  const { exp_month, exp_year } = newer.card!
  if (twin.card!.exp_month !== exp_month || twin.card!.exp_year !== exp_year)
    await stripe.paymentMethods.update(twin.id, { card: { exp_month, exp_year } })
  await before?.(twin.id)
  await stripe.paymentMethods.detach(newer.id)
  return twin.id
}

async function findTwin(
  stripe: Stripe,
  customerId: string,
  { id, created, card }: Stripe.PaymentMethod,
) {
  if (!card?.fingerprint) return undefined
  const { data } = await stripe.customers.listPaymentMethods(customerId, {
    type: 'card',
    limit: 100,
  })
  return data.findLast(
    (other) =>
      other.id !== id && other.card?.fingerprint === card.fingerprint && other.created <= created,
  )
}

/** Also finds the older card of a merged one. Stripe itself would accept other customers' cards. */
export async function ownCard(
  stripe: Stripe,
  { customerId, cardId }: { customerId: string; cardId: string },
) {
  const method = await orUndefined(stripe.paymentMethods.retrieve(cardId))
  if (method && idOf(method.customer) === customerId) return method.id
  const twin = method && !method.customer && (await findTwin(stripe, customerId, method))
  if (!twin) throw new Refusal('paymentMethodNotFound')
  return twin.id
}

function isOpen({ status }: Stripe.SetupIntent) {
  return status !== 'succeeded' && status !== 'canceled'
}

/** Cancels a card setup. If a browser has just finished it, the customer has the card. */
async function cancelSetup(stripe: Stripe, id: string) {
  try {
    await stripe.setupIntents.cancel(id)
  } catch (error) {
    if (!means(error, 'paymentRejected')) throw error
    if (isOpen(await stripe.setupIntents.retrieve(id))) throw error
  }
}

export function toCard(
  { id, card }: Stripe.PaymentMethod,
  defaultId: string | undefined,
): ProviderCard {
  const { brand = '', last4 = '', exp_month = 0, exp_year = 0, fingerprint } = card ?? {}
  return {
    id,
    isDefault: id === defaultId,
    card: { brand, last4, exp_month, exp_year },
    fingerprint: fingerprint ?? undefined,
  }
}
