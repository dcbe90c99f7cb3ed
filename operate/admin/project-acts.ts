import { digitsOf, minorUnits } from '#contract/currencies.ts'
import { formatMoney } from '#contract/money.ts'
import { projectName } from '#contract/project-name.ts'
import { cancelProject } from '../../server/billing/cancel.ts'
import { withBillingLease } from '../../server/billing/lease.ts'
import { recordRefund, syncRefunds } from '../../server/billing/refunds.ts'
import { transferProject } from '../../server/billing/transfer.ts'
import type { Services } from '../../server/core/services.ts'
import { newId } from '../../server/platform/ids.ts'
import { isRefusal } from '../../server/platform/refusal.ts'
import { StartError } from '../../server/platform/start-error.ts'
import { seconds } from '../../server/platform/time.ts'
import type { BillingRow } from '../../server/store/billing.ts'
import { setDemand } from '../../server/subscriptions/security.ts'
import { orSay, requirePerson, requireProject, type Answer, type Desk } from './command.ts'
import { inUtc } from './in-words.ts'
import { money } from './project.ts'

export const busy = 'Another change of its billing is under way. Try again in a minute.'
const unsure =
  'The payment provider did not answer, so the money may have gone back or not. Run the same command again to find out: nothing goes back twice.'

export async function cancel({ services, operator }: Desk, id: string): Promise<Answer> {
  const row = await requireActive(id, services)
  await orSay({ billingBusy: busy }, () =>
    withBillingLease(row.id, services, async (lease) => {
      await requireActive(id, services)
      await cancelProject(lease, { by: operator }, services)
    }),
  )
  return {
    said: `${named(row)} is canceled. Nothing more is charged, and its owner gets a mail.`,
    id,
  }
}

export async function transfer(desk: Desk, id: string, who: string): Promise<Answer> {
  const { services, operator } = desk
  const row = await requireActive(id, services)
  const user = await requirePerson(who, services)
  const words = {
    billingBusy: busy,
    notEligibleOwner: `${user.email} is no administrator of ${named(row)} or owns it already. The new owner must be another administrator.`,
    factorRequired: `${named(row)} asks its people for a second factor, and ${user.email} has none yet.`,
    tooManyProjects: `${user.email} owns as many free projects as one person may.`,
  }
  await orSay(words, () =>
    withBillingLease(row.id, services, (lease) =>
      transferProject(lease, { newOwnerId: user.id, by: operator }, services),
    ),
  )
  const said = `${user.email} owns ${named(row)} now. Both owners get a mail.`
  return { said, id, owner: user.id }
}

/** For a project whose owner has lost what it asks for. */
export async function allowWithoutFactor(
  { services, operator }: Desk,
  id: string,
): Promise<Answer> {
  const row = await requireActive(id, services)
  const wasAsked = await services.transaction(async (services) => {
    const locked = await services.store.subscriptions.lockRow(id)
    const from = locked?.secondFactorFrom
    if (from) await setDemand({ id, second_factor_from: seconds(from) }, null, operator, services)
    return from !== null
  })
  if (!wasAsked) throw new StartError(`${named(row)} asks nobody for a second factor.`)
  const said = `${named(row)} opens without a second factor again. Its administrators get a mail.`
  return { said, id }
}

/**
 * Gives back an amount of a paid invoice, like 5.00, or all that was paid. It is noted for a day, so
 * that the same refund, asked for again, is the same refund. `again` asks for another one.
 */
