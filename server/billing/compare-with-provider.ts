import { billingLimits } from '#config/limits.ts'
import type { Reason } from '#contract/refusals.ts'
import { syncInvoice, syncPlan, syncRead } from './sync.ts'
import { takeEvent } from './take-event.ts'
import { toRefusal } from '../core/to-refusal.ts'
import type { Comparison } from '../core/jobs.ts'
import type { Services } from '../core/services.ts'

/** Gives where the next page begins, or nothing for the last one. What else it found is changed in the comparison. */
type Step = (comparison: Comparison, services: Services) => Promise<string | undefined>

const steps = { events, livePlans, paidProjects, invoices, openInvoices } satisfies Record<
  string,
  Step
>
const order = Object.keys(steps) as Comparison['step'][]

/** Of the one job that the comparison is at a time; its successor takes its place. */
const place = { key: 'comparison', queue: 'comparison' }
const comparedUntil = 'compared until'
const second = 1000
const passing = new Set<Reason>(['paymentsUnavailable', 'unavailable', 'callInProgress'])

/**
 * Once a day everything that is being paid for is held against what we believe is: an event that never came is fetched, an invoice that was
 * never heard of is kept, a change made by hand at the provider is written here, and a plan that nobody should pay for is ended. This only
 * begins it; jobs go through it page by page. One that is under way goes on instead.
 */
export async function compareWithProvider(
  services: Services,
  { atOnce = billingLimits.comparedAtOnce }: { atOnce?: number } = {},
) {
  const { jobs, store, now, log } = services
  const underWay = (await jobs.mapTries([place.key])).get(place.key)
  if (underWay?.nextAt) {
    if (underWay.attempts > 0)
      log.warn(
        { tries: underWay.attempts },
        'the former comparison with the provider is still under way',
      )
    return
  }
  const until = await store.installation.find(comparedUntil)
  const since =
    until === undefined
      ? Math.floor((now().getTime() - billingLimits.comparedAtFirst) / second)
      : Number(until) - billingLimits.comparedAgain / second
  const ticket = await store.billing.takeTicket()
  await jobs.add(
    'comparePage',
    { step: order[0]!, atOnce, since, newest: since, ticket, foreign: { count: 0, some: [] } },
    place,
  )
}

/** Works through one page and leaves the next to a job of its own, which goes on there after a crash. */
export async function comparePage(comparison: Comparison, services: Services) {
  const { jobs } = services
  const after = await steps[comparison.step](comparison, services)
  const step = after === undefined ? order[order.indexOf(comparison.step) + 1] : comparison.step
  if (step) await jobs.add('comparePage', { ...comparison, step, after }, place)
  else await end(comparison, services)
}

async function end({ newest, foreign }: Comparison, { store, log }: Services) {
  await store.installation.put(comparedUntil, String(newest))
  if (foreign.count > 0) log.warn(foreign, 'plans at the provider belong to no project here')
  log.info('compared with the provider')
}

async function events({ after, atOnce, since }: Comparison, services: Services) {
  const found = await pageOf(services.payments.listUndelivered({ after, atOnce, since }), atOnce)
  await each(found, services, (event) => takeEvent(event, services))
  return nextAfter(found, atOnce)
}

async function livePlans(comparison: Comparison, services: Services) {
  const { after, atOnce } = comparison
  const ticket = await services.store.billing.takeTicket()
  const found = await pageOf(services.payments.listLivePlans({ after, atOnce }), atOnce)
  await each(found, services, async (plan) => {
    const row = plan.subscriptionId
      ? await services.store.billing.find(plan.subscriptionId)
      : undefined
    if (!row) return note(plan.id, comparison.foreign)
    // A list says nothing of what is owed for earlier weeks.
    if (await services.store.invoices.hasOpen(plan.id)) await syncPlan(plan.id, services)
    else await syncRead({ plan, ticket }, services)
  })
  return nextAfter(found, atOnce)
}

function note(id: string, foreign: Comparison['foreign']) {
  foreign.count++
  if (foreign.some.length < 10) foreign.some.push(id)
}

/** Those that were not among the live ones: their plan has ended, was begun only just now, or is unknown. */
async function paidProjects({ after, atOnce, ticket }: Comparison, services: Services) {
  const { store, log } = services
  const found = await store.billing.listPaid({ syncedBefore: ticket, after, limit: atOnce })
  await each(found, services, async ({ id, planId }) => {
    if (!(await syncPlan(planId, services)))
      log.error(
        { subscription: id, plan: planId },
        'the provider does not know the plan of a project that is paid for',
      )
  })
  return nextAfter(found, atOnce)
}

/** Newest first. Only those are asked for that we keep otherwise, or not at all. */
async function invoices(comparison: Comparison, services: Services) {
  const { after, atOnce, since, newest } = comparison
  const { payments, store } = services
  const found = await pageOf(payments.listInvoices({ after, atOnce, since }), atOnce)
  const kept = await store.invoices.mapKept(found.map(({ id }) => id))
  await each(found, services, async ({ id, subscriptionId, status, amount_paid }) => {
    const ours = kept.get(id)
    if (ours?.status === status && ours.amountPaid === amount_paid) return
    if (subscriptionId !== undefined && (await store.billing.find(subscriptionId)))
      await syncInvoice(id, services)
  })
  comparison.newest = Math.max(newest, ...found.map(({ created }) => created))
  return nextAfter(found, atOnce)
}

/** Older ones that may have been paid or given up since. */
async function openInvoices({ after, atOnce }: Comparison, services: Services) {
  const found = await services.store.invoices.listOpen({ after, limit: atOnce })
  await each(found, services, ({ id }) => syncInvoice(id, services))
  return nextAfter(found, atOnce)
}

async function pageOf<Item>(all: AsyncIterable<Item>, atOnce: number) {
  const page: Item[] = []
  for await (const item of all) if (page.push(item) === atOnce) break
  return page
}

/** One that can't be compared is left out for today, or nobody behind it would ever be; what passes by itself is waited for. */
async function each<Item extends { id: string }>(
  page: Item[],
  { log }: Services,
  compare: (item: Item) => Promise<unknown>,
) {
  for (const item of page)
    await compare(item).catch((error: unknown) => {
      if (passing.has(toRefusal(error).reason)) throw error
      log.error({ err: error, id: item.id }, 'could not compare one with the provider')
    })
}

function nextAfter(page: { id: string }[], atOnce: number) {
  return page.length === atOnce ? page.at(-1)!.id : undefined
}
