import { declineOf } from '../cards/behaviour.ts'
import { cardError, refused } from '../rules/errors.ts'
import { testCards, testIds } from '../cards/test-cards.ts'
import { defaultCardOf } from '../objects/customer.ts'
import { newPaymentMethod, noDetails } from '../objects/payment-method.ts'
import type { PaymentMethod } from '../objects/wire.ts'
import { change, publish } from '../events/record.ts'
import { refusals } from '../rules/refusals.ts'
import { requireObject, ofCustomer, save, lockObject } from '../store/objects.ts'
import type { Tx } from '../store/tx.ts'

/** Finds a payment method by id. A test id such as `pm_card_visa` creates a payment method. */
export async function cardCalled(tx: Tx, id: string, param?: string): Promise<PaymentMethod> {
  const number = testIds[id]
  if (!number) return requireObject(tx, 'payment_method', id, param)
  const { brand, funding } = testCards[number]!
  const exp_year = new Date(tx.now * 1000).getUTCFullYear() + 5
  const card = { number, brand, funding, exp_month: 12, exp_year, cvc: '123' }
  return save(tx, newPaymentMethod(card, noDetails, {}, tx.now))
}

/** Attaches a payment method to a customer. Refuses a card that its bank declines. */
export async function attach(
  tx: Tx,
  card: PaymentMethod,
  customer: string,
): Promise<PaymentMethod> {
  refuseOthers(card, customer)
  if (card.customer) return card
  // A bank account needs the payer's mandate, which only an intent collects.
  if (card.type === 'us_bank_account') throw refused(refusals.debitNotVerified)
  const refusal = declineOf(card, tx.now)
  if (refusal) throw cardError(refusal)
  return putOnCustomer(tx, card, customer)
}

export async function putOnCustomer(
  tx: Tx,
  card: PaymentMethod,
  customer: string,
): Promise<PaymentMethod> {
  const present = await lockObject(tx, 'payment_method', card.id)
  refuseOthers(present, customer)
  return publish(tx, 'payment_method.attached', { ...present, customer })
}

/** Refuses a card that belongs to another customer or was detached from one. */
export function refuseOthers(card: PaymentMethod, customer: string | null) {
  if (card.$hidden.detached) throw refused(refusals.cardUsedBefore)
  if (card.customer && card.customer !== customer) throw refused(refusals.cardOfAnother)
}

/** Detaches a card from its customer and from the subscriptions whose default it is. */
export async function detach(tx: Tx, card: PaymentMethod): Promise<PaymentMethod> {
  const owner = card.customer
  if (!owner) return card
  const detached = await publish(tx, 'payment_method.detached', {
    ...card,
    customer: null,
    $hidden: { ...card.$hidden, detached: true },
  })
  const customer = await lockObject(tx, 'customer', owner)
  if (defaultCardOf(customer) === card.id) {
    const invoice_settings = { ...customer.invoice_settings, default_payment_method: null }
    await change(tx, 'customer.updated', customer, { invoice_settings })
  }
  for (const subscription of await ofCustomer(tx, 'subscription', owner)) {
    if (subscription.default_payment_method !== card.id) continue
    await change(tx, 'customer.subscription.updated', subscription, {
      default_payment_method: null,
    })
  }
  return detached
}

/** Finds a card of this customer. Refuses a card of another customer. */
export async function cardOf(tx: Tx, customer: string, id: string, param: string) {
  const card = await requireObject(tx, 'payment_method', id, param)
  if (card.customer !== customer) throw refused({ ...refusals.cardNotAttached, param }, { id })
  return card
}
