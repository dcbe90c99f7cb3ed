import { findPlan, ownerPermissions } from '#contract/access.ts'
import type { CurrencyCode } from '#contract/currencies.ts'
import { planOfPrice } from '../../server/billing/plans.ts'
import { intentOf, isOver, subscriptionOf, type Subscription } from '@local/sandbox/testing'
import type { Books, Project } from './books.ts'
import { soldPrice, whatIsWrongWithMoney } from './money.ts'

type Rule = (books: Books) => string[]

/** Returns a sentence for each mistake in the books once everything is at rest. */
export function whatIsWrong(books: Books): string[] {
  return [...rules, whatIsWrongWithMoney].flatMap((rule) => rule(books))
}

/** Finds projects with more people than seats, at any moment. `now` is the server's time. */
export function whoHasNoSeat({ projects }: Books, now: Date): string[] {
  return projects.flatMap(({ id, plan, members, pendingInvites }) => {
    const { seats } = findPlan(plan)!
    const taken = members.length + pendingInvites.filter((expires) => expires > now).length
    return taken > seats
      ? [`project ${id} has ${taken} people in the ${seats} seats of ${plan}`]
      : []
  })
}

/** Finds invoices that were paid at the last look (`earlier`) and are not paid any more. */
export function whatIsPaidNoMore(earlier: ReadonlySet<string>, books: Books): string[] {
  const now = paidInvoices(books)
  return [...earlier].filter((id) => !now.has(id)).map((id) => `${id} was paid and isn't any more`)
}

export function paidInvoices({ invoices, provider }: Books): Set<string> {
  const isPaid = ({ status }: { status: string | null }) => status === 'paid'
  return new Set([
    ...invoices.filter(isPaid).map(({ id }) => `our ${id}`),
    ...provider.invoices.filter(isPaid).map(({ id }) => `the provider's ${id}`),
  ])
}

/** Checks that each object belongs to a project, and that no project has two of them. */
function atMostOneEach(
  objects: { metadata: Record<string, string> }[],
  what: string,
  projects: Project[],
) {
  const known = new Set(projects.map(({ id }) => id))
  const byProject = Map.groupBy(objects, ({ metadata }) => metadata['subscriptionId'] ?? '')
  return [...byProject].flatMap(([id, all]) => [
    ...(all.length > 1 ? [`project ${id} has ${all.length} ${what}s`] : []),
    ...(known.has(id) ? [] : [`${id} is no project, and has a ${what}`]),
  ])
}

const oneCustomer: Rule = ({ projects, provider }) =>
  atMostOneEach(provider.customers, 'customer', projects)

/** A customer without an email comes from a request that got no answer and may be repeated. */
const knownCustomer: Rule = ({ projects, provider }) =>
  provider.customers.flatMap(({ id, metadata, email }) => {
    if (email === null) return []
    const project = projects.find((project) => project.id === metadata['subscriptionId'])
    return !project || project.customer === id
      ? []
      : [`project ${project.id} doesn't know its customer ${id}`]
  })

const oneProviderSubscription: Rule = ({ projects, provider }) => {
  const live = provider.plans.filter((plan) => !isOver(plan))
  return [
    ...atMostOneEach(live, 'provider subscription', projects),
    ...live
      .filter(({ items }) => items.data.length !== 1)
      .map(({ id }) => `${id} has not one item`),
  ]
}

const rowsMatchTheProvider: Rule = (books) =>
  books.projects.flatMap((project) => {
    const plan = books.provider.plans.find(
      (plan) => plan.metadata['subscriptionId'] === project.id && !isOver(plan),
    )
    return differences(shouldBe(project, plan, books), project, plan)
  })

/** What our row should be, given the provider's subscription. */
function shouldBe(
  project: Project,
  plan: Subscription | undefined,
  books: Books,
): Partial<Project> {
  const nothing = { requestedBy: null, ends: null, scheduled: null }
  if (project.status === 'canceled')
    return { payment: 'ok', renews: null, nextPlan: null, pendingInvites: [], ...nothing }
  if (!plan)
    return {
      status: 'active',
      plan: 'free',
      providerSubscription: null,
      payment: 'ok',
      renews: null,
      nextPlan: null,
      ...nothing,
    }
  const bought = planOfPrice(plan.items.data[0]!.price.id)!.id
  const ids = { providerSubscription: plan.id, customer: plan.customer }
  if (plan.status === 'incomplete') {
    return project.status === 'incomplete'
      ? { ...ids, plan: bought }
      : { ...ids, plan: 'free', nextPlan: bought, payment: 'ok', renews: null }
  }
  const next = plan.pending_update?.subscription_items[0]?.price.id
  return {
    ...ids,
    status: 'active',
    plan: bought,
    payment: paymentOf(plan, books),
    renews: new Date(plan.items.data[0]!.current_period_end * 1000),
    nextPlan: next === undefined ? null : planOfPrice(next)!.id,
    ...(next === undefined && { requestedBy: null }),
    ...plannedFor(plan, books),
  }
}

