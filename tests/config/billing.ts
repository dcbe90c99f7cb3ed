export { daysOf } from '../../config/billing.ts'

export const billing = { cancel: 'now', smallerPlan: 'now', refundUnused: false } as const
