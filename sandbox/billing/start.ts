import { newSubscription, type NewSubscription } from '../objects/subscription.ts'
import type { Customer, Subscription } from '../objects/wire.ts'
import { publish } from '../events/record.ts'
import { requireObject, save } from '../store/objects.ts'
import type { Tx } from '../store/tx.ts'
import { collect, draft, finalize, type Collected } from './bill.ts'
import { discounted, idsOf, lasting, type Applied } from './discounts.ts'
import { firstLines } from './lines.ts'
import { redeem } from './redeem.ts'
import { warn } from './trial.ts'

/** Creates a subscription and its first invoice. Tries to charge the invoice unless `waits`. */
export async function start(
  tx: Tx,
  customer: Customer,
  given: NewSubscription,
  { waits, applied }: { waits: boolean; applied: Applied[] },
): Promise<Collected & { subscription: Subscription }> {
  const made = newSubscription(given, tx.now)
  await redeem(tx, applied, made)
  const trials = made.status === 'trialing'
  const subscription = await publish(tx, 'customer.subscription.created', {
    ...made,
    discounts: idsOf(trials ? applied : lasting(applied)),
  })
  const lines = discounted(await firstLines(tx, subscription), trials ? [] : applied)
  const bill = {
    subscription,
    customer,
    lines,
    reason: 'subscription_create',
    period: { start: tx.now, end: tx.now },
  } as const
  const invoice = await draft(tx, bill)
  await save(tx, { ...subscription, latest_invoice: invoice.id })
  const open = await finalize(tx, invoice)
  const collected = waits ? { invoice: open, intent: null } : await collect(tx, open)
  const present = await requireObject(tx, 'subscription', subscription.id)
  return { ...collected, subscription: await warn(tx, present) }
}
