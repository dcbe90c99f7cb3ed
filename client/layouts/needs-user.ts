import { isAdmin } from '#contract/access.ts'
import type { PaymentState, Subscription, SubscriptionWithPeople } from '#contract/entities.ts'

type Known = Subscription & Pick<SubscriptionWithPeople, 'is_shut'>

/** What is wrong with the payment, if this user may see the billing. */
export function missingPayment(
  project: Subscription,
  uid: string,
): Exclude<PaymentState, 'ok'> | undefined {
  const { payment, status } = project
  if (payment === 'ok' || status !== 'active' || !isAdmin(project, uid)) return undefined
  return payment
}

/** Whether the project waits for this user: for a payment, or for their second step. */
export function needsUser(project: Known, uid: string) {
  return project.is_shut === true || missingPayment(project, uid) !== undefined
}
