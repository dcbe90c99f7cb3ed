import type Stripe from 'stripe'
import { isRefusal } from '../../../platform/refusal.ts'
import type { Payments, ProviderCard } from '../payments.ts'
import { allOf, asked, found, idOf } from './asked.ts'
import { dropTwin, ownCard } from './attach-card.ts'

type Cards = Pick<
  Payments,
  | 'listCards'
  | 'findCard'
  | 'addCard'
  | 'mergeCard'
  | 'setDefaultCard'
  | 'removeCard'
  | 'endCardSetups'
>

export function cards(stripe: Stripe): Cards {
  async function makeDefault({
    customerId,
    planId,
    cardId,
  }: Parameters<Payments['setDefaultCard']>[0]) {
    if (planId !== undefined)
      await asked(stripe.subscriptions.update(planId, { default_payment_method: cardId }))
    await asked(
      stripe.customers.update(customerId, { invoice_settings: { default_payment_method: cardId } }),
    )
  }

  /** What would be charged to one card is charged to the other. */
  async function replaceDefault(
    { customerId, planId, cardId }: Parameters<Payments['mergeCard']>[0],
    other: string,
  ) {
    const [customer, plan] = await Promise.all([
      asked(stripe.customers.retrieve(customerId)),
      planId === undefined ? undefined : found(stripe.subscriptions.retrieve(planId)),
    ])
    const isDefault =
      !customer.deleted && idOf(customer.invoice_settings.default_payment_method) === cardId
    const isPlans = plan?.ended_at === null && idOf(plan.default_payment_method) === cardId
    if (isDefault || isPlans)
      await makeDefault({ customerId, planId: isPlans ? planId : undefined, cardId: other })
  }

  return {
    async listCards(customerId) {
      const [customer, cards] = await Promise.all([
        found(stripe.customers.retrieve(customerId)),
        found(stripe.customers.listPaymentMethods(customerId, { type: 'card', limit: 100 })),
      ])
      if (!customer || customer.deleted || !cards) return []
      const defaultId = idOf(customer.invoice_settings.default_payment_method)
      return cards.data
        .map((card) => toCard(card, defaultId))
        .toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault))
    },

    async findCard(id) {
      const method = await found(stripe.paymentMethods.retrieve(id))
      const customerId = idOf(method?.customer)
      if (!method || customerId === undefined) return undefined
      const { data } = await asked(
        stripe.setupIntents.list({ customer: customerId, payment_method: id, limit: 1 }),
      )
      return {
        customerId,
        card: toCard(method, undefined),
        addedBy: data[0]?.metadata?.['addedBy'],
      }
    },

    async addCard({ customerId, addedBy }) {
      const intent = await asked(
        stripe.setupIntents.create({
          customer: customerId,
          usage: 'off_session',
          allowed_payment_method_types: ['card'],
          metadata: { addedBy },
        }),
      )
      return intent.client_secret!
    },

    async mergeCard({ customerId, planId, cardId }) {
      const method = await asked(stripe.paymentMethods.retrieve(cardId))
      return (
        (await dropTwin(stripe, customerId, method, (twin) =>
          replaceDefault({ customerId, planId, cardId }, twin),
        )) ?? cardId
      )
    },

    async setDefaultCard({ customerId, planId, cardId }) {
      await makeDefault({
        customerId,
        planId,
        cardId: await ownCard(stripe, { customerId, cardId }),
      })
    },

    /** Detached last: a card that is still listed is removed by the next try. */
    async removeCard({ customerId, planId, cardId }) {
      const id = await ownCard(stripe, { customerId, cardId })
      const plan =
        planId === undefined ? undefined : await found(stripe.subscriptions.retrieve(planId))
      if (plan?.ended_at === null && idOf(plan.default_payment_method) === id)
        await asked(stripe.subscriptions.update(plan.id, { default_payment_method: '' }))
      const customer = await asked(stripe.customers.retrieve(customerId))
      if (!customer.deleted && idOf(customer.invoice_settings.default_payment_method) === id)
        await asked(
          stripe.customers.update(customerId, { invoice_settings: { default_payment_method: '' } }),
        )
      await asked(stripe.paymentMethods.detach(id))
    },

    async endCardSetups(customerId) {
      for await (const { id, status } of allOf(
        stripe.setupIntents.list({ customer: customerId, limit: 100 }),
      ))
        if (status !== 'succeeded' && status !== 'canceled') await cancelSetup(stripe, id)
    },
  }
}

/** One that the browser has finished meanwhile has put its card on the customer. */
async function cancelSetup(stripe: Stripe, id: string) {
  try {
    await asked(stripe.setupIntents.cancel(id))
  } catch (error) {
    if (!isRefusal(error, 'paymentRejected')) throw error
    const { status } = await asked(stripe.setupIntents.retrieve(id))
    if (status !== 'succeeded' && status !== 'canceled') throw error
  }
}

function toCard({ id, card }: Stripe.PaymentMethod, defaultId: string | undefined): ProviderCard {
  const { brand = '', last4 = '', exp_month = 0, exp_year = 0, fingerprint } = card ?? {}
  return {
    id,
    isDefault: id === defaultId,
    card: { brand, last4, exp_month, exp_year },
    fingerprint: fingerprint ?? undefined,
  }
}
