/** Helpers for tests of the sandbox, and for tests of products that use the sandbox. */
export { aRecorder } from './a-recorder.ts'
export { aSandbox, day, hour, week } from './a-sandbox.ts'
export { validatingFetch } from './wire/validating-fetch.ts'
export { violationsOf } from './wire/violations.ts'
export type { CustomerShown, PaymentShown } from '../pages/control-overview.ts'
export { intentOf, subscriptionOf } from '../objects/invoice.ts'
export { isOver } from '../objects/subscription.ts'
export type * from '../objects/wire.ts'
