import Stripe from 'stripe'
import { Refusal } from '../../../refusal.ts'
import type { Payments, ProviderCard } from '../payments.ts'
import { asked, found, idOf } from './asked.ts'

export function cards(
  stripe: Stripe,
): Pick<Payments, 'listCards' | 'findCard' | 'addCard' | 'setDefaultCard' | 'removeCard' | 'endCardSetups'> {
  return {
    async listCards(customerId) {
      const [customer, { data }] = await Promise.all([
        asked(stripe.customers.retrieve(customerId)),
        asked(stripe.customers.listPaymentMethods(customerId, { type: 'card', limit: 100 })),
      ])
      const defaultId = customer.deleted ? undefined : idOf(customer.invoice_settings.default_payment_method)
      return data.map((card) => toCard(card, defaultId)).toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault))
    },

    async findCard(id) {
      const found = await find(stripe, id)
      return found && { customerId: found.customerId, card: toCard(found.method, undefined) }
    },

    async addCard(customerId) {
      const intent = await asked(
        stripe.setupIntents.create({ customer: customerId, usage: 'off_session', allowed_payment_method_types: ['card'] }),
      )
      return intent.client_secret!
    },

    async setDefaultCard({ customerId, planId, cardId }) {
      await ownCard(stripe, customerId, cardId)
      if (planId !== undefined) await asked(stripe.subscriptions.update(planId, { default_payment_method: cardId }))
      await asked(stripe.customers.update(customerId, { invoice_settings: { default_payment_method: cardId } }))
    },

    /** Detached last: a card that is still listed is removed by the next try. */
    async removeCard({ customerId, planId, cardId }) {
      await ownCard(stripe, customerId, cardId)
      const plan = planId === undefined ? undefined : await found(stripe.subscriptions.retrieve(planId))
      if (plan && !isOver(plan) && idOf(plan.default_payment_method) === cardId)
        await asked(stripe.subscriptions.update(plan.id, { default_payment_method: '' }))
      const customer = await asked(stripe.customers.retrieve(customerId))
      if (!customer.deleted && idOf(customer.invoice_settings.default_payment_method) === cardId)
        await asked(stripe.customers.update(customerId, { invoice_settings: { default_payment_method: '' } }))
      await asked(stripe.paymentMethods.detach(cardId))
    },

    async endCardSetups(customerId) {
      const intents = await asked(stripe.setupIntents.list({ customer: customerId, limit: 100 }).autoPagingToArray({ limit: 10_000 }))
      for (const intent of intents) if (intent.status !== 'succeeded' && intent.status !== 'canceled') await cancelSetup(stripe, intent.id)
    },
  }
}

/** One that the browser has finished meanwhile has put its card on the customer. */
async function cancelSetup(stripe: Stripe, id: string) {
  try {
    await asked(stripe.setupIntents.cancel(id))
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
    const { status } = await asked(stripe.setupIntents.retrieve(id))
    if (status !== 'succeeded' && status !== 'canceled') throw error
  }
}

/** Whose card it is, the provider would not ask. */
async function ownCard(stripe: Stripe, customerId: string, cardId: string) {
  const card = await find(stripe, cardId)
  if (card?.customerId !== customerId) throw new Refusal('paymentMethodNotFound')
}

async function find(stripe: Stripe, cardId: string) {
  const method = await found(stripe.paymentMethods.retrieve(cardId))
  const customerId = idOf(method?.customer)
  return method && customerId !== undefined ? { method, customerId } : undefined
}

function isOver({ status }: Stripe.Subscription) {
  return status === 'canceled' || status === 'incomplete_expired'
}

function toCard({ id, card }: Stripe.PaymentMethod, defaultId: string | undefined): ProviderCard {
  const { brand = '', last4 = '', exp_month = 0, exp_year = 0, fingerprint } = card ?? {}
  return { id, isDefault: id === defaultId, card: { brand, last4, exp_month, exp_year }, fingerprint: fingerprint ?? undefined }
}
