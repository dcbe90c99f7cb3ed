import type { EpochSeconds, PaymentState } from '#contract/entities.ts'
import { projectName } from '#contract/project-name.ts'
import type { MailOrder } from '../mails/mails.ts'
import type { ProviderInvoice } from '../store/invoices.ts'
import type { Services } from '../core/services.ts'
import type { BillingRow } from '../store/billing.ts'
import { invoiceAddresses } from './invoice-addresses.ts'

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

/** Nobody can be charged when the next week begins. */
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

/** Goes to the address for receipts, where there is one. */
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
