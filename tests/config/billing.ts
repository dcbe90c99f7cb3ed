export { daysOf } from '../../config/billing.ts'

export const billing = { cancel: 'now', smallerPlan: 'now' } as const
