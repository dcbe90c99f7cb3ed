import type { BillingInfo } from '#contract/entities.ts'
import type { CurrentUser } from '../handle.ts'
import type { Services } from '../services.ts'
import { charge } from './charge.ts'
import { contactOf, customerOf } from './customer.ts'
import type { KnownPlan } from './offered-plan.ts'

type Purchase = { subscriptionId: string; plan: KnownPlan; billingInfo: BillingInfo; attempt: string; user: CurrentUser }

/** Buys a plan for a project that has none. Its row is there already, for the reconcile job to find. Meant for whoever has the turn. */
export async function buyPlan({ subscriptionId, plan, billingInfo, attempt, user }: Purchase, services: Services) {
  const { payments, store } = services
  return charge({ subscriptionId, user }, services, async () => {
    const row = (await store.billing.find(subscriptionId))!
    const customerId = await customerOf(row, services)
    await payments.setCustomer(customerId, { ...billingInfo.billingDetails, ...(await contactOf(row, services)) })
    const { paymentMethodId, tax_id: taxId } = billingInfo
    if (taxId) await payments.setTaxId(customerId, taxId)
    const { id } = await payments.startPlan({ subscriptionId, customerId, priceId: plan.priceIds[0]!, paymentMethodId, attempt })
    return id
  })
}
