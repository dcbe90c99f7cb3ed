import { formatMoney } from '#contract/money.ts'
import { projectName } from '#contract/project-name.ts'
import { record } from '../activity/record.ts'
import { cancelProject } from '../billing/cancel.ts'
import { withBillingLease } from '../billing/lease.ts'
import { syncRefunds } from '../billing/sync.ts'
import { transferProject } from '../billing/transfer.ts'
import { newId } from '../platform/ids.ts'
import { StartError } from '../platform/start-error.ts'
import type { BillingRow } from '../store/billing.ts'
import { orSay, requirePerson, requireProject, type Answer, type Desk } from './command.ts'
import { money } from './project.ts'

const busy = 'Another change of its billing is under way. Try again in a minute.'
const unavailable = 'The payment provider does not answer. Nothing was changed. Try again later.'

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
    tooManyProjects: `${user.email} owns as many free projects as one person may.`,
  }
  await orSay(words, () =>
    withBillingLease(row.id, services, (lease) =>
      transferProject(lease, { newOwnerId: user.id, by: operator }, services),
    ),
  )
  return {
    said: `${user.email} owns ${named(row)} now. Both owners get a mail.`,
    id,
    owner: user.id,
  }
}

/** Gives back an amount of a paid invoice, like 5.00, or all that was paid. */
export async function refund(desk: Desk, invoiceId: string, wanted?: string): Promise<Answer> {
  const { services, operator } = desk
  const invoice = await services.store.invoices.find(invoiceId)
  if (!invoice)
    throw new StartError(`There is no invoice ${invoiceId}. The invoices of a project: project ID`)
  const { currency, subscriptionId } = invoice
  const left = invoice.amountPaid - invoice.amountRefunded
  if (left <= 0) throw new StartError(`Of the invoice ${invoiceId} nothing is left to give back.`)
  const amount = wanted === undefined ? left : toMinorUnits(wanted)
  if (amount > left)
    throw new StartError(`Of the invoice ${invoiceId} only ${formatMoney(left, currency)} is left.`)
  const refundId = await orSay({ paymentsUnavailable: unavailable }, () =>
    services.payments.refundInvoice({ id: invoiceId, amount, attempt: newId() }),
  )
  await services.transaction(async (services) => {
    const details = { amount: String(amount), currency, invoice: invoice.number ?? invoiceId }
    await record('paymentRefunded', { by: operator, in: subscriptionId, details }, services)
  })
  await syncRefunds({ objectType: 'refund', objectId: refundId }, services)
  return {
    said: `${formatMoney(amount, currency)} of the invoice ${invoiceId} goes back to the card.`,
    invoice: invoiceId,
    refund: refundId,
    ...money(amount, currency),
  }
}

async function requireActive(id: string, services: Desk['services']) {
  const row = await requireProject(id, services)
  if (row.status !== 'active') throw new StartError(`${named(row)} is ${row.status}, not active.`)
  return row
}

function named({ id, settings }: BillingRow) {
  return `The project ${[id, projectName(settings)].join(' ').trim()}`
}

function toMinorUnits(amount: string) {
  if (!/^\d{1,9}(\.\d\d)?$/.test(amount) || Number(amount) === 0)
    throw new StartError(`${amount} is no amount. Write it like 5.00.`)
  return Math.round(Number(amount) * 100)
}
