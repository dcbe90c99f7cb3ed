import type { Address, Invoice } from '#contract/entities.ts'
import Stripe from 'stripe'
import * as z from 'zod/mini'
import { Refusal } from '../../refusal.ts'
import type { Payments, PlanAtProvider } from './payments.ts'

type Options = { secretKey: string; webhookSecret: string; fetch?: typeof fetch | undefined }

const expand = ['latest_invoice.confirmation_secret', 'latest_invoice.payments.data.payment.payment_intent']

/** Payments through Stripe's own SDK. With another `fetch` the same requests reach a stand-in instead. */
export function openStripePayments({ secretKey, webhookSecret, fetch }: Options): Payments {
  const stripe = new Stripe(secretKey, {
    maxNetworkRetries: 2,
    timeout: 20_000,
    ...(fetch && { httpClient: Stripe.createFetchHttpClient(fetch) }),
  })

  return {
    async addCustomer({ subscriptionId, email, billingDetails: { name, phone, address } }) {
      const customer = await asked(
        stripe.customers.create(
          { email, name, phone, address: toStripe(address), metadata: { subscriptionId } },
          { idempotencyKey: `${subscriptionId}:customer` },
        ),
      )
      return customer.id
    },

    async startPlan({ subscriptionId, priceId, paymentMethodId, customerId }) {
      const key = (step: string) => ({ idempotencyKey: `${subscriptionId}:${step}:${paymentMethodId}` })
      const card = await asked(stripe.paymentMethods.attach(paymentMethodId, { customer: customerId }, key('attach')))
      await asked(stripe.customers.update(customerId, { invoice_settings: { default_payment_method: card.id } }, key('default')))
      const plan = await asked(
        stripe.subscriptions.create(
          {
            customer: customerId,
            items: [{ price: priceId }],
            default_payment_method: card.id,
            payment_behavior: 'allow_incomplete',
            payment_settings: { save_default_payment_method: 'on_subscription' },
            off_session: false,
            metadata: { subscriptionId },
            expand,
          },
          key('plan'),
        ),
      )
      return toPlan(plan)
    },

    async findPlan(id) {
      const plan = await found(stripe.subscriptions.retrieve(id, { expand }))
      return plan && toPlan(plan)
    },

    async findPlanOfCustomer(customerId) {
      const plans = await asked(stripe.subscriptions.list({ customer: customerId, status: 'all', limit: 1 }))
      const [plan] = plans.data
      return plan && this.findPlan(plan.id)
    },

    async abandon({ customerId, planId }) {
      if (planId) await found(stripe.subscriptions.cancel(planId, { prorate: false, invoice_now: false }))
      await found(stripe.customers.del(customerId))
    },

    async findInvoice(id) {
      const invoice = await found(stripe.invoices.retrieve(id))
      if (!invoice) return undefined
      return { invoice: toInvoice(invoice), planId: idOf(invoice.parent?.subscription_details?.subscription) }
    },

    readEvent(body, signature) {
      try {
        return toEvent(stripe.webhooks.constructEvent(body, signature, webhookSecret))
      } catch (error) {
        if (error instanceof Stripe.errors.StripeSignatureVerificationError || error instanceof SyntaxError) return undefined
        throw error
      }
    },
  }
}

/** The provider's answer, or its error as a refusal where it has a meaning to the caller. */
async function asked<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer
  } catch (error) {
    throw toRefusal(error) ?? error
  }
}

async function found<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked(answer)
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing') return undefined
    throw error
  }
}

function toRefusal(error: unknown) {
  if (error instanceof Stripe.errors.StripeCardError)
    return new Refusal('cardDeclined', { declineCode: error.decline_code ?? error.code ?? 'generic_decline' })
  if (error instanceof Stripe.errors.StripeConnectionError || error instanceof Stripe.errors.StripeRateLimitError)
    return new Refusal('paymentsUnavailable')
  if (error instanceof Stripe.errors.StripeAPIError) return new Refusal('paymentsUnavailable')
  if (error instanceof Stripe.errors.StripeInvalidRequestError && error.param === 'payment_method')
    return new Refusal('paymentMethodNotFound')
  return undefined
}

function toPlan(plan: Stripe.Subscription): PlanAtProvider {
  const invoice = typeof plan.latest_invoice === 'object' && plan.latest_invoice ? plan.latest_invoice : undefined
  const state = stateOf(plan.status)
  const intent = invoice && intentOf(invoice)
  const declined = state === 'unpaid' && intent?.status === 'requires_payment_method'
  return {
    id: plan.id,
    subscriptionId: plan.metadata['subscriptionId'] ?? '',
    customerId: idOf(plan.customer)!,
    state,
    payment:
      plan.status === 'past_due' || plan.status === 'unpaid'
        ? intent?.status === 'requires_action'
          ? 'action_required'
          : 'past_due'
        : 'ok',
    invoice: invoice && toInvoice(invoice),
    declineCode: declined ? declineCodeOf(intent) : undefined,
    clientSecret: state === 'unpaid' && !declined ? invoice?.confirmation_secret?.client_secret : undefined,
  }
}

/** Nothing where the body is signed and still no event: our own tools sign, too. */
function toEvent(event: unknown) {
  const { success, data } = eventShape.safeParse(event)
  if (!success) return undefined
  const {
    id,
    type,
    data: { object },
  } = data
  return { id, type, objectType: object.object, objectId: object.id ?? '' }
}

const storable = z.string().check(z.maxLength(255), z.regex(/^[^\0]*$/))
const eventShape = z.object({
  id: storable,
  type: storable,
  data: z.object({ object: z.object({ id: z.optional(storable), object: storable }) }),
})

function stateOf(status: Stripe.Subscription.Status): PlanAtProvider['state'] {
  if (status === 'incomplete') return 'unpaid'
  return status === 'canceled' || status === 'incomplete_expired' ? 'ended' : 'active'
}

function intentOf(invoice: Stripe.Invoice) {
  const intent = invoice.payments?.data[0]?.payment.payment_intent
  return typeof intent === 'object' ? intent : undefined
}

function declineCodeOf({ last_payment_error: error }: Stripe.PaymentIntent) {
  if (error?.code === 'payment_intent_authentication_failure') return 'authentication_required'
  return error?.decline_code ?? error?.code ?? 'generic_decline'
}

function toInvoice(invoice: Stripe.Invoice): Invoice {
  return {
    id: invoice.id,
    number: invoice.number,
    created: invoice.created,
    total: invoice.total,
    currency: invoice.currency,
    status: (invoice.status as Invoice['status'] | null) ?? 'draft',
    hosted_invoice_url: invoice.hosted_invoice_url ?? null,
  }
}

function toStripe({ line2, ...address }: Address): Stripe.AddressParam {
  return { ...address, ...(line2 && { line2 }) }
}

function idOf(reference: string | { id: string } | null | undefined) {
  return typeof reference === 'string' ? reference : reference?.id
}
