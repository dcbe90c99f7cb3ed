/** For tests of the sandbox, and of a product that uses it. */
export { aRecorder } from './a-recorder.ts'
export { aSandbox, day, hour, week } from './a-sandbox.ts'
export { validatingFetch } from './wire/validating-fetch.ts'
export { violationsOf } from './wire/violations.ts'
export type { CustomerShown, PaymentShown } from '../pages/control-overview.ts'
export { intentOf, subscriptionOf } from '../objects/invoice.ts'
export { isOver } from '../objects/subscription.ts'
export type * from '../objects/wire.ts'
