import { providerLimits } from '#config/limits.ts'
import { syncInvoice, syncPlan, syncRead } from '../billing/sync.ts'
import { takeEvent } from '../billing/take-event.ts'
import type { Services } from '../services.ts'

/** How far a comparison has come. Times are seconds of the provider's clock. */
export type Comparison = {
  step: keyof typeof steps
  /** The last one that the step has worked through. */
  after?: string | undefined
  /** How many one job works through. */
  atOnce: number
  /** Events and invoices are looked through from then on. */
  since: number
  /** When the newest invoice was made that was seen. */
  newest: number
  /** Taken before anything was read: a project with an older one has not been heard of since. */
  ticket: number
  /** At the provider, of no project here. */
  foreignPlans: number
}

/** Gives where the next page begins, or nothing for the last one. What else it found is changed in the comparison. */
type Step = (comparison: Comparison, services: Services) => Promise<string | undefined>

const steps = { events, livePlans, paidProjects, invoices, openInvoices } satisfies Record<string, Step>
const order = Object.keys(steps) as Comparison['step'][]

/** Of the one job that the comparison is at a time; its successor takes its place. */
const place = { key: 'comparison', queue: 'comparison' }
const comparedUntil = 'compared until'
const second = 1000

/**
 * Once a day everything that is being paid for is held against what we believe is: an event that never came is fetched, an invoice that was
 * never heard of is kept, a change made by hand at the provider is written here, and a plan that nobody should pay for is ended. This only
 * begins it; jobs go through it page by page. One that is under way goes on instead.
 */
export async function compareWithProvider(services: Services, { atOnce = providerLimits.comparedAtOnce } = {}) {
  const { jobs, store, now, log } = services
  const underWay = (await jobs.mapTries([place.key])).get(place.key)
  if (underWay?.nextAt) return log.warn({ tries: underWay.attempts }, 'the former comparison with the provider is still under way')
  const until = await store.installation.find(comparedUntil)
  const since =
    until === undefined
      ? Math.floor((now().getTime() - providerLimits.comparedAtFirst) / second)
      : Number(until) - providerLimits.comparedAgain / second
  const ticket = await store.billing.takeTicket()
  await jobs.add('comparePage', { step: order[0]!, atOnce, since, newest: since, ticket, foreignPlans: 0 }, place)
}

/** Works through one page and leaves the next to a job of its own, which goes on there after a crash. */
export async function comparePage(comparison: Comparison, services: Services) {
  const { jobs } = services
  const after = await steps[comparison.step](comparison, services)
  const step = after === undefined ? order[order.indexOf(comparison.step) + 1] : comparison.step
  if (step) await jobs.add('comparePage', { ...comparison, step, after }, place)
  else await end(comparison, services)
}

async function end({ newest, foreignPlans }: Comparison, { store, log }: Services) {
  await store.installation.put(comparedUntil, String(newest))
  if (foreignPlans > 0) log.warn({ plans: foreignPlans }, 'plans at the provider belong to no project here')
  log.info('compared with the provider')
}

async function events({ after, atOnce, since }: Comparison, services: Services) {
  const found = await pageOf(services.payments.listUndelivered({ after, atOnce, since }), atOnce)
  for (const event of found) await takeEvent(event, services)
  return nextAfter(found, atOnce)
}

async function livePlans(comparison: Comparison, services: Services) {
  const { after, atOnce } = comparison
  const ticket = await services.store.billing.takeTicket()
  const found = await pageOf(services.payments.listLivePlans({ after, atOnce }), atOnce)
  for (const plan of found) {
    const row = plan.subscriptionId ? await services.store.billing.find(plan.subscriptionId) : undefined
    if (row) await syncRead({ plan, ticket }, services)
    else comparison.foreignPlans++
  }
  return nextAfter(found, atOnce)
}

/** Those that were not among the live ones: their plan has ended, was begun only just now, or is unknown. */
async function paidProjects({ after, atOnce, ticket }: Comparison, services: Services) {
  const { store, log } = services
  const found = await store.billing.listPaid({ syncedBefore: ticket, after, limit: atOnce })
  for (const { id, planId } of found)
    if (!(await syncPlan(planId, services)))
      log.error({ subscription: id, plan: planId }, 'the provider does not know the plan of a project that is paid for')
  return nextAfter(found, atOnce)
}

/** Newest first. Only those are asked for that we keep otherwise, or not at all. */
async function invoices(comparison: Comparison, services: Services) {
  const { after, atOnce, since, newest } = comparison
  const { payments, store } = services
  const found = await pageOf(payments.listInvoices({ after, atOnce, since }), atOnce)
  const kept = await store.invoices.mapKept(found.map(({ id }) => id))
  for (const { id, subscriptionId, status, amount_paid } of found) {
    const ours = kept.get(id)
    if (ours?.status === status && ours.amountPaid === amount_paid) continue
    if (subscriptionId !== undefined && (await store.billing.find(subscriptionId))) await syncInvoice(id, services)
  }
  comparison.newest = Math.max(newest, ...found.map(({ created }) => created))
  return nextAfter(found, atOnce)
}

/** Older ones that may have been paid or given up since. */
async function openInvoices({ after, atOnce }: Comparison, services: Services) {
  const found = await services.store.invoices.listOpen({ after, limit: atOnce })
  for (const { id } of found) await syncInvoice(id, services)
  return nextAfter(found, atOnce)
}

async function pageOf<Item>(all: AsyncIterable<Item>, atOnce: number) {
  const page: Item[] = []
  for await (const item of all) if (page.push(item) === atOnce) break
  return page
}

function nextAfter(page: { id: string }[], atOnce: number) {
  return page.length === atOnce ? page.at(-1)!.id : undefined
}
