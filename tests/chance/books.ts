import type pg from 'pg'
import type { InvoiceStatus, PaymentState } from '#contract/entities.ts'
import type { PermissionKey } from '#config/permissions.ts'
import type { PlanId } from '#config/plans.ts'
import type {
  Customer,
  Invoice,
  PaymentIntent,
  Stored,
  Subscription,
  SubscriptionSchedule,
} from '@local/sandbox/testing'

export type Project = {
  id: string
  owner: string | null
  plan: PlanId
  status: 'active' | 'canceled' | 'incomplete'
  payment: PaymentState
  customer: string | null
  providerSubscription: string | null
  renews: Date | null
  nextPlan: PlanId | null
  /** Who has asked for a change that is not finished. */
  requestedBy: string | null
  ends: Date | null
  /** What it changes to when the paid period ends. */
  scheduled: { plan: string; amount: number | null; at: number } | null
  billingLeaseUntil: Date | null
  members: { user: string; permissions: PermissionKey[] }[]
  /** The times at which the pending invites expire. */
  pendingInvites: Date[]
}
export type OurInvoice = { id: string; project: string; status: InvoiceStatus; total: number }

/** What our database says about billing, and what the provider's says. */
export type Books = {
  projects: Project[]
  invoices: OurInvoice[]
  /** Webhook events that no job has processed yet, with their error. */
  unworked: string[]
  provider: {
    now: number
    customers: Customer[]
    plans: Subscription[]
    schedules: SubscriptionSchedule[]
    invoices: Invoice[]
    intents: PaymentIntent[]
  }
}

/** Reads both sides at one moment. The sandbox may have a database of its own. */
export async function readBooks(pool: pg.Pool, providersPool = pool): Promise<Books> {
  const ours = await pool.connect()
  const theirs = providersPool === pool ? ours : await providersPool.connect()
  const clients = [...new Set([ours, theirs])]
  try {
    for (const client of clients)
      await client.query('begin isolation level repeatable read read only')
    const books = { ...(await readOurs(ours)), provider: await readTheirs(theirs) }
    for (const client of clients) await client.query('commit')
    return books
  } finally {
    for (const client of clients) client.release()
  }
}

async function readOurs(client: pg.PoolClient): Promise<Omit<Books, 'provider'>> {
  const projects = await rowsOf<Project>(client, ourProjects)
  const invoices = await rowsOf<OurInvoice>(
    client,
    `select id, subscription_id as project, status, total from invoices order by created_at, id`,
  )
  const unworked = await rowsOf<{ event: string }>(
    client,
    `select concat_ws(' ', type, object_id, error) as event from provider_events where processed_at is null order by received_at`,
  )
  return { projects, invoices, unworked: unworked.map(({ event }) => event) }
}

async function readTheirs(client: pg.PoolClient): Promise<Books['provider']> {
  const [{ now }] = (await rowsOf<{ now: number }>(client, providersNow)) as [{ now: number }]
  const objects = (await rowsOf<{ body: Stored | { deleted: true } }>(client, theirObjects)).map(
    ({ body }) => body,
  )
  const present = objects.filter((body): body is Stored => !('deleted' in body))
  return {
    now,
    customers: present.filter(({ object }) => object === 'customer') as Customer[],
    plans: present.filter(({ object }) => object === 'subscription') as Subscription[],
    schedules: present.filter(
      ({ object }) => object === 'subscription_schedule',
    ) as SubscriptionSchedule[],
    invoices: present.filter(({ object }) => object === 'invoice') as Invoice[],
    intents: present.filter(({ object }) => object === 'payment_intent') as PaymentIntent[],
  }
}

async function rowsOf<Row>(client: pg.PoolClient, sql: string) {
  return (await client.query(sql)).rows as Row[]
}

const providersNow = `select (floor(extract(epoch from clock_timestamp())) + clock_offset)::float8 as now from sandbox.settings`

const ourProjects = `
  select id, owner_id as owner, plan_id as plan, status, payment, stripe_customer_id as customer, stripe_subscription_id as "providerSubscription",
    renews_at as renews, next_plan_id as "nextPlan", requested_by as "requestedBy", ends_at as ends,
    case when scheduled is not null then json_build_object('plan', scheduled->'planId', 'amount', scheduled->'price'->'amount', 'at', scheduled->'at') end as scheduled,
    billing_lease_until as "billingLeaseUntil",
    (select coalesce(json_agg(json_build_object('user', user_id, 'permissions', permissions)), '[]')
       from members where subscription_id = subscriptions.id) as members,
    array(select expires_at from invites where subscription_id = subscriptions.id and status = 'pending') as "pendingInvites"
  from subscriptions order by created_at, id`

const theirObjects = `
  select body from sandbox.objects where type in ('customer', 'subscription', 'subscription_schedule', 'invoice', 'payment_intent') order by seq`
