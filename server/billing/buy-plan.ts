import type { BillingInfo } from '#contract/entities.ts'
import type { CurrentUser } from '../core/handle.ts'
import { isRefusal, Refusal } from '../platform/refusal.ts'
import type { Services } from '../core/services.ts'
import { charge } from './charge.ts'
import { contactOf, withCustomer } from './customer.ts'
import type { KnownPlan } from './offered-plan.ts'
import { dropCard } from './tried-card.ts'

type Purchase = {
  subscriptionId: string
  plan: KnownPlan
  billingInfo: BillingInfo
  attempt: string
  user: CurrentUser
}

/** Buys a plan for a project that has none. Its row is there already, for the reconcile job to find. The caller has the turn. */
export async function buyPlan(
  { subscriptionId, plan, billingInfo, attempt, user }: Purchase,
  services: Services,
) {
  const { payments, store } = services
  const { billingDetails, paymentMethodId, tax_id: taxId } = billingInfo
  return charge({ subscriptionId, user }, services, async () => {
    const row = (await store.billing.find(subscriptionId))!
    const contact = await contactOf(row, services)
    return withCustomer(row, services, async (customerId) => {
      await payments.setCustomer(customerId, { ...billingDetails, ...contact })
      if (taxId) await payments.setTaxId(customerId, taxId)
      try {
        const { id } = await payments.startPlan({
          subscriptionId,
          customerId,
          priceId: plan.priceIds[0]!,
          paymentMethodId,
          attempt,
        })
        return id
      } catch (error) {
        if (error instanceof Refusal && !isRefusal(error, 'paymentsUnavailable'))
          await dropCard({ customerId, cardId: paymentMethodId }, services)
        throw error
      }
    })
  })
}
