import { defaultCardOf } from '../objects/customer.ts'
import { subscriptionOf } from '../objects/invoice.ts'
import type {
  Charge,
  Customer,
  Dispute,
  Invoice,
  PaymentMethod,
  Subscription,
} from '../objects/wire.ts'
import { attemptsAtMost } from '../events/outbox.ts'
import type { Runner } from '../store/tx.ts'

const customersAtMost = 100
const eventsAtMost = 50
const paymentsAtMost = 50

export type EventShown = {
  id: string
  type: string
  created: number
  /** The id of the object that the event is about. */
  object: string
  state: 'waiting' | 'retrying' | 'held' | 'dropped' | 'delivered' | 'given_up'
  attempts: number
}
export type PaymentShown = Awaited<ReturnType<typeof paymentsShown>>[number]
export type CustomerShown = Pick<Customer, 'balance' | 'email' | 'id'> & {
  metadata: Record<string, string>
  currency: string
  preferred_locales: string[]
  cards: { id: string; brand: string; last4: string; default: boolean }[]
  subscriptions: (Pick<Subscription, 'id' | 'latest_invoice' | 'status'> & {
    price: string | null
  })[]
  invoices: (Pick<Invoice, 'amount_paid' | 'id' | 'total'> & {
    status: string | null
    subscription: string
  })[]
}

/** The newest customers with their cards, subscriptions and invoices. */
export async function customersShown(runner: Runner): Promise<CustomerShown[]> {
  const { rows: customers } = await runner.query<{ body: Customer }>(
    `select body from sandbox.objects where type = 'customer' and not body ? 'deleted' order by seq desc limit ${customersAtMost}`,
  )
  const { rows: theirs } = await runner.query<{ body: PaymentMethod | Subscription | Invoice }>(
    `select body from sandbox.objects where customer = any($1) and type in ('payment_method', 'subscription', 'invoice') order by seq desc`,
    [customers.map(({ body }) => body.id)],
  )
  const byCustomer = Map.groupBy(theirs, ({ body }) => body.customer)
  return customers.map(({ body }) =>
    customerShown(
      body,
      (byCustomer.get(body.id) ?? []).map((row) => row.body),
    ),
  )
}

function customerShown(
  customer: Customer,
  theirs: (PaymentMethod | Subscription | Invoice)[],
): CustomerShown {
  return {
    id: customer.id,
    metadata: customer.metadata,
    email: customer.email,
    preferred_locales: customer.preferred_locales ?? [],
    balance: customer.balance,
    currency: customer.currency ?? 'usd',
    cards: theirs
      .filter((each) => each.object === 'payment_method')
      .map(({ id, type, card }) => ({
        id,
        brand: card?.brand ?? type,
        last4: card?.last4 ?? '',
        default: id === defaultCardOf(customer),
      })),
    subscriptions: theirs
      .filter((each) => each.object === 'subscription')
      .map(({ id, status, items, latest_invoice }) => ({
        id,
        status,
        price: items.data[0]?.price.id ?? null,
        latest_invoice,
      })),
    invoices: theirs
      .filter((each) => each.object === 'invoice')
      .map((invoice) => {
        const { id, total, status, amount_paid } = invoice
        return { id, total, status, amount_paid, subscription: subscriptionOf(invoice) }
      }),
  }
}

/** The newest charges, by their payment intents, with their refunds and disputes. */
export async function paymentsShown(runner: Runner) {
  const { rows } = await runner.query<{
    charge: Charge
    email: string | null
    dispute: Dispute['status'] | null
  }>(
    `select charges.body as charge, customers.body->>'email' as email, disputes.body->>'status' as dispute
     from sandbox.objects charges
     left join sandbox.objects customers on customers.id = charges.customer
     left join sandbox.objects disputes on disputes.type = 'dispute' and disputes.body->>'charge' = charges.id
     where charges.type = 'charge' order by charges.seq desc limit ${paymentsAtMost}`,
  )
  return rows.map(
    ({
      charge: { payment_intent: id, customer, amount, amount_refunded, currency },
      email,
      dispute: status,
    }) => {
      const dispute = status === 'needs_response' ? 'open' : (status as 'won' | 'lost' | null)
      return { id, customer, email, amount, amount_refunded, currency, dispute }
    },
  )
}

/** The newest events with the state of their delivery. */
export async function eventsShown(runner: Runner): Promise<EventShown[]> {
  const { rows } = await runner.query<EventShown>(
    `select id, body->>'type' as type, (body->>'created')::float8 as created, body#>>'{data,object,id}' as object, attempts,
       case
         when delivered_at is not null then 'delivered'
         when next_attempt_at is null and attempts < ${attemptsAtMost} then 'dropped'
         when next_attempt_at is null then 'given_up'
         when settings#>>'{webhooks,mode}' = 'hold' then 'held'
         when attempts > 0 then 'retrying'
         else 'waiting'
       end as state
     from sandbox.control, sandbox.objects join sandbox.deliveries on event = id
     where objects.type = 'event' order by seq desc limit ${eventsAtMost}`,
  )
  return rows
}
