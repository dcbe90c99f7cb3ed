import type { Billing } from '../../contract/plan.ts'

export { daysOf } from '../../config/billing.ts'

export const billing: Billing = {
  cancel: 'now',
  smallerPlan: 'now',
  refundUnused: false,
  promotionCodes: false,
}
