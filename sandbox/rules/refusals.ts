/** The errors with which Stripe refuses requests, each with its source. */

import { expandLevels, openapi, type Sourced } from './limits.ts'

const seahaven = 'live call, 2026-08-26.dahlia, noted by the emulator seahaven-stripe'

/** The calls whose 404 for an unknown id in the path names another parameter than `id`. */
const missingNames: (Sourced & { calls: RegExp; parameter: string })[] = [
  { calls: /\/payment_methods\//, parameter: 'payment_method', source: seahaven },
  { calls: /\/subscription_schedules\//, parameter: 'schedule', source: openapi },
  { calls: /\/coupons\//, parameter: 'coupon', source: seahaven },
  { calls: /\/promotion_codes\//, parameter: 'promotion_code', source: seahaven },
  { calls: /^GET \/v1\/invoices\//, parameter: 'invoice', source: seahaven },
  { calls: /\/(payment|setup)_intents\//, parameter: 'intent', source: openapi },
]
/** The parameter that the 404 of a call such as `GET /v1/invoices/:id` names. */
export function missingName(call: string): string {
  return missingNames.find(({ calls }) => calls.test(call))?.parameter ?? 'id'
}
export const missingByParameter = {
  status: 400,
  source: `MarcinusX/flutter_stripe_demo#4; ${seahaven}`,
}

/** Refusals because of an object's state. Stripe's errors have only the codes that are here. */
export const refusals = {
  cardUsedBefore: {
    message:
      'The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, shared with a connected account without Customer attachment, or was detached from a Customer. It may not be used again. To use a PaymentMethod multiple times, you must attach it to a Customer first.',
    source:
      'Automattic/woocommerce-payments#323; https://docs.stripe.com/api/payment_methods/detach',
  },
  debitNotVerified: {
    message:
      'A us_bank_account PaymentMethod has to be verified by a SetupIntent or a PaymentIntent before it can be attached.',
    source: 'https://docs.stripe.com/payments/ach-direct-debit; the words are ours',
  },
  methodNotAllowed: {
    message: 'The payment method type {type} is not among the allowed ones: {allowed}.',
    source:
      'https://docs.stripe.com/api/subscriptions/create#create_subscription-payment_settings-payment_method_types; the words are ours',
  },
  cardOfAnother: {
    message: 'The payment method you provided has already been attached to a customer.',
    param: 'payment_method',
    source: 'the message: Guardian/support-service-lambdas; the parameter: emulators alone',
  },
  cardNotAttached: {
    message:
      'The customer does not have a payment method with the ID {id}. The payment method must be attached to the customer.',
    code: 'resource_missing',
    source: 'getlago/lago-api#3826',
  },
  notOpen: {
    message: "You can only pass in open invoices. This invoice isn't open.",
    source: seahaven,
  },
  paidNotVoided: { message: 'Invoices with `paid` payments cannot be voided.', source: seahaven },
  markedBefore: {
    message: 'This invoice has already been marked uncollectible.',
    source: seahaven,
  },
  alreadyPaid: { message: 'Invoice is already paid', source: seahaven },
  fractionOfStep: {
    message: 'Invalid amount: amounts in {currency} must be multiples of {step}.',
    source: 'https://docs.stripe.com/currencies#three-decimal; the words are ours',
  },
  otherCurrency: {
    message:
      'You cannot combine currencies on a single customer. This customer has an active subscription, subscription schedule, discount, quote, or invoice item with currency {currency}.',
    source:
      "live calls in public repositories; https://docs.stripe.com/invoicing/multi-currency-customers: Stripe allows it again once nothing is active, the sandbox doesn't",
  },
  mixedCurrencies: {
    message:
      'This `price` has `currency={currency}`, but other items use `currency={others}`. All items must have pricing in the same currency. When using multi-currency prices, you can specify `currency` at the top level, to be used by all items.',
    source: seahaven,
  },
  noUpcomingInvoice: {
    message: 'No upcoming invoices for customer: {customer}',
    code: 'invoice_upcoming_none',
    source: 'stripe/stripe-java#920; if it ends with its period: mozilla/fxa#19503',
  },
  mixedIntervals: {
    message: 'This sandbox bills all items of a subscription at the same interval.',
    param: 'items',
    source: 'https://docs.stripe.com/billing/subscriptions/mixed-interval; the words are ours',
  },
  cancelBySchedule: {
    message:
      'The subscription is managed by the subscription schedule `{schedule}`, and updating any cancelation behavior directly is not allowed. Please update the schedule instead.',
    source: 'laravel/cashier-stripe#1748; dust-tt/dust#32051',
  },
  secondSchedule: {
    message:
      'You cannot migrate a subscription that is already attached to a schedule: `{schedule}`.',
    param: 'from_subscription',
    source: 'the message: live calls in public repositories; the parameter: emulators alone',
  },
  endedSchedule: {
    message:
      'You cannot {action} a subscription schedule that is currently in the `{status}` status. It must be in one of the following statuses: `not_started`, `active`.',
    param: 'schedule',
    source: 'the first sentence: live calls in public repositories; the rest: emulators alone',
  },
  phaseWithoutStart: {
    message:
      'The subscription schedule update is missing at least one phase with a `start_date` to anchor end dates to.',
    source: 'YumaInaura/YumaInaura#2899',
  },
  phaseMoved: {
    message: 'You can not modify the start date of the current phase.',
    source: 'live calls in public repositories',
  },
  phaseEnded: {
    message: 'You can not update a phase that has already ended. Trying to update phase {index}.',
    source: 'live calls in public repositories',
  },
  phaseGap: {
    message:
      'The `end_date` of a phase must be after its `start_date`, and the next phase must begin then.',
    source:
      'https://docs.stripe.com/billing/subscriptions/subscription-schedules; the words are ours',
  },
  couponWithoutAmount: {
    message: 'Must provide percent_off or amount_off.',
    code: 'parameter_missing',
    source: seahaven,
  },
  couponWithBoth: {
    message: 'Received both percent_off and amount_off parameters. Please pass in only one.',
    source: seahaven,
  },
  couponWithoutCurrency: {
    message: 'You must pass currency when passing amount_off',
    param: 'currency',
    source: seahaven,
  },
  couponWithoutMonths: {
    message:
      'The duration_in_months param must be set when creating a coupon with a repeating duration',
    param: 'duration',
    source: seahaven,
  },
  couponPercentTooLow: {
    message: "This value must be greater than or equal to 0.01 (it currently is '{value}').",
    param: 'percent_off',
    source: seahaven,
  },
  couponPercentInCurrencies: {
    message: 'You may only specify one of these parameters: currency_options, percent_off.',
    param: 'currency_options',
    source: seahaven,
  },
  couponExists: {
    message: 'Coupon already exists.',
    code: 'resource_already_exists',
    source: seahaven,
  },
  inThePast: {
    message:
      'The parameter `{param}` expects a unix timestamp representing a date and time in the future. You specified the value `{value}` which is in the past.',
    source: seahaven,
  },
  inFarFuture: {
    message: 'Invalid timestamp: can be no more than five years in the future.',
    source: seahaven,
  },
  codeWithoutCoupon: {
    message: 'You must pass promotion.coupon when passing promotion',
    param: 'promotion.coupon',
    source: seahaven,
  },
  codeCharacters: {
    message:
      'This value must match the regex pattern. (/\\A[a-zA-Z0-9\\-_]+\\z/ does not match for the value {value}).',
    param: 'code',
    source: seahaven,
  },
  codeExists: {
    message: 'An active promotion code with `code: {value}` already exists.',
    source: seahaven,
  },
  couponExpired: {
    message: 'Coupon expired: {coupon}',
    code: 'coupon_expired',
    source:
      'the code: https://docs.stripe.com/error-codes#coupon-expired; the first two words: public repositories; the rest is ours',
  },
  couponUsedUp: {
    message: 'Coupon {coupon} is used up and cannot be applied.',
    source: 'public repositories',
  },
  codeInactive: {
    message: 'This promotion code cannot be redeemed because it is no longer active.',
    source: 'https://docs.stripe.com/api/promotion_codes/object; the words are ours',
  },
  codeOfAnother: {
    message: 'This promotion code cannot be redeemed because it is for another customer.',
    source: 'https://docs.stripe.com/api/promotion_codes/object; the words are ours',
  },
  codeBelowMinimum: {
    message:
      'This promotion code cannot be redeemed because the associated purchase does not meet the minimum amount requirement.',
    source: 'live calls in public repositories, 2026-07-07',
  },
  codeNotFirst: {
    message:
      'This promotion code cannot be redeemed because the associated customer has prior transactions.',
    code: 'promotion_code_customer_not_first_time',
    source: 'live calls in public repositories; stripe/stripe-node#2349: an unpaid invoice counts',
  },
  twoTrials: {
    message: 'You may only specify one of these parameters: trial_end, trial_period_days.',
    param: 'trial_period_days',
    source: 'the words that Stripe has for other parameters',
  },
  trialOfPaused: {
    message:
      'You cannot set `trial_end` while a subscription is `paused`. Resume the subscription first before setting `trial_end`.',
    param: 'trial_end',
    source: seahaven,
  },
  trialOfPhase: {
    message: 'This sandbox has only phases in the trial that their subscription has.',
    param: 'phases',
    source: 'the words are ours',
  },
  notPaused: {
    message: 'You can only resume a subscription if it is `paused`.',
    source: seahaven,
  },
  canceledSubscription: {
    message: 'A canceled subscription can only update its cancellation_details and metadata.',
    code: 'invalid_canceled_subscription_fields',
    source: `${seahaven}; fjordllc/bootcamp#10390`,
  },
  canceledSubscriptionTakes: {
    parameters: ['cancellation_details', 'expand', 'metadata'],
    source: seahaven,
  },
} satisfies Record<
  string,
  Sourced & { message?: string; code?: string; param?: string; parameters?: string[] }
>

/** Keys last a day, for one call with its parameters. Requests with one key run one at a time. */
export const idempotency = {
  longest: 255,
  hours: 24,
  otherParameters: {
    status: 400,
    message:
      "Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '{key}' if you meant to execute a different request.",
    source: 'stripe/stripe-ruby#503',
  },
  otherCall: {
    status: 400,
    message:
      "Keys for idempotent requests can only be used for the same endpoint they were first used for ('{path}' vs '{first}'). Try using a key other than '{key}' if you meant to execute a different request.",
    source: 'stripe/stripe-ruby#598',
  },
  source: 'https://docs.stripe.com/api/idempotent_requests',
}

/** Errors that Stripe can give to any request. */
export const faults = {
  401: {
    status: 401,
    message: 'Invalid API Key provided: sk_test_********************dbox',
    source: 'https://docs.stripe.com/keys',
  },
  expired: {
    status: 401,
    code: 'api_key_expired',
    message: 'Expired API Key provided: sk_test_********************dbox',
    source: 'stripe/stripe-cli#792',
  },
  403: {
    status: 403,
    message:
      "The provided key 'rk_test_********************dbox' does not have the required permissions for this endpoint on account 'acct_sandbox'. Having more permissions would allow this request to continue.",
    source: 'stripe/stripe-node#2246',
  },
  409: {
    status: 409,
    type: 'idempotency_error',
    code: 'idempotency_key_in_use',
    message:
      'There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through). Please try again later.',
    source: 'https://docs.stripe.com/error-codes#idempotency-key-in-use',
  },
  429: {
    status: 429,
    code: 'rate_limit',
    message:
      'Request rate limit exceeded. Learn more about rate limits here https://stripe.com/docs/rate-limits.',
    source: 'https://docs.stripe.com/rate-limits',
  },
  locked: {
    status: 429,
    code: 'lock_timeout',
    message:
      'This object cannot be accessed right now because another API request or Stripe process is currently accessing it. If you see this error intermittently, retry the request. If you see this error frequently and are making multiple concurrent requests to a single object, make your requests serially or at a lower rate.',
    source: 'dj-stripe/dj-stripe#1917; https://docs.stripe.com/rate-limits#object-lock-timeouts',
  },
  500: {
    status: 500,
    type: 'api_error',
    message: 'An unexpected error occurred.',
    source: 'https://docs.stripe.com/error-handling',
  },
} satisfies Record<
  string,
  Sourced & {
    status: number
    message: string
    type?: 'api_error' | 'idempotency_error'
    code?: string
  }
>

/** The types of Stripe's errors by HTTP status. */
export const errorTypes: Record<number, string[]> = {
  400: ['invalid_request_error', 'idempotency_error'],
  401: ['invalid_request_error'],
  402: ['card_error'],
  403: ['invalid_request_error'],
  404: ['invalid_request_error'],
  409: ['idempotency_error', 'invalid_request_error'],
  429: ['invalid_request_error'],
  500: ['api_error'],
}

/** Error codes that Stripe uses and the SDK's types lack. */
export const moreCodes: (Sourced & { code: string })[] = [
  { code: expandLevels.code, source: expandLevels.source },
  { code: 'promotion_code_customer_not_first_time', source: refusals.codeNotFirst.source },
  {
    code: 'subscription_payment_intent_requires_action',
    source: 'https://docs.stripe.com/billing/subscriptions/overview',
  },
]