export async function refund(
  desk: Desk,
  invoiceId: string,
  wanted = 'all',
  again?: string,
): Promise<Answer> {
  const { services } = desk
  if (again !== undefined && again !== 'again')
    throw new StartError(`${again}? Write “again” for another refund of the same amount.`)
  const begun = await beginRefund(desk, invoiceId, { wanted, again: again !== undefined })
  const { amount, currency, attempt, by, refund } = begun
  const answer = { invoice: invoiceId, ...money(amount, currency) }
  const sum = `${formatMoney(amount, currency)} of the invoice ${invoiceId}`
  if (refund !== undefined)
    return {
      said: `${sum} went back already, at ${inUtc(new Date(begun.at))}, and nothing more does. For another refund: refund ${invoiceId} ${wanted} again`,
      refund,
      ...answer,
    }
  const made = await orSay({ paymentsUnavailable: unsure }, () =>
    services.payments
      .refundInvoice({ id: invoiceId, amount, attempt, by })
      .catch(async (error: unknown) => {
        if (!isRefusal(error, 'paymentsUnavailable'))
          await services.store.installation.remove(noteOf(invoiceId))
        throw error
      }),
  )
  await services.transaction(async (services) => {
    const { store } = services
    const invoice = await lockInvoice(invoiceId, services)
    if ((await findBegun(invoiceId, services))?.attempt === attempt)
      await note(invoiceId, { ...begun, refund: made.id }, services)
    // The event about the refund, or another operator who asked for the same, may have been first.
    const isNew = await recordRefund(made, { ...invoice, in: invoice.subscriptionId }, services)
    const { amountRefunded, dispute } = invoice
    // An operator who looks before the provider's event comes reads the new sum.
    if (isNew)
      await store.invoices.setRefunds({ id: invoiceId, refunded: amountRefunded + amount, dispute })
  })
  // If the provider fails now, its event brings what else has changed.
  await syncRefunds({ objectType: 'refund', objectId: made.id }, services).catch(
    (error: unknown) => {
      services.log.warn({ err: error, invoice: invoiceId }, 'could not read a refund that was made')
    },
  )
  return { said: `${sum} goes back to the card.`, refund: made.id, ...answer }
}

type Begun = {
  wanted: string
  amount: number
  currency: string
  attempt: string
  at: number
  by?: string
  /** The refund's id, once it is made. */
  refund?: string
}

/** For so long the payment provider knows an attempt that is repeated. */
const attemptKept = 24 * 3_600_000

/** Takes up the refund of the invoice that is asked for again, or notes a new one. */
async function beginRefund(
  { services, operator }: Desk,
  invoiceId: string,
  { wanted, again }: { wanted: string; again: boolean },
) {
  return services.transaction(async (services) => {
    const invoice = await lockInvoice(invoiceId, services)
    const { currency } = invoice
    const begun = await findBegun(invoiceId, services)
    const isMade = begun?.refund !== undefined
    if (begun?.wanted === wanted && !(isMade && again)) return begun
    if (begun && !isMade)
      throw new StartError(
        `It is not known yet whether ${formatMoney(begun.amount, currency)} went back. Find out first: refund ${invoiceId}${begun.wanted === 'all' ? '' : ` ${begun.wanted}`}`,
      )
    const left = invoice.amountPaid - invoice.amountRefunded
    if (left <= 0) throw new StartError(`Of the invoice ${invoiceId} nothing is left to give back.`)
    const amount = wanted === 'all' ? left : toMinorUnits(wanted, currency)
    if (amount > left)
      throw new StartError(
        `Of the invoice ${invoiceId} only ${formatMoney(left, currency)} is left.`,
      )
    const at = services.now().getTime()
    const attempt = newId()
    const begins: Begun = { wanted, amount, currency, attempt, at, by: operator.operator }
    await note(invoiceId, begins, services)
    return begins
  })
}

/** The row of an invoice. Locks its project, so that one operator at a time refunds it. */
async function lockInvoice(id: string, { store }: Services) {
  const found = await store.invoices.find(id)
  if (!found)
    throw new StartError(`There is no invoice ${id}. The invoices of a project: project ID`)
  await store.subscriptions.lock({ id: found.subscriptionId })
  return (await store.invoices.find(id))!
}

async function findBegun(invoiceId: string, { store, now }: Services): Promise<Begun | undefined> {
  const note = await store.installation.find(noteOf(invoiceId))
  const begun = note === undefined ? undefined : (JSON.parse(note) as Begun)
  return begun && now().getTime() - begun.at < attemptKept ? begun : undefined
}

async function note(invoiceId: string, begun: Begun, { store }: Services) {
  await store.installation.put(noteOf(invoiceId), JSON.stringify(begun))
}

function noteOf(invoiceId: string) {
  return `refund ${invoiceId}`
}

export async function requireActive(id: string, services: Desk['services']) {
  const row = await requireProject(id, services)
  if (row.status !== 'active') throw new StartError(`${named(row)} is ${row.status}, not active.`)
  return row
}

export function named({ id, settings }: BillingRow) {
  return `The project ${[id, projectName(settings)].join(' ').trim()}`
}

function toMinorUnits(amount: string, currency: string) {
  const digits = digitsOf(currency)
  const form = digits === 0 ? /^\d{1,9}$/ : new RegExp(`^\\d{1,9}(\\.\\d{${digits}})?$`)
  if (!form.test(amount) || Number(amount) === 0)
    throw new StartError(`${amount} is no amount. Write it like ${(5).toFixed(digits)}.`)
  return minorUnits(Number(amount), currency)
}
