import Stripe from 'stripe'
import { Refusal } from '../../../refusal.ts'
import type { Payments, PlanAtProvider, Unpaid } from '../payments.ts'
import { asked, found, idOf } from './asked.ts'
import { toPage } from './to-page.ts'
import type { Prices } from './prices.ts'
import { changedTo, expand, toPlan } from './to-plan.ts'
import { unchargedWeek } from './uncharged-week.ts'

type Plans = Pick<
  Payments,
  'startPlan' | 'changePlan' | 'dropChange' | 'endPlan' | 'payInvoice' | 'findPlan' | 'findPlanOfCustomer' | 'listLivePlans'
>

export function plans(stripe: Stripe, prices: Prices, { tax, unpaid }: { tax: boolean; unpaid: Unpaid }): Plans {
  const automatically = tax && { automatic_tax: { enabled: true } }

  async function findPlan(id: string): Promise<PlanAtProvider | undefined> {
    const plan = await found(stripe.subscriptions.retrieve(id, { expand }))
    return plan && toPlan(stripe, plan, prices)
  }

  return {
    findPlan,

    async startPlan({ subscriptionId, customerId, priceId, paymentMethodId, attempt }) {
      const key = (step: string) => ({ idempotencyKey: `${attempt}:${step}:${paymentMethodId}` })
      const card = await asked(stripe.paymentMethods.attach(paymentMethodId, { customer: customerId }, key('attach')))
      await asked(stripe.customers.update(customerId, { invoice_settings: { default_payment_method: card.id } }, key('default')))
      const plan = await asked(
        stripe.subscriptions.create(
          {
            customer: customerId,
            items: [{ price: await prices.idOf(priceId) }],
            default_payment_method: card.id,
            payment_behavior: 'allow_incomplete',
            payment_settings: { save_default_payment_method: 'on_subscription' },
            off_session: false,
            ...automatically,
            metadata: { subscriptionId },
            expand,
          },
          key('plan'),
        ),
      )
      return toPlan(stripe, plan, prices)
    },

    async changePlan({ planId, priceId, attempt }) {
      const week = await unchargedWeek(stripe, planId)
      // What is given back of a week has been paid.
      if (week) await pay(stripe, week.id)
      const before = week && (await findPlan(planId))
      if (before && before.payment !== 'ok') return before
      const plan = await asked(stripe.subscriptions.retrieve(planId))
      // A pending update takes nothing but what is paid for: https://docs.stripe.com/billing/subscriptions/pending-updates-reference
      if (automatically && !plan.automatic_tax.enabled)
        await asked(stripe.subscriptions.update(planId, automatically, { idempotencyKey: `${attempt}:tax` }))
      const changed = await asked(
        stripe.subscriptions.update(
          planId,
          {
            // Without its id a second item would be added.
            items: [{ id: plan.items.data[0]!.id, price: await prices.idOf(priceId) }],
            proration_behavior: 'always_invoice',
            payment_behavior: 'pending_if_incomplete',
            expand,
          },
          { idempotencyKey: `${attempt}:change` },
        ),
      )
      return toPlan(stripe, changed, prices)
    },

    async dropChange(planId) {
      const plan = await asked(stripe.subscriptions.retrieve(planId))
      const invoice = idOf(plan.latest_invoice)
      if (plan.pending_update && invoice) await unlessFinished(stripe.invoices.voidInvoice(invoice))
    },

    async endPlan(planId, plan) {
      const credited = plan !== undefined && !(await unchargedWeek(stripe, planId))
      await found(
        stripe.subscriptions.cancel(planId, {
          prorate: credited,
          invoice_now: credited,
          ...(plan !== undefined && { cancellation_details: { comment: changedTo(plan) } }),
        }),
      )
      // A week that began between the question and the answer is paid with what was given back of it.
      for await (const { id } of stripe.invoices.list({ subscription: planId, status: 'draft' }))
        await (credited ? pay(stripe, id) : holdBack(stripe, id))
      for await (const invoice of stripe.invoices.list({ subscription: planId, status: 'open' }))
        await closeInvoice(stripe, invoice, unpaid)
      return findPlan(planId)
    },

    async payInvoice(planId) {
      const plan = await asked(stripe.subscriptions.retrieve(planId))
      const invoice = idOf(plan.latest_invoice)
      if (invoice) await pay(stripe, invoice)
    },

    async findPlanOfCustomer(customerId) {
      const found = await asked(stripe.subscriptions.list({ customer: customerId, status: 'all', limit: 1 }))
      const [plan] = found.data
      return plan && findPlan(plan.id)
    },

    async *listLivePlans(part) {
      const expanded = expand.map((path) => `data.${path}`)
      for await (const found of stripe.subscriptions.list({ ...toPage(part), expand: expanded })) {
        const plan = await toPlan(stripe, found, prices)
        // Those whose first payment never came are listed for good.
        if (plan.state !== 'ended') yield plan
      }
    },
  }
}

/** That the buyer has to be asked first is no refusal: the plan then says what the browser needs for it. */
async function pay(stripe: Stripe, invoice: string) {
  try {
    await asked(stripe.invoices.pay(invoice, { off_session: false }))
  } catch (error) {
    if (error instanceof Refusal && error.details['declineCode'] === 'invoice_payment_intent_requires_action') return
    if (error instanceof Stripe.errors.StripeInvalidRequestError && (await isFinished(stripe, invoice))) return
    throw error
  }
}

/** The provider tries by itself, too, and may have come first. */
async function isFinished(stripe: Stripe, id: string) {
  const { status } = await asked(stripe.invoices.retrieve(id))
  return status === 'paid' || status === 'void'
}

/** Canceling stops what is final alone: a draft would become final later, and be charged. One that is final by now is among those. */
async function holdBack(stripe: Stripe, draft: string) {
  await unlessFinished(stripe.invoices.update(draft, { auto_advance: false }))
}

/** Of a plan that has ended. What was made for a purchase or a change that came to nothing was never owed. */
async function closeInvoice(stripe: Stripe, { id, billing_reason }: Stripe.Invoice, unpaid: Unpaid) {
  const wasOwed = billing_reason !== 'subscription_create' && billing_reason !== 'subscription_update'
  await unlessFinished(wasOwed && unpaid === 'uncollectible' ? stripe.invoices.markUncollectible(id) : stripe.invoices.voidInvoice(id))
}

/** An invoice that was paid or voided meanwhile stays so. */
async function unlessFinished(change: Promise<Stripe.Invoice>) {
  try {
    await found(change)
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
  }
}
