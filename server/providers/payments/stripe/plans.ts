import type Stripe from 'stripe'
import { isRefusal, Refusal } from '../../../platform/refusal.ts'
import type { Payments, ProviderSubscription, Unpaid } from '../payments.ts'
import { allOf, asked, found, idOf, once } from './asked.ts'
import { attachCard, ownCard } from './attach-card.ts'
import { closeInvoice, voidInvoice } from './close-invoice.ts'
import { listOpen } from './open-invoices.ts'
import type { Prices } from './prices.ts'
import { toPage } from './to-page.ts'
import { changedTo, expand, toPlan } from './to-plan.ts'
import { draftOf } from './uncharged-week.ts'

type Plans = Pick<
  Payments,
  | 'startPlan'
  | 'changePlan'
  | 'dropChange'
  | 'endPlan'
  | 'payInvoice'
  | 'findPlan'
  | 'findPlanOfCustomer'
  | 'listLivePlans'
>

export function plans(
  stripe: Stripe,
  prices: Prices,
  { tax, unpaid }: { tax: boolean; unpaid: Unpaid },
): Plans {
  const automatically = tax && { automatic_tax: { enabled: true } }

  async function findPlan(
    id: string,
    { mayOweMore = false } = {},
  ): Promise<ProviderSubscription | undefined> {
    const plan = await found(stripe.subscriptions.retrieve(id, { expand }))
    return plan && toPlan(stripe, plan, prices, { mayOweMore })
  }

  async function newestOf(customer: string) {
    const listed = await found(stripe.subscriptions.list({ customer, status: 'all', limit: 1 }))
    return listed?.data[0]
  }

  return {
    findPlan,

    async startPlan({ subscriptionId, customerId, priceId, paymentMethodId, attempt }) {
      const key = (step: string) => `${attempt}:${step}:${paymentMethodId}`
      const card = await attachCard(stripe, {
        customerId,
        cardId: paymentMethodId,
        key: key('attach'),
      })
      const params = {
        customer: customerId,
        default_payment_method: card,
        payment_behavior: 'allow_incomplete',
        payment_settings: {
          payment_method_types: ['card'],
          save_default_payment_method: 'on_subscription',
        },
        off_session: false,
        ...automatically,
        metadata: { subscriptionId },
        expand,
      } as const satisfies Stripe.SubscriptionCreateParams
      const plan = await prices.selling(priceId, (price) =>
        once({
          key: key(`plan:${price}`),
          send: (options) =>
            stripe.subscriptions.create({ ...params, items: [{ price }] }, options),
          begun: async () => {
            const newest = await newestOf(customerId)
            return newest?.ended_at === null
              ? stripe.subscriptions.retrieve(newest.id, { expand })
              : undefined
          },
        }),
      )
      return toPlan(stripe, plan, prices)
    },

    async changePlan({ planId, priceId, attempt, at }) {
      const plan = await asked(
        stripe.subscriptions.retrieve(planId, { expand: ['latest_invoice'] }),
      )
      const week = draftOf(plan)
      // What is given back of a week has been paid.
      if (week) await pay(stripe, week.id)
      const before = week && (await findPlan(planId))
      if (before && before.payment !== 'ok') return before
      const [item] = plan.items.data
      if (at !== undefined && at < item!.current_period_start) throw new Refusal('previewOutdated')
      // A pending update takes nothing but what is paid for: https://docs.stripe.com/billing/subscriptions/pending-updates-reference
      if (automatically && !plan.automatic_tax.enabled)
        await asked(
          stripe.subscriptions.update(planId, automatically, { idempotencyKey: `${attempt}:tax` }),
        )
      const params = {
        proration_behavior: 'always_invoice',
        payment_behavior: 'pending_if_incomplete',
        ...(at !== undefined && { proration_date: at }),
        expand,
      } as const satisfies Stripe.SubscriptionUpdateParams
      const changed = await prices.selling(priceId, (price) =>
        once({
          key: `${attempt}:change:${price}`,
          // Without its id a second item would be added.
          send: (options) =>
            stripe.subscriptions.update(
              planId,
              { ...params, items: [{ id: item!.id, price }] },
              options,
            ),
        }),
      )
      return toPlan(stripe, changed, prices)
    },

    async dropChange(planId) {
      const plan = await asked(stripe.subscriptions.retrieve(planId))
      const invoice = idOf(plan.latest_invoice)
      if (plan.pending_update && invoice) await voidInvoice(stripe, invoice)
    },

    async endPlan(planId, plan) {
      const present = await found(
        stripe.subscriptions.retrieve(planId, { expand: ['latest_invoice'] }),
      )
      if (!present) return undefined
      const credited = plan !== undefined && !draftOf(present)
      // Another may have ended it meanwhile.
      if (present.ended_at === null)
        await found(
          stripe.subscriptions.cancel(planId, {
            prorate: credited,
            invoice_now: credited,
            ...(plan !== undefined && { cancellation_details: { comment: changedTo(plan) } }),
          }),
        )
      for await (const invoice of allOf(
        stripe.invoices.list({ subscription: planId, status: 'draft' }),
      )) {
        // A week that began between the question and the answer is paid with what was given back of it.
        if (credited) await pay(stripe, invoice.id)
        else await closeInvoice(stripe, invoice, unpaid)
      }
      for await (const invoice of allOf(
        stripe.invoices.list({ subscription: planId, status: 'open' }),
      ))
        await closeInvoice(stripe, invoice, unpaid)
      return findPlan(planId)
    },

    async payInvoice(planId, cardId) {
      const plan = await asked(
        stripe.subscriptions.retrieve(planId, { expand: ['latest_invoice'] }),
      )
      const card = cardId && (await ownCard(stripe, { customerId: idOf(plan.customer)!, cardId }))
      for (const { id } of await listOpen(stripe, planId))
        if (!(await pay(stripe, id, card))) return
      // One that could not be finalized is still a draft.
      const draft = draftOf(plan)
      if (draft?.last_finalization_error) await pay(stripe, draft.id, card)
    },

    async findPlanOfCustomer(customerId) {
      const newest = await newestOf(customerId)
      return newest && findPlan(newest.id)
    },

    async *listLivePlans(part) {
      const expanded = expand.map((path) => `data.${path}`)
      for await (const found of allOf(
        stripe.subscriptions.list({ ...toPage(part), expand: expanded }),
      )) {
        const plan = await toPlan(stripe, found, prices)
        // Those whose first payment never came are listed for good.
        if (plan.state !== 'ended') yield plan
      }
    },
  }
}

/** Whether it is paid now. That the buyer has to be asked first is no refusal: the plan then says what the browser needs for it. */
async function pay(stripe: Stripe, invoice: string, card?: string) {
  try {
    const { status } = await asked(
      stripe.invoices.pay(invoice, { off_session: false, ...(card && { payment_method: card }) }),
    )
    return status === 'paid'
  } catch (error) {
    if (
      error instanceof Refusal &&
      error.details['declineCode'] === 'invoice_payment_intent_requires_action'
    )
      return false
    if (isRefusal(error, 'notOverdue') && (await isFinished(stripe, invoice))) return true
    throw error
  }
}

/** The provider tries by itself, too, and may have come first. */
async function isFinished(stripe: Stripe, id: string) {
  const { status } = await asked(stripe.invoices.retrieve(id))
  return status === 'paid' || status === 'void'
}
