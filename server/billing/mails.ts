import { adminPermissions } from '#contract/access.ts'
import { projectName } from '#contract/project-name.ts'
import { isOperator, type Requester } from '../activity/record.ts'
import { mailNotice } from '../core/notices.ts'
import type { CoreMailOrder, Unpaid } from '../mails/mails.ts'
import { countMail } from '../core/mailboxes.ts'
import type { Services } from '../core/services.ts'
import type { SubscriptionId } from '../platform/ids.ts'
import { seconds } from '../platform/time.ts'
import type { BillingRow } from '../store/billing.ts'
import type { ProviderInvoice } from '../store/invoices.ts'
import type { User } from '../store/users.ts'

type Tools = Pick<Services, 'store' | 'jobs' | 'successLimits' | 'keyedHash'>

type OfProject = ReturnType<typeof orderTo>['values']
type MailsToOwner = {
  [Order in CoreMailOrder as Order['values'] extends OfProject ? Order['mail'] : never]: Omit<
    Order['values'],
    keyof OfProject
  >
}

/** Adds a mail to the owner, with its `values` beside those that all mails about a project have. */
export async function mailOwner<Mail extends keyof MailsToOwner>(
  row: BillingRow,
  mail: Mail,
  values: MailsToOwner[Mail],
  services: Tools,
) {
  const order = await orderFor(row, services)
  if (!order) return
  const whole = { ...order, mail, values: { ...order.values, ...values } }
  await services.jobs.add('sendMail', whole as CoreMailOrder)
}

/** Adds the job that tells of a failed try to charge. Several at once are told of in one mail. */
export async function addUnpaid(
  subscriptionId: SubscriptionId,
  tried: Date,
  { jobs }: Pick<Services, 'jobs'>,
) {
  const payload = { subscriptionId, tried: seconds(tried) }
  await jobs.add('tellUnpaid', payload, { key: `unpaid ${subscriptionId}` })
}

/** Tells the owner and the administrators of a payment that failed. Only the owner learns the card. */
export async function mailUnpaid(row: BillingRow, unpaid: Unpaid, services: Tools) {
  const { store, jobs } = services
  const order = await orderFor(row, services)
  const mail = row.payment === 'past_due' ? 'paymentFailed' : 'paymentWaits'
  if (order) {
    const values = { ...order.values, ...unpaid, card: cardWords(unpaid.card) }
    await jobs.add('sendMail', { ...order, mail, values })
  }
  for (const admin of await store.users.listHolders(row.id, adminPermissions)) {
    if (admin.id === row.ownerId || !admin.claimed) continue
    const told = orderTo(admin, row)
    const owner = order?.values.name ?? ''
    const values = { ...told.values, ...unpaid, card: null, owner }
    await jobs.add('sendMail', { ...told, mail: 'projectUnpaid', values })
  }
}

/** Mails a receipt to the billing e-mail address, or to the owner if there is none. */
export async function mailReceipt(
  row: BillingRow,
  { id, number, amount_paid: total, currency }: ProviderInvoice,
  services: Tools & Pick<Services, 'publicUrl'>,
) {
  const [order, token] = await Promise.all([
    orderFor(row, services),
    services.store.invoices.findToken(id),
  ])
  if (!order) return
  const { hosted_invoice_url: url } = invoiceAddresses({ number, token: token! }, services)
  const { planId: plan } = row
  const values = { ...order.values, number: number ?? '', total, currency, url, plan }
  const to = row.billingEmail ?? order.to
  await services.jobs.add('sendMail', { ...order, mail: 'receipt', to, values })
}

/** Tells the administrators that the project is canceled. The owner gets another mail. */
export async function mailAdmins(row: BillingRow, by: Requester | undefined, services: Services) {
  const person = by && !isOperator(by) ? by : undefined
  const admins = await services.store.users.listHolders(row.id, adminPermissions)
  await Promise.all(
    admins
      .filter(({ id }) => id !== row.ownerId)
      .map(({ id: to }) => mailNotice('projectEnded', { to, by: person, in: row.id }, services)),
  )
}

/**
 * What all mails to the owner have in common. Undefined if the owner has no account any more, and if
 * the address may be another person's, whose mailbox had too many mails today.
 */
async function orderFor(row: BillingRow, services: Tools) {
  const owner = row.ownerId === null ? undefined : await services.store.users.find(row.ownerId)
  if (!owner) return undefined
  const isFull = !owner.claimed && (await countMail(owner.email, owner.id, services))
  return isFull ? undefined : orderTo(owner, row)
}

export function orderTo({ email: to, language, displayName: name }: User, row: BillingRow) {
  const values = { name, project: projectName(row.settings), subscriptionId: row.id }
  return { to, language, values }
}

/** What a mail says of a card. */
export function cardWords(card: Unpaid['card']): Unpaid['card'] {
  return card && { brand: card.brand, last4: card.last4 }
}

/** The URLs of an invoice and its PDF on our server; null for a draft, which has no number. */
export function invoiceAddresses(
  { number, token }: { number: string | null; token: string },
  { publicUrl }: Pick<Services, 'publicUrl'>,
) {
  const page = number === null ? null : `${publicUrl}/invoices/${token}`
  return { hosted_invoice_url: page, invoice_pdf: page && `${page}.pdf` }
}
