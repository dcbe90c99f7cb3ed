import { billingLimits } from '#config/limits.ts'
import type { Reason } from '#contract/refusals.ts'
import type { Reconciliation } from '../core/jobs.ts'
import type { Services } from '../core/services.ts'
import { toRefusal } from '../core/to-refusal.ts'
import { receiveEvent, syncInvoice, syncProviderSubscription, syncReading } from './sync.ts'

/** Works through one page and returns it. A page that is not full is the last one. */
type Step = (at: Reconciliation, services: Services) => Promise<{ id: string }[]>

const steps = {
  events,
  liveProviderSubscriptions,
  paidSubscriptions,
  invoices,
  openInvoices,
} satisfies Record<string, Step>
const order = Object.keys(steps) as Reconciliation['step'][]

/** At most one job `reconcilePage` waits or runs: the job for the next page replaces it. */
const place = { key: 'reconcile page' }
const reconciledUntil = 'reconciled until'
const second = 1000
const passing = new Set<Reason>(['paymentsUnavailable', 'unavailable', 'callInProgress'])

/** Begins the daily comparison of our rows with the provider, unless one is under way. */
export async function reconcile(
  { jobs, store, now, log }: Services,
  { pageSize = billingLimits.reconcilePageSize }: { pageSize?: number } = {},
) {
  const underWay = await jobs.findTries(place.key)
  if (underWay?.nextAt) {
    if (underWay.attempts > 0)
      log.warn({ tries: underWay.attempts }, 'the former reconciliation is still under way')
    return
  }
  const until = await store.installation.find(reconciledUntil)
  const since =
    until === undefined
      ? Math.floor((now().getTime() - billingLimits.reconcileFirst) / second)
      : Number(until) - billingLimits.reconcileOverlap / second
  const ticket = await store.billing.nextTicket()
  const unknown = { count: 0, some: [] }
  await jobs.add(
    'reconcilePage',
    { step: order[0]!, pageSize, since, newest: since, ticket, unknown },
    place,
  )
}

/** Works through one page and adds the job for the next. After a crash, the page is repeated. */
export async function reconcilePage(at: Reconciliation, services: Services) {
  const { jobs, store, log } = services
  const page = await steps[at.step](at, services)
  const after = page.length === at.pageSize ? page.at(-1)!.id : undefined
  const step = after === undefined ? order[order.indexOf(at.step) + 1] : at.step
  if (step) return jobs.add('reconcilePage', { ...at, step, after }, place)
  await store.installation.put(reconciledUntil, String(at.newest))
  if (at.unknown.count > 0)
    log.warn(at.unknown, 'subscriptions at the provider belong to no project here')
  log.info('reconciled with the provider')
}

async function events({ after, pageSize, since }: Reconciliation, services: Services) {
  const events = services.payments.listUndeliveredEvents({ after, pageSize, since })
  const page = await pageOf(events, pageSize)
  await each(page, services, (event) => receiveEvent(event, services))
  return page
}

async function liveProviderSubscriptions(at: Reconciliation, services: Services) {
  const { after, pageSize, unknown } = at
  const { payments, store } = services
  const ticket = await store.billing.nextTicket()
  const live = payments.listLiveProviderSubscriptions({ after, pageSize })
  const page = await pageOf(live, pageSize)
  await each(page, services, async (current) => {
    const { id, subscriptionId } = current
    if (!subscriptionId || !(await store.billing.find(subscriptionId))) {
      unknown.count++
      if (unknown.some.length < 10) unknown.some.push(id)
    } else if (await store.invoices.hasOpen(id)) {
      // The list lacks what is owed for earlier weeks, so this reads it again.
      await syncProviderSubscription(id, services)
    } else await syncReading({ current, ticket }, services)
  })
  return page
}

/** Syncs what the step before did not see: ended, created since, or unknown to the provider. */
async function paidSubscriptions(at: Reconciliation, services: Services) {
  const { after, pageSize: limit, ticket } = at
  const { store, log } = services
  const page = await store.billing.listPaid({ syncedBefore: ticket, after, limit })
  await each(page, services, async ({ id, providerSubscriptionId }) => {
    if (!(await syncProviderSubscription(providerSubscriptionId, services)))
      log.error(
        { subscription: id, providerSubscription: providerSubscriptionId },
        'the provider does not know the subscription that pays for a project',
      )
  })
  return page
}

/** Compares invoices, the newest first. Reads only those that our rows lack or have differently. */
async function invoices(at: Reconciliation, services: Services) {
  const { after, pageSize, since } = at
  const { payments, store } = services
  const page = await pageOf(payments.listInvoices({ after, pageSize, since }), pageSize)
  const ours = await store.invoices.mapByIds(page.map(({ id }) => id))
  await each(page, services, async ({ id, subscriptionId, status, amount_paid }) => {
    const own = ours.get(id)
    if (own?.status === status && own.amountPaid === amount_paid) return
    if (subscriptionId !== undefined && (await store.billing.find(subscriptionId)))
      await syncInvoice(id, services)
  })
  at.newest = Math.max(at.newest, ...page.map(({ created }) => created))
  return page
}

/** Syncs invoices that are open in our rows. The provider may have settled old ones since. */
async function openInvoices({ after, pageSize: limit }: Reconciliation, services: Services) {
  const page = await services.store.invoices.listOpen({ after, limit })
  await each(page, services, ({ id }) => syncInvoice(id, services))
  return page
}

async function pageOf<Item>(all: AsyncIterable<Item>, pageSize: number) {
  const page: Item[] = []
  for await (const item of all) if (page.push(item) === pageSize) break
  return page
}

/** Logs an item that fails. Throws a failure that passes by itself: the job repeats the page. */
async function each<Item extends { id: string }>(
  page: Item[],
  { log }: Services,
  work: (item: Item) => Promise<unknown>,
) {
  for (const item of page)
    await work(item).catch((error: unknown) => {
      if (passing.has(toRefusal(error).reason)) throw error
      log.error({ err: error, id: item.id }, 'could not reconcile one item with the provider')
    })
}
