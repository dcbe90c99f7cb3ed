import { projectName } from '#contract/project-name.ts'
import type { EpochSeconds } from '#contract/entities.ts'
import type { Price } from '#contract/prices.ts'
import { planOfPrice } from '../../server/billing/plans.ts'
import { valuesOf } from '../../server/billing/sync.ts'
import type { Services } from '../../server/core/services.ts'
import { isRefusal } from '../../server/platform/refusal.ts'
import type { BillingRow } from '../../server/store/billing.ts'
import { priceOf } from '../../server/store/charges.ts'
import { requireProject, type Answer, type Desk } from './command.ts'
import { entryShown, eventShown, jobShown } from './shown.ts'

const all = { page: 1, pageSize: 100 }

type Paid = Pick<BillingRow, keyof BillingRow & keyof ReturnType<typeof valuesOf>>

/** What is known of a project: its people, the books of both sides, events, jobs and activity. */
export async function project({ services }: Desk, id: string): Promise<Answer> {
  const row = await requireProject(id, services)
  const { store, now } = services
  const [owner, { users }, { invoices }, jobs, { activity }, provider] = await Promise.all([
    row.ownerId === null ? undefined : store.users.find(row.ownerId),
    store.members.listUsers(id, { ...all, language: null, now: now() }),
    store.invoices.list(id, all),
    store.queue.list({ about: [id], limit: 20 }),
    store.activity.list(id, { page: 1, pageSize: 10 }),
    booksOfProvider(row, services),
  ])
  const events = await store.providerEvents.listAbout(
    [row.providerSubscriptionId ?? '', ...invoices.map((invoice) => invoice.id)],
    20,
  )
  return {
    id,
    name: projectName(row.settings),
    status: row.status,
    created: row.createdAt,
    owner: owner ? owner.email : null,
    members: users.map(({ id, email, display_name, status, permissions, pending_permissions }) => ({
      id,
      email,
      name: display_name,
      status,
      permissions: status === 'pending' ? pending_permissions : permissions,
    })),
    accessTokens: (await store.accessTokens.listIn(id)).map(({ name }) => name),
    ours: {
      plan: row.planId,
      nextPlan: row.nextPlanId,
      payment: row.payment,
      ...paidShown(row),
      secondFactorFrom: row.secondFactorFrom,
      lookOnly: row.lookOnly && { ...row.lookOnly, until: timeOf(row.lookOnly.until) },
      customer: row.customerId,
      subscription: row.providerSubscriptionId,
    },
    provider,
    invoices: invoices.map(({ id, number, status, created, total, currency, ...invoice }) => ({
      id,
      number,
      status,
      created: new Date(created * 1000),
      total: money(total, currency),
      paid: money(invoice.amount_paid, currency),
      refunded: money(invoice.amount_refunded, currency),
    })),
    events: events.map(eventShown),
    jobs: jobs.map(jobShown),
    activity: activity.map(entryShown),
    ...(await aboutModules(id, services)),
  }
}

async function aboutModules(id: string, services: Services) {
  const about: Record<string, unknown> = {}
  for (const [name, { aboutProject }] of services.modules.hooks)
    if (aboutProject) about[name] = await aboutProject(id, services)
  return about
}

/** What the payment provider says of the project now. */
async function booksOfProvider(row: BillingRow, { payments }: Services) {
  const { customerId, providerSubscriptionId } = row
  if (customerId === null) return null
  try {
    const [current, cards, details] = await Promise.all([
      providerSubscriptionId
        ? payments.findProviderSubscription(providerSubscriptionId, { mayOweMore: true })
        : payments.findNewestProviderSubscription(customerId),
      payments.listCards(customerId),
      payments.findBillingDetails(customerId),
    ])
    return {
      subscription: current?.id ?? null,
      state: current?.state ?? null,
      plan: (current && planOfPrice(current.priceId)?.id) ?? null,
      payment: current?.payment ?? null,
      ...(current && paidShown(valuesOf(current))),
      declined: current?.declineCode ?? null,
      credit: details?.credit ?? null,
      cards: cards.map(({ id, card, isDefault }) => ({
        id,
        card: `${card.brand} ${card.last4}`,
        expires: `${card.exp_month}/${card.exp_year}`,
        isDefault,
      })),
    }
  } catch (error) {
    if (!isRefusal(error, 'paymentsUnavailable', 'customerNotFound', 'paymentRejected')) throw error
    return { unknown: error.message }
  }
}

/** How a project pays and goes on, in the same words for the books of both sides. */
function paidShown(row: Paid) {
  const { scheduled, discount } = row
  return {
    renews: row.renewsAt,
    ...priceShown(priceOf(row)),
    ends: row.endsAt,
    endsBy: row.endsAt && (row.endsBy ?? 'operator'),
    trialEnds: row.trialEndsAt,
    scheduled: scheduled && {
      plan: scheduled.planId,
      ...priceShown(scheduled.price),
      at: timeOf(scheduled.at),
      by: scheduled.isOwn ? 'owner' : 'operator',
    },
    discount: discount && {
      off: 'percent' in discount ? `${discount.percent}%` : money(discount.amount, row.currency!),
      until: timeOf(discount.until),
    },
  }
}

function priceShown(price: Price | null) {
  if (!price) return { price: null, every: null }
  const { amount, currency, every, frequency } = price
  return { price: money(amount, currency), every: `${every} ${frequency}` }
}

function timeOf(seconds: EpochSeconds | null) {
  return seconds === null ? null : new Date(seconds * 1000)
}

/** An amount in minor units. */
export function money(amount: number, currency: string) {
  return { amount, currency }
}
