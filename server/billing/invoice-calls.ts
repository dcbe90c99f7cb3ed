import { nextCharge } from '#contract/next-charge.ts'
import { changedFields, record } from '../activity/record.ts'
import type { Handlers } from '../core/services.ts'
import { Refusal } from '../platform/refusal.ts'
import { chargesOf } from '../store/charges.ts'
import { removeCardsOfOthers } from './cards.ts'
import { contactOf, withCustomer } from './customer.ts'
import { invoiceAddresses } from './mails.ts'
import { charge } from './purchase.ts'
import { recoverLater, syncProviderSubscription } from './sync.ts'
import { isTransferring } from './transfer-state.ts'

const noDetails = {
  name: '',
  phone: '',
  address: { line1: '', city: '', state: '', postal_code: '', country: '' },
  tax_id: null,
  credit: 0,
}

/** The text that was given, null for an empty one; the former text if none was given. */
function textOr(given: string | null | undefined, former: string | null) {
  return given === undefined ? former : given || null
}

export const invoiceCalls = {
  async listInvoices({ input, subscription }, services) {
    const { invoices, total } = await services.store.invoices.list(subscription.id, input)
    return {
      invoices: invoices.map(({ token, ...invoice }) => ({
        ...invoice,
        ...invoiceAddresses({ ...invoice, token }, services),
      })),
      total,
    }
  },

  async payInvoice({ input: { paymentMethodId }, lease, user }, services) {
    const { providerSubscriptionId: id } = (await services.store.billing.find(
      lease.subscriptionId,
    ))!
    const before = id && (await syncProviderSubscription(id, services))
    if (!before || (before.payment === 'ok' && !before.isTrialOver)) throw new Refusal('notOverdue')
    if (before.isTrialOver && !before.hasCard && paymentMethodId === undefined)
      throw new Refusal('paymentMethodRequired')
    if (before.clientSecret !== undefined && paymentMethodId === undefined)
      return { clientSecret: before.clientSecret }
    // If the payment is interrupted, this job finds out whether it was made.
    await recoverLater(before.subscriptionId, services)
    const outcome = await charge(lease, user, services, async () => {
      // A card that pays becomes the default. A declined card changes nothing.
      await services.payments.payInvoice(before.id, paymentMethodId)
      return before.id
    })
    if (outcome.clientSecret === undefined) await removeCardsOfOthers(lease, user, services)
    return outcome
  },

  async getBillingDetails({ subscription: { id } }, services) {
    const { payments, transaction } = services
    // On one connection, they share a round trip.
    const [row, isMoving, isRefused] = await transaction((services) =>
      Promise.all([
        services.store.billing.find(id),
        isTransferring(id, services),
        services.store.refusedMails.isPayerRefused(id),
      ]),
    )
    const { customerId, providerSubscriptionId, billingEmail, receipts } = row!
    const known = {
      billing_email: billingEmail,
      receipts,
      purchase_order: row!.purchaseOrder,
      invoice_footer: row!.invoiceFooter,
      ...(isRefused && { billing_email_refused: true as const }),
    }
    // During a transfer, the provider still has the former owner's details.
    if (customerId === null || isMoving) return { ...noDetails, ...known }
    const [details, next] = await Promise.all([
      payments.findBillingDetails(customerId),
      providerSubscriptionId && nextCharge(chargesOf(row!)) !== undefined
        ? payments.previewNext(providerSubscriptionId)
        : undefined,
    ])
    return {
      ...(details ?? noDetails),
      ...known,
      ...(next && { next: { due: next.due, credit_used: next.creditUsed } }),
    }
  },

  async updateBillingDetails({ input, lease, user }, services) {
    const { payments, store } = services
    const { subscriptionId: id } = lease
    const { subscriptionId: _, ...given } = input
    const { name, phone, address, tax_id: taxId } = given
    const row = (await store.billing.find(id))!
    const kept = {
      billingEmail: given.billing_email === undefined ? row.billingEmail : given.billing_email,
      purchaseOrder: textOr(given.purchase_order, row.purchaseOrder),
      invoiceFooter: textOr(given.invoice_footer, row.invoiceFooter),
      receipts: given.receipts ?? row.receipts,
    }
    const contact = await contactOf({ ...row, ...kept }, services)
    const fields = await withCustomer(lease, services, async (customerId) => {
      const before = {
        ...(await payments.findBillingDetails(customerId)),
        billing_email: row.billingEmail,
        purchase_order: row.purchaseOrder,
        invoice_footer: row.invoiceFooter,
        receipts: row.receipts,
      }
      if (taxId !== undefined) await payments.setTaxId(customerId, taxId)
      await payments
        .updateCustomer(customerId, { name, phone, address, ...contact })
        .catch(async (error: unknown) => {
          // A user who reads that nothing was saved finds the former tax id.
          if (taxId !== undefined) await payments.setTaxId(customerId, before.tax_id ?? null)
          throw error
        })
      return changedFields(before, given)
    })
    await services.transaction(async (services) => {
      const entry = { by: user, in: id, details: { fields } }
      await Promise.all([
        services.store.billing.update(id, kept),
        fields.length > 0 && record('billingDetailsChanged', entry, services),
      ])
    })
    return {}
  },
} satisfies Partial<Handlers>
