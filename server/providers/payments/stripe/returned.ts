import type { DisputeState } from '#contract/entities.ts'
import type Stripe from 'stripe'
import type { Payments } from '../payments.ts'
import { asked, found, idOf } from './asked.ts'
import { projectOf, toInvoice } from './to-plan.ts'

export function returned(stripe: Stripe): Pick<Payments, 'findReturned'> {
  return {
    async findReturned({ objectType, objectId }) {
      const id = await findInvoiceId(stripe, objectType, objectId)
      const invoice =
        id === undefined
          ? undefined
          : await found(stripe.invoices.retrieve(id, { expand: ['payments'] }))
      if (!invoice) return undefined
      const intents = (invoice.payments?.data ?? []).flatMap(
        ({ payment }) => idOf(payment.payment_intent) ?? [],
      )
      const charges = (await Promise.all(intents.map((intent) => chargesOf(stripe, intent)))).flat()
      return {
        invoice: toInvoice(invoice),
        subscriptionId: projectOf(invoice),
        refunded: charges.reduce((sum, { amount_refunded }) => sum + amount_refunded, 0),
        dispute: worst(await disputesOf(stripe, charges)),
      }
    },
  }
}

/** Of what was paid for nothing that is invoiced, none. */
async function findInvoiceId(stripe: Stripe, type: string, id: string) {
  if (type === 'credit_note') return idOf((await found(stripe.creditNotes.retrieve(id)))?.invoice)
  const intent = await findIntentId(stripe, type, id)
  if (intent === undefined) return undefined
  const { data } = await asked(
    stripe.invoicePayments.list({
      payment: { type: 'payment_intent', payment_intent: intent },
      limit: 1,
    }),
  )
  return idOf(data[0]?.invoice)
}

async function findIntentId(stripe: Stripe, type: string, id: string) {
  if (type === 'charge') return idOf((await found(stripe.charges.retrieve(id)))?.payment_intent)
  if (type === 'refund') return idOf((await found(stripe.refunds.retrieve(id)))?.payment_intent)
  if (type === 'dispute') return idOf((await found(stripe.disputes.retrieve(id)))?.payment_intent)
  return undefined
}

async function chargesOf(stripe: Stripe, intent: string) {
  return (await asked(stripe.charges.list({ payment_intent: intent, limit: 100 }))).data
}

async function disputesOf(stripe: Stripe, charges: Stripe.Charge[]) {
  const disputed = charges.filter((charge) => charge.disputed)
  const found = await Promise.all(
    disputed.map(({ id }) => asked(stripe.disputes.list({ charge: id, limit: 100 }))),
  )
  return found.flatMap(({ data }) => data.map(stateOf))
}

/** A warning that came to nothing, and a dispute that was prevented, took no money. */
const ends: Partial<Record<Stripe.Dispute.Status, DisputeState>> = {
  won: 'won',
  warning_closed: 'won',
  prevented: 'won',
  lost: 'lost',
}

function stateOf({ status }: Stripe.Dispute): DisputeState {
  return ends[status] ?? 'open'
}

function worst(states: DisputeState[]) {
  return (['open', 'lost', 'won'] as const).find((state) => states.includes(state)) ?? null
}
