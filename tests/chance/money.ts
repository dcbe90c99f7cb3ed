import { lengthOf, pricesOf } from '#contract/prices.ts'
import type { CurrencyCode } from '#contract/currencies.ts'
import { planOfPrice } from '../../server/billing/plans.ts'
import {
  day,
  isOver,
  subscriptionOf,
  type Customer,
  type Invoice,
  type InvoiceLine,
  type Subscription,
} from '@local/sandbox/testing'
import type { Books } from './books.ts'

/** A period, in the provider's seconds, that a subscription was billed for, or a rest of one. */
type Billed = { start: number; end: number; price: string; ofPeriod: [start: number, end: number] }

/** Checks that each period was charged once, at its price, and that unused time was credited. */
export function whatIsWrongWithMoney(books: Books): string[] {
  const { customers, plans, invoices } = books.provider
  const byPlan = Map.groupBy(invoices, subscriptionOf)
  const byCustomer = Map.groupBy(invoices, ({ customer }) => customer)
  return [
    ...plans.flatMap((plan) => chargedAfterTheEnd(plan, byPlan.get(plan.id) ?? [])),
    ...customers.flatMap((customer) =>
      wronglyBilled(customer, byCustomer.get(customer.id) ?? [], books),
    ),
  ]
}

function chargedAfterTheEnd(plan: Subscription, invoices: Invoice[]): string[] {
  if (!isOver(plan)) return []
  const wrong: string[] = []
  for (const { id, status, amount_paid, auto_advance, created, status_transitions } of invoices) {
    if (status === 'open') wrong.push(`${id} of the ended ${plan.id} is still to be paid`)
    if (status === 'draft' && auto_advance)
      wrong.push(`${id} of the ended ${plan.id} is a draft that is going to be charged`)
    if (amount_paid > 0 && status_transitions.paid_at! > plan.ended_at!)
      wrong.push(`${id} was paid after the end of ${plan.id}`)
    if (created > plan.ended_at!) wrong.push(`${id} was made after the end of ${plan.id}`)
  }
  return wrong
}

function wronglyBilled(customer: Customer, invoices: Invoice[], books: Books): string[] {
  const counting = invoices.filter(counts)
  const billed = { times: [] as Billed[], wrong: [] as string[] }
  for (const { id, lines } of invoices.filter((invoice) => isBilled(invoice, customer, books)))
    for (const line of lines.data) bill(line, id, billed)
  const credit = counting.reduce(
    (sum, { starting_balance, ending_balance }) =>
      sum + (ending_balance ?? starting_balance) - starting_balance,
    0,
  )
  return [
    ...billed.wrong,
    ...(billed.wrong.length > 0 ? invoices.map(inWords) : []),
    ...(isTopped(credit - customer.balance, customer, books)
      ? []
      : [`${customer.id} has a balance of ${customer.balance}, and invoices make it ${credit}`]),
    ...counting
      .filter(isUneven)
      .map(({ id }) => `what was paid of ${id}, and the credit used, are not its total`),
    ...notBilledNow(customer, counting, billed.times, books),
  ]
}

/** Whether credit beside that of invoices is what a change to a free plan adds to keep its quote. */
function isTopped(added: number, { id }: Customer, { provider }: Books) {
  const ends = provider.plans.filter((plan) => plan.customer === id && isOver(plan)).length
  return 0 <= added && added <= 2 * ends
}

function inWords({ id, created, status, billing_reason, total, lines }: Invoice) {
  const parts = lines.data.map(
    ({ amount, period: { start, end } }) => `${amount} from ${start} to ${end}`,
  )
  return `  ${id} at ${created}: ${status}, ${billing_reason}, ${total} (${parts.join('; ')})`
}

/** Whether an invoice is paid or still going to be charged. */
function counts({ status, auto_advance }: Invoice) {
  return status === 'paid' || status === 'open' || (status === 'draft' && auto_advance)
}

/**
 * Whether an invoice counts, or is a draft that was given up when its project was canceled. A plan
 * change that met the renewal may have given credit for its week, which nobody can use any more.
 */
function isBilled(invoice: Invoice, customer: Customer, { projects }: Books) {
  const project = projects.find((project) => project.customer === customer.id)
  return counts(invoice) || (invoice.status === 'draft' && project?.status === 'canceled')
}

function isUneven({ status, total, amount_paid, starting_balance, ending_balance }: Invoice) {
  return status === 'paid' && amount_paid + (ending_balance ?? 0) - starting_balance !== total
}

/** Adds a line of an invoice to the periods billed so far. */
function bill(
  { amount, currency, description, period: { start, end }, parent, pricing }: InvoiceLine,
  invoice: string,
  billed: { times: Billed[]; wrong: string[] },
) {
  const id = pricing.price_details!.price as string
  const price = soldPrice(id)
  const said = `${invoice} for ${id} from ${start} to ${end}`
  const isWhole = !parent!.subscription_item_details!.proration
  if (isWhole && Math.abs((end - start) / day / lengthOf(price) - 1) > 0.1)
    billed.wrong.push(`${said} is no period`)
  const isOfPeriod = ({ ofPeriod }: Billed) => ofPeriod[0] <= start && ofPeriod[1] === end
  const former = billed.times.findLast(isOfPeriod)
  const ofPeriod = isWhole || !former ? ([start, end] as Billed['ofPeriod']) : former.ofPeriod
  const part = (end - start) / (ofPeriod[1] - ofPeriod[0])
  const full = Math.round(price.amounts[currency as CurrencyCode]! * part)
  if (start !== end && Math.abs(amount) !== full)
    billed.wrong.push(`${said} is ${amount}, not ${full}`)
  if (start === end) return
  // The amount does not tell a credit from a charge: for a few seconds it rounds to zero.
  const gives = description!.startsWith('Unused')
  const there = billed.times.find((time) => time.start < end && start < time.end)
  if (!gives && there) billed.wrong.push(`${said} was billed already`)
  if (!gives) billed.times.push({ start, end, price: id, ofPeriod })
  else if (there?.price === id && there.start <= start && there.end === end) there.end = start
  else billed.wrong.push(`${said} is given back and wasn't billed`)
}

/** A price of the configuration, by one of its names. */
export function soldPrice(id: string) {
  return pricesOf(planOfPrice(id)!).find(({ priceIds }) => priceIds.includes(id))!
}

/** Finds an active subscription that is not paid for the present moment. */
function notBilledNow(
  customer: Customer,
  counting: Invoice[],
  times: Billed[],
  { provider: { now, plans } }: Books,
): string[] {
  const plan = plans.find((plan) => plan.customer === customer.id && plan.status === 'active')
  if (!plan || counting.some(({ status }) => status !== 'paid')) return []
  const {
    price: { id: price },
    current_period_end,
  } = plan.items.data[0]!
  // A renewal that is due may not have run yet.
  const at = Math.min(now, current_period_end - 1)
  return times.some((time) => time.start <= at && at < time.end && time.price === price)
    ? []
    : [`${plan.id} is on ${planOfPrice(price)!.id}, which nobody has paid for`]
}
