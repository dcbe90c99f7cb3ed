import type { CardProblem } from '../rules/errors.ts'

export type TestCard = {
  brand: string
  funding?: 'credit' | 'debit' | 'prepaid'
  /** A text for the pages that says what happens when the card is used. */
  does: string
  /** The reason with which the bank declines attaching and charging the card. */
  declines?: CardProblem
  /** The reason with which the bank declines charging the card. */
  failsCharges?: CardProblem
  /** Whether the bank rejects refunds to the card. */
  failsRefunds?: true
  /** Whether the bank asks for 3-D Secure until the cardholder passed it, or at every payment. */
  authenticates?: 'once' | 'always'
}

function declined(decline_code: string, message = 'Your card was declined.'): CardProblem {
  return { code: 'card_declined', decline_code, message }
}

function refused(code: string, message: string): CardProblem {
  return { code, decline_code: code, message }
}

/** The declines that the control page can force on charges to any card. */
export const declines = {
  generic_decline: declined('generic_decline'),
  insufficient_funds: declined('insufficient_funds', 'Your card has insufficient funds.'),
  expired_card: refused('expired_card', 'Your card has expired.'),
  processing_error: refused(
    'processing_error',
    'An error occurred while processing your card. Try again in a little bit.',
  ),
} satisfies Record<string, CardProblem>
export const notATestCard = declined(
  'test_mode_live_card',
  'Your card was declined. Your request was in test mode, but used a non test card.',
)

const visa = (does: string, more: Partial<TestCard> = {}): TestCard => ({
  brand: 'visa',
  does,
  ...more,
})

export const testCards: Record<string, TestCard> = {
  '4242424242424242': visa('Pays'),
  '4000056655665556': { brand: 'visa', funding: 'debit', does: 'Pays (debit card)' },
  '5555555555554444': { brand: 'mastercard', does: 'Pays' },
  '5200828282828210': { brand: 'mastercard', funding: 'debit', does: 'Pays (debit card)' },
  '5105105105105100': { brand: 'mastercard', funding: 'prepaid', does: 'Pays' },
  '378282246310005': { brand: 'amex', does: 'Pays' },
  '6011111111111117': { brand: 'discover', does: 'Pays' },
  '3056930009020004': { brand: 'diners', does: 'Pays' },
  '3566002020360505': { brand: 'jcb', does: 'Pays' },
  '6200000000000005': { brand: 'unionpay', does: 'Pays' },
  '4000000000000002': visa('Is declined', { declines: declines.generic_decline }),
  '4000000000009995': visa('Is declined: insufficient funds', {
    declines: declines.insufficient_funds,
  }),
  '4000000000009987': visa('Is declined', { declines: declined('lost_card') }),
  '4000000000009979': visa('Is declined', { declines: declined('stolen_card') }),
  '4000000000006975': visa('Is declined', {
    declines: declined(
      'card_velocity_exceeded',
      'Your card was declined for making repeated attempts too frequently or exceeding its amount limit.',
    ),
  }),
  '4000000000000069': visa('Is declined: expired', { declines: declines.expired_card }),
  '4000000000000127': visa('Is declined: wrong security code', {
    declines: refused('incorrect_cvc', "Your card's security code is incorrect."),
  }),
  '4000000000000119': visa('Is declined: processing error', {
    declines: declines.processing_error,
  }),
  '4000000000000341': visa('Can be saved; every charge is declined', {
    failsCharges: declines.generic_decline,
  }),
  '4000000000005126': visa('Pays; a refund to it fails', { failsRefunds: true }),
  '4000002500003155': visa('Asks for 3-D Secure the first time, then pays', {
    authenticates: 'once',
  }),
  '4000002760003184': visa('Asks for 3-D Secure every time', { authenticates: 'always' }),
  '4000008260003178': visa('Asks for 3-D Secure every time, then has insufficient funds', {
    authenticates: 'always',
    failsCharges: declines.insufficient_funds,
  }),
  '4000000000003220': visa('Asks for 3-D Secure every time', { authenticates: 'always' }),
  '4000008400001629': visa('Asks for 3-D Secure every time, then is declined', {
    authenticates: 'always',
    failsCharges: declines.generic_decline,
  }),
  '4000000000003055': visa('Pays'),
}

/** Stripe's test ids (https://docs.stripe.com/testing) and the cards that they stand for. */
export const testIds: Record<string, string> = {
  pm_card_visa: '4242424242424242',
  pm_card_visa_debit: '4000056655665556',
  pm_card_mastercard: '5555555555554444',
  pm_card_mastercard_debit: '5200828282828210',
  pm_card_mastercard_prepaid: '5105105105105100',
  pm_card_amex: '378282246310005',
  pm_card_amex_threeDSecureNotSupported: '378282246310005',
  pm_card_discover: '6011111111111117',
  pm_card_diners: '3056930009020004',
  pm_card_jcb: '3566002020360505',
  pm_card_unionpay: '6200000000000005',
  pm_card_us: '4242424242424242',
  pm_card_chargeDeclined: '4000000000000002',
  pm_card_visa_chargeDeclined: '4000000000000002',
  pm_card_chargeDeclinedInsufficientFunds: '4000000000009995',
  pm_card_visa_chargeDeclinedInsufficientFunds: '4000000000009995',
  pm_card_visa_chargeDeclinedLostCard: '4000000000009987',
  pm_card_visa_chargeDeclinedStolenCard: '4000000000009979',
  pm_card_visa_chargeDeclinedVelocityLimitExceeded: '4000000000006975',
  pm_card_chargeDeclinedExpiredCard: '4000000000000069',
  pm_card_chargeDeclinedIncorrectCvc: '4000000000000127',
  pm_card_chargeDeclinedProcessingError: '4000000000000119',
  pm_card_chargeCustomerFail: '4000000000000341',
  pm_card_refundFail: '4000000000005126',
  pm_card_authenticationRequiredOnSetup: '4000002500003155',
  pm_card_authenticationRequired: '4000002760003184',
  pm_card_authenticationRequiredChargeDeclinedInsufficientFunds: '4000008260003178',
  pm_card_threeDSecureOptional: '4000000000003055',
  pm_card_threeDSecure2Required: '4000000000003220',
  pm_card_threeDSecureRequiredChargeDeclined: '4000008400001629',
}
