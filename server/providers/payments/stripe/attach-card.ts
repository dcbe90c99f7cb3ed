import type Stripe from 'stripe'
import { Refusal } from '../../../platform/refusal.ts'
import { asked, found, idOf, once } from './asked.ts'

/** Puts a card on its customer, and gives the id to pay with: that of the same card where the customer has it already. */
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

/** Of the same card twice the older one is kept, with what the newer one says of its expiry. Gives the older one, if there is one. */
export async function dropTwin(
  stripe: Stripe,
  customerId: string,
  { id, created, card }: Stripe.PaymentMethod,
  before?: (twin: string) => Promise<void>,
) {
  const twin = await findTwin(stripe, customerId, { id, created, card })
  if (!twin) return undefined
  const { exp_month, exp_year } = card!
  if (twin.card!.exp_month !== exp_month || twin.card!.exp_year !== exp_year)
    await asked(stripe.paymentMethods.update(twin.id, { card: { exp_month, exp_year } }))
  await before?.(twin.id)
  await asked(stripe.paymentMethods.detach(id))
  return twin.id
}

type Card = Pick<Stripe.PaymentMethod, 'id' | 'created' | 'card'>

/** The oldest card of the customer with the same number. */
async function findTwin(stripe: Stripe, customerId: string, { id, created, card }: Card) {
  if (!card?.fingerprint) return undefined
  const { data } = await asked(
    stripe.customers.listPaymentMethods(customerId, { type: 'card', limit: 100 }),
  )
  return data.findLast(
    (other) =>
      other.id !== id && other.card?.fingerprint === card.fingerprint && other.created <= created,
  )
}

/** The id that a card of the customer's is kept under. Refused for a card of another customer: the provider would take any id. */
export async function ownCard(
  stripe: Stripe,
  { customerId, cardId }: { customerId: string; cardId: string },
) {
  const method = await found(stripe.paymentMethods.retrieve(cardId))
  if (method && idOf(method.customer) === customerId) return method.id
  const twin = method && !method.customer && (await findTwin(stripe, customerId, method))
  if (!twin) throw new Refusal('paymentMethodNotFound')
  return twin.id
}
