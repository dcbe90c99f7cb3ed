import type { EpochSeconds, PaymentState } from '#contract/entities.ts'
import { projectName } from '#contract/project-name.ts'
import type { JobPayloads } from '../core/jobs.ts'
import type { MailOrder } from '../mails/mails.ts'
import type { ProviderInvoice } from '../store/invoices.ts'
import type { Services } from '../core/services.ts'
import type { BillingRow } from '../store/billing.ts'

type Tools = Pick<Services, 'store' | 'jobs'>
type Order = Omit<Extract<MailOrder, { mail: 'projectCanceled' }>, 'mail'>

export async function mailPaymentFailed(
  row: BillingRow,
  payment: Exclude<PaymentState, 'ok'>,
  { store, jobs }: Tools,
) {
  const order = await toOwner(row, store)
  if (order)
    await jobs.add(
      'sendMail',
      payment === 'past_due'
        ? { mail: 'paymentFailed', ...order }
        : { mail: 'paymentWaits', ...order },
    )
}

/** There is no card to charge when the next week begins. */
export async function mailCardMissing(
  row: BillingRow,
  renews: EpochSeconds,
  { store, jobs }: Tools,
) {
  const order = await toOwner(row, store)
  if (order)
    await jobs.add('sendMail', {
      ...order,
      mail: 'cardMissing',
      values: { ...order.values, renews },
    })
}

export async function mailCanceled(
  row: BillingRow,
  because: 'asked' | 'unpaid',
  { store, jobs }: Tools,
) {
  const order = await toOwner(row, store)
  if (order)
    await jobs.add(
      'sendMail',
      because === 'asked'
        ? { mail: 'projectCanceled', ...order }
        : { mail: 'projectEndedUnpaid', ...order },
    )
}

/** To the billing address, if there is one. */
export async function mailReceipt(
  row: BillingRow,
  invoice: ProviderInvoice,
  services: Tools & Pick<Services, 'publicUrl'>,
) {
  const { store, jobs } = services
  const order = await toOwner(row, store)
  if (!order) return
  const { id, number, amount_paid: total, currency } = invoice
  const { hosted_invoice_url: url } = invoiceAddresses(
    { number, token: (await store.invoices.findToken(id))! },
    services,
  )
  const values = { ...order.values, number: number ?? '', total, currency, url }
  await jobs.add('sendMail', {
    ...order,
    mail: 'receipt',
    to: row.billingEmail ?? order.to,
    values,
  })
}

async function toOwner(row: BillingRow, store: Services['store']): Promise<Order | undefined> {
  const owner = row.ownerId === null ? undefined : await store.users.find(row.ownerId)
  if (!owner) return undefined
  const values = {
    name: owner.displayName,
    project: projectName(row.settings),
    subscriptionId: row.id,
  }
  return { to: owner.email, language: owner.language, values }
}

/** To both owners: which card stays, and when the new owner needs their own. */
export async function mailTransfer(
  { subscriptionId, from, to }: JobPayloads['mailTransfer'],
  { store, transaction }: Services,
) {
  const [row, former, owner] = await Promise.all([
    store.billing.find(subscriptionId),
    store.users.find(from),
    store.users.find(to),
  ])
  if (!row || !owner) return
  const others = await store.cards.listOfOthers(subscriptionId)
  const kept = others.find(({ addedBy }) => addedBy === from)
  const card = kept ? { brand: kept.brand, last4: kept.last4 } : null
  const renewsAt = row.providerSubscriptionId === null ? null : row.renewsAt
  const isPaid = renewsAt !== null
  const renews = renewsAt && Math.floor(renewsAt.getTime() / 1000)
  const values = { project: projectName(row.settings), subscriptionId, card }
  const received = { name: owner.displayName, formerOwner: former?.displayName ?? '', renews }
  await transaction(async ({ jobs }) => {
    await jobs.add('sendMail', {
      mail: 'ownershipReceived',
      to: owner.email,
      language: owner.language,
      values: { ...values, ...received },
    })
    if (!former) return
    await jobs.add('sendMail', {
      mail: 'ownershipGiven',
      to: former.email,
      language: former.language,
      values: { ...values, name: former.displayName, newOwner: owner.displayName, isPaid },
    })
  })
}

/** Where our server shows an invoice and its PDF. A draft has no number and no address. */
export function invoiceAddresses(
  { number, token }: { number: string | null; token: string },
  { publicUrl }: Pick<Services, 'publicUrl'>,
) {
  const page = number === null ? null : `${publicUrl}/invoices/${token}`
  return { hosted_invoice_url: page, invoice_pdf: page && `${page}.pdf` }
}
