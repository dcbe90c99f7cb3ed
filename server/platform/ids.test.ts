import { expectTypeOf, test } from 'vitest'
import type { PlanId } from '#config/plans.ts'
import { finishTransfer } from '../billing/transfer.ts'
import type { Services } from '../core/services.ts'
import type { Payments } from '../providers/payments/payments.ts'
import type { Store } from '../store/store.ts'
import type { CustomerId, ProviderSubscriptionId, SubscriptionId } from './ids.ts'

test('the compiler refuses an id of one kind where an id of another kind is expected', () => {
  expectTypeOf(mixUps).toBeFunction()
})

/** Never called. The compiler must refuse every line of the list. */
function mixUps(
  services: Services,
  payments: Payments,
  { billing }: Store,
  subscriptionId: SubscriptionId,
  id: ProviderSubscriptionId,
  customerId: CustomerId,
  planId: PlanId,
) {
  return [
    // @ts-expect-error
    payments.findProviderSubscription(subscriptionId),
    // @ts-expect-error
    payments.findProviderSubscription(planId),
    // @ts-expect-error
    payments.findProviderSubscription('a string'),
    // @ts-expect-error
    payments.endProviderSubscription(id, id),
    // @ts-expect-error
    payments.listCards(id),
    // @ts-expect-error
    billing.find(id),
    // @ts-expect-error
    billing.find(customerId),
    // @ts-expect-error
    billing.update(subscriptionId, { planId: id }),
    // @ts-expect-error
    finishTransfer({ subscriptionId, by: 'a server', until: new Date() }, services),
  ]
}
