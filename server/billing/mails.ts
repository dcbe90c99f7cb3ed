import { adminPermissions } from '#contract/access.ts'
import type { ChosenKind, NoticeKind } from '#contract/notices.ts'
import { projectName } from '#contract/project-name.ts'
import { isOperator, type Requester } from '../activity/record.ts'
import { tell } from '../core/notices.ts'
import type { CoreMailOrder, Unpaid } from '../mails/mails.ts'
import { countMail } from '../core/mailboxes.ts'
import type { Services } from '../core/services.ts'
import type { SubscriptionId } from '../platform/ids.ts'
import { seconds } from '../platform/time.ts'
import type { BillingRow } from '../store/billing.ts'
import type { ProviderInvoice } from '../store/invoices.ts'

type OfProject = ReturnType<typeof ofProject>
type ToOwner = {
  [
    Order in CoreMailOrder as Order['mail'] extends Exclude<NoticeKind, ChosenKind>
      ? Order['values'] extends OfProject
        ? Order['mail']
        : never
      : never
  ]: Omit<Order['values'], keyof OfProject | 'name'>
}

/** Tells the owner, with `values` beside those that all notices about a project have. */
export async function tellOwner<Kind extends keyof ToOwner>(
  row: BillingRow,
  kind: Kind,
  values: ToOwner[Kind],
  services: Services,
) {
  const owner = await ownerOf(row, services)
  const whole = { ...ofProject(row), ...values } as Parameters<typeof tell<Kind>>[2]
  if (owner) await tell(owner, kind, whole, services)
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
export async function tellOfUnpaid(row: BillingRow, unpaid: Unpaid, services: Services) {
  const owner = await ownerOf(row, services)
  const kind = row.payment === 'past_due' ? 'paymentFailed' : 'paymentWaits'
  const values = { ...ofProject(row), ...unpaid }
  if (owner) await tell(owner, kind, { ...values, card: cardWords(unpaid.card) }, services)
  const withoutCard = { ...values, card: null, owner: owner?.displayName ?? '' }
  for (const admin of await services.store.users.listHolders(row.id, adminPermissions))
    if (admin.id !== row.ownerId && admin.claimed)
      await tell(admin, 'projectUnpaid', withoutCard, services)
}

/** Mails a receipt to the billing e-mail address, or to the owner if there is none. */
export async function tellOfReceipt(
  row: BillingRow,
  { id, number, amount_paid: total, currency }: ProviderInvoice,
  services: Services,
) {
  const [owner, invoice] = await Promise.all([
    ownerOf(row, services),
    services.store.invoices.find(id),
  ])
  if (!owner) return
  const { token } = invoice!
  const { hosted_invoice_url: url } = invoiceAddresses({ number, token }, services)
  const { planId: plan } = row
  const values = { ...ofProject(row), number: number ?? '', total, currency, url, plan }
  const email = row.billingEmail ?? owner.email
  await tell({ ...owner, email }, 'receipt', values, services)
}

/** Tells the administrators that the project is canceled. The owner is told otherwise. */
export async function tellAdmins(row: BillingRow, by: Requester | undefined, services: Services) {
  const person = by && !isOperator(by) ? by : undefined
  const admins = await services.store.users.listHolders(row.id, adminPermissions)
  await Promise.all(
    admins
      .filter(({ id }) => id !== row.ownerId)
      .map((admin) =>
        tell(admin, 'projectEnded', { by: person, subscriptionId: row.id }, services),
      ),
  )
}

/**
 * The owner, who may be told. Undefined if they have no account any more, and if the address may be
 * another person's, whose mailbox had too many mails today.
 */
async function ownerOf(row: BillingRow, services: Services) {
  const owner = row.ownerId === null ? undefined : await services.store.users.find(row.ownerId)
  if (!owner) return undefined
  const isFull = !owner.claimed && (await countMail(owner.email, owner.id, services))
  return isFull ? undefined : owner
}

export function ofProject({ id: subscriptionId, settings }: BillingRow) {
  return { project: projectName(settings), subscriptionId }
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
