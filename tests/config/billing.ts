export { daysOf } from '../../config/billing.ts'
