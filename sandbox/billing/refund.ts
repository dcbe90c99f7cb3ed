import { invalid } from '../rules/errors.ts'
import { failsRefunds } from '../cards/behaviour.ts'
import { change, publish, record } from '../events/record.ts'
import { money } from '../objects/currency.ts'
import { newCreditNote, type NewCreditNote } from '../objects/credit-note.ts'
import { newRefund } from '../objects/charge.ts'
import type { Charge, CreditNote, Invoice, Refund } from '../objects/wire.ts'
import { requireObject, ofCustomer, save, lockObject } from '../store/objects.ts'
import type { Tx } from '../store/tx.ts'

type Terms = Partial<Pick<Refund, 'amount' | 'metadata' | 'reason'>>

/** Refunds an amount of a charge, or the whole rest if no amount is given. */
export async function refund(
  tx: Tx,
  chargeId: string,
  { amount, metadata = {}, reason = null }: Terms,
  param = 'charge',
): Promise<Refund> {
  const charge = await lockObject(tx, 'charge', chargeId, param)
  const given = amount ?? charge.amount - charge.amount_refunded
  refuseImpossible(charge, given)
  const made = await save(tx, newRefund(charge, { amount: given, metadata, reason }, tx.now))
  const amount_refunded = charge.amount_refunded + given
  await change(tx, 'charge.refunded', charge, {
    amount_refunded,
    refunded: amount_refunded === charge.amount,
  })
  await record(tx, 'refund.created', made)
  const isRefused = failsRefunds(await requireObject(tx, 'payment_method', charge.payment_method))
  return isRefused ? fail(tx, made) : made
}

/** Undoes a refund that the card's bank rejects. */
async function fail(tx: Tx, refunded: Refund): Promise<Refund> {
  const charge = await lockObject(tx, 'charge', refunded.charge)
  await save(tx, {
    ...charge,
    amount_refunded: charge.amount_refunded - refunded.amount,
    refunded: false,
  })
  const failed = { ...refunded, failure_reason: 'lost_or_stolen_card', status: 'failed' }
  await change(tx, 'refund.updated', refunded, failed)
  await record(tx, 'refund.failed', failed)
  return failed
}

/** The id of the intent's successful charge. Refuses an intent without one. */
export async function chargeOf(tx: Tx, intentId: string, param = 'payment_intent') {
  const { latest_charge } = await requireObject(tx, 'payment_intent', intentId, param)
  if (latest_charge) return latest_charge
  const message = `This PaymentIntent (${intentId}) does not have a successful charge to refund.`
  throw invalid(message, { code: 'payment_intent_unexpected_state', param })
}

/** Refunds an amount of a paid invoice, and adds a credit note for it to the invoice. */
export async function credit(
  tx: Tx,
  invoice: Invoice,
  { amount, ...given }: Omit<NewCreditNote, 'earlier'> & { amount: number },
): Promise<CreditNote> {
  const intent = invoice.payments.data.find(({ status }) => status === 'paid')?.payment
    .payment_intent
  if (invoice.status !== 'paid' || typeof intent !== 'string') {
    throw invalid('This sandbox credits only invoices that were paid with a card.', {
      param: 'invoice',
    })
  }
  const made = await refund(tx, await chargeOf(tx, intent), { amount })
  const earlier = (await ofCustomer(tx, 'credit_note', invoice.customer)).filter(
    (note) => note.invoice === invoice.id,
  ).length
  const credited = newCreditNote(invoice, made, { ...given, earlier }, tx.now)
  const note = await publish(tx, 'credit_note.created', credited)
  const post_payment_credit_notes_amount = invoice.post_payment_credit_notes_amount + amount
  await change(tx, 'invoice.updated', invoice, { post_payment_credit_notes_amount })
  return note
}

function refuseImpossible(
  { id, amount, amount_refunded, currency, disputed, refunded }: Charge,
  given: number,
) {
  if (refunded)
    throw invalid(`Charge ${id} has already been refunded.`, { code: 'charge_already_refunded' })
  if (disputed)
    throw invalid(`Charge ${id} has been charged back; cannot issue a refund.`, {
      code: 'charge_disputed',
    })
  const left = amount - amount_refunded
  if (given <= left) return
  const message = `Refund amount (${money(given, currency)}) is greater than unrefunded amount on charge (${money(left, currency)})`
  throw invalid(message, { param: 'amount' })
}