/** What waits for the end of a period: see docs/decisions/020-plans-as-they-are-sold.md. */
function plannedFor(plan: Subscription, { provider }: Books): Pick<Project, 'ends' | 'scheduled'> {
  const at = plan.items.data[0]!.current_period_end
  const isEnding = plan.cancel_at_period_end
  const changedTo = isEnding && /^\d+ (.+)$/.exec(plan.metadata['planned'] ?? '')?.[1]
  if (changedTo) return { ends: null, scheduled: { plan: changedTo, amount: null, at } }
  const schedule = provider.schedules.find(({ id }) => id === plan.schedule)
  const next = schedule?.phases.find(({ start_date }) => start_date === at)?.items[0]
  const ends = isEnding ? new Date(at * 1000) : null
  if (!next) return { ends, scheduled: null }
  const amount = soldPrice(next.price).amounts[plan.currency as CurrencyCode]!
  return { ends, scheduled: { plan: planOfPrice(next.price)!.id, amount, at } }
}

function differences(should: Partial<Project>, project: Project, plan: Subscription | undefined) {
  const lines = (Object.keys(should) as (keyof Project)[])
    .filter((field) => JSON.stringify(should[field]) !== JSON.stringify(project[field]))
    .map(
      (field) =>
        `${field} of project ${project.id} is ${JSON.stringify(project[field])}, not ${JSON.stringify(should[field])}`,
    )
  if (plan && project.status === 'canceled')
    lines.push(`canceled project ${project.id} has the subscription ${plan.id}, ${plan.status}`)
  return lines
}

function paymentOf(plan: Subscription, { provider }: Books): Project['payment'] {
  if (plan.status !== 'past_due') return 'ok'
  return intentOfPlan(plan, provider)?.status === 'requires_action' ? 'action_required' : 'past_due'
}

function intentOfPlan({ latest_invoice }: Subscription, { invoices, intents }: Books['provider']) {
  const invoice = invoices.find(({ id }) => id === latest_invoice)
  return invoice && intents.find(({ id }) => id === intentOf(invoice))
}

const nothingWaitsButForTheBank: Rule = ({ projects, provider }) => [
  ...projects
    .filter(({ billingLeaseUntil }) => billingLeaseUntil !== null)
    .map(({ id }) => `the billing of project ${id} is leased`),
  ...provider.plans
    .filter(
      (plan) => !isOver(plan) && (plan.status === 'incomplete' || plan.pending_update !== null),
    )
    .filter((plan) => intentOfPlan(plan, provider)?.status !== 'requires_action')
    .map(({ id, status }) => `${id}, ${status}, waits for a payment that nobody can make`),
]

const sameInvoices: Rule = ({ projects, invoices, provider }) => {
  const projectOf = new Map(
    provider.plans.map(({ id, metadata }) => [id, metadata['subscriptionId']!]),
  )
  const kept = new Set(projects.filter(({ status }) => status !== 'incomplete').map(({ id }) => id))
  const line = (project: string, id: string, status: string | null, total: number) =>
    `${id} of project ${project}: ${status}, ${total}`
  const ours = invoices
    .filter(({ status }) => status !== 'draft')
    .map(({ project, id, status, total }) => line(project, id, status, total))
  const theirs = provider.invoices
    .map((invoice) => ({ ...invoice, project: projectOf.get(subscriptionOf(invoice))! }))
    .filter(({ status, project }) => status !== 'draft' && kept.has(project))
    .map(({ project, id, status, total }) => line(project, id, status, total))
  return [
    ...theirs
      .filter((invoice) => !ours.includes(invoice))
      .map((invoice) => `we don't know ${invoice}`),
    ...ours
      .filter((invoice) => !theirs.includes(invoice))
      .map((invoice) => `the provider doesn't know ${invoice}`),
  ]
}

const ownersHaveTheirPermissions: Rule = ({ projects }) =>
  projects.flatMap(({ id, owner, members }) => {
    const held = members.find(({ user }) => user === owner)?.permissions ?? []
    return owner === null || ownerPermissions.every((key) => held.includes(key))
      ? []
      : [`the owner of project ${id} holds only ${held.join()}`]
  })

const inboxIsEmpty: Rule = ({ unworked }) => unworked.map((event) => `${event} is not processed`)

const rules: Rule[] = [
  oneCustomer,
  knownCustomer,
  oneProviderSubscription,
  rowsMatchTheProvider,
  nothingWaitsButForTheBank,
  sameInvoices,
  ownersHaveTheirPermissions,
  inboxIsEmpty,
]
