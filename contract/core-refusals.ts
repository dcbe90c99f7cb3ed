import {
  aborted,
  denied,
  exhausted,
  exists,
  invalid,
  notFound,
  precondition,
  refusalOf,
} from './rows.ts'

const unauthenticated = refusalOf('unauthenticated')
const unavailable = refusalOf('unavailable')

/** Reasons of which the app loads the texts after the sign-in, or with a screen for anybody. */
export const notForVisitors = {
  // what the caller may do
  noSubscriptionId: invalid('No subscription ID provided'),
  subscriptionNotFound: notFound('Subscription not found'),
  accessDenied: denied('Access denied'),
  subscriptionCanceled: precondition('This subscription has been canceled'),
  /** `details.from`: since when. With `newOwner`, that person has to have a factor, not the caller. */
  factorRequired: precondition('The project asks for a session that has passed a second step.'),
  lookOnly: precondition('Members may only look at this subscription until it is paid for'),
  emailNotVerified: precondition('Verify your e-mail address first.'),
  claimRequired: precondition(
    'Open the link in the mail to your address while you are signed in to the account.',
  ),

  // invitations and others
  alreadyMember: exists('This user is already a member of this project'),
  seatsFull: exhausted('Every seat of the plan is taken.'),
  inviteNotFound: notFound('There is no such invitation any more.'),
  inviteNotPending: precondition('This invitation has been accepted, rejected or revoked already.'),
  inviteExpired: precondition('This invitation has expired.'),

  joinRefused: denied('Whoever was removed from the project needs an invitation.'),
  joinRequestNotFound: notFound('There is no such request any more.'),

  idempotencyKeyReused: invalid('This Idempotency-Key was used with another request.'),
  exportInProgress: exhausted('The account has another download in progress.', 'passing'),

  emailUnchanged: precondition('The account has this e-mail address already.'),

  // accounts and standing
  'auth/invalid-action-code': precondition(
    'This link is not valid: it was used, has ended, or never existed.',
  ),
  'auth/expired-action-code': precondition('This link has expired.'),
  'auth/requires-recent-login': precondition('Sign in again before doing this.'),
  'auth/operation-not-allowed': precondition('Verify the present e-mail address first.'),
  'auth/multi-factor-auth-required': precondition('The account asks for a second step.'),
  'auth/resolver-expired': precondition(
    'This sign-in was begun too long ago, in another browser, or has ended already.',
  ),
  'auth/invalid-verification-code': denied('The code is wrong, too old, or was used before.'),
  'auth/passkey-not-accepted': denied('What the browser says about the passkey does not hold.'),
  'auth/passkey-not-found': notFound('No account here has this passkey.'),
  'auth/passkey-already-added': exists('An account here has this passkey already.'),
  'auth/factor-not-found': notFound('There is no such factor of yours.'),
  'auth/enrollment-expired': precondition(
    'This was begun too long ago, in another session, or has ended already.',
  ),
  'auth/second-step-off': precondition('The account has no second step.'),
  'auth/factor-not-offered': precondition('This kind of factor is not offered here.'),
  'auth/too-many-factors': exhausted('The account has no room for another factor.'),
  'auth/wrong-password': denied('The password is wrong.'),
  alreadyVerified: precondition('The e-mail address is verified already.'),
  'auth/no-such-provider': notFound('This account is not linked to such a provider.'),
  'auth/last-credential': precondition(
    'This is the only way to sign in to the account. Set a password first.',
  ),
  'auth/credential-already-in-use': exists(
    'This account at the provider is linked to another account here.',
  ),
  'auth/provider-already-linked': exists(
    'Another account at this provider is linked to the account here.',
  ),
  'auth/user-mismatch': denied(
    'This account at the provider is not linked to the account that is signed in.',
  ),
  confirmationMismatch: invalid('User ID does not match. Please try again.'),
  ownsActiveProjects: precondition(
    'The account owns active projects. Transfer or cancel them first.',
  ),
  notCanceled: precondition('Only a canceled project can be hidden.'),
  tokenNotAllowed: denied('An access token, or this one, may not do this.'),
  tooManyAccessTokens: exhausted('The person or the project has no room for another access token.'),
  accessTokenNotFound: notFound('There is no such access token of yours or of your project.'),
  sessionNotFound: notFound('There is no such session of yours.'),
  adminOnly: denied('Only an administrator of the project can perform this action'),
  ownerOnly: denied('Only the subscription owner can perform this action'),
  billingBusy: aborted(
    'Another change to the billing of this project is being worked on. Try again shortly.',
    'passing',
  ),

  // projects and members
  planNotFound: notFound('Plan not found'),
  planNotAvailable: precondition('This plan is no longer offered.'),
  priceNotSold: precondition('The plan is not sold for this interval or in this currency.'),
  /** `details.currency`: that of the project's first payment. */
  currencyFixed: precondition("The project's first payment has fixed its currency."),
  tooManyProjects: exhausted('Nobody may own more free projects at a time.'),
  permissionRequired: denied('This needs a permission of the project'),
  unknownPermission: invalid('There is no permission of this name.'),
  alreadyInvited: exists('This email already has a pending invite'),
  inviteeBusy: exhausted(
    'The mailbox has had too many mails today. A link to the invitation can be copied.',
    'passing',
  ),
  inviteeMoved: precondition(
    'The account with this e-mail address has another one now. Invite that one.',
  ),
  userNotFound: notFound('There is no such member of the project.'),
  ownerUntouchable: precondition(
    'The owner always holds these permissions and cannot be removed. Transfer the ownership first.',
  ),
  ownerCannotLeave: precondition(
    'The owner cannot leave the project. Transfer the ownership or cancel it first.',
  ),
  permissionsChanged: aborted(
    'Somebody else has changed the permissions of this member meanwhile.',
  ),
  /** `details`: the settings as they are now, `by` whose name or null, and `at` when they changed. */
  settingsChanged: aborted('Somebody else has changed the settings meanwhile.'),

  secondFactorNotRequired: precondition('The project asks nobody for a second factor.'),

  // money
  billingInfoRequired: invalid('A paid plan needs billing details and a payment method.'),
  billingInfoNotWanted: invalid(
    'Only a change from a free plan to a paid one takes billing details.',
  ),
  addressIncomplete: invalid('Please fill in all required address fields'),
  subscriptionIdMismatch: invalid('The typed text is not the id of the subscription.'),
  paymentMethodRequired: invalid('This needs a payment method.'),
  trialUsed: precondition('The person, the project or the card has had its trial.'),
  samePlan: precondition('The project is on this plan already.'),
  /** `details`: what the plan has no more room for, as `limit`, and how `most` it allows. */
  limitReached: exhausted('The plan allows no more of this.'),
  /** `details.feature`: what the plan does not include. */
  notInPlan: precondition('The plan does not include this.'),
  /** `details.beyond`: each `limit` with what is `used` and how `most` the plan allows. */
  planTooSmall: precondition('The project uses more than the plan allows.'),
  tooManyMembers: precondition('More people are in the project than the plan has seats for.'),
  notOffered: precondition('This is not offered for that time.'),
  nothingToUndo: precondition('There is nothing of the owner to take back.'),
  planChangeNotPaid: precondition('The last payment is overdue. Pay it before changing the plan.'),
  notOverdue: precondition('There is nothing to pay.'),
  defaultPaymentMethod: precondition(
    'The plan is paid with this card. Make another one the default first.',
  ),
  promotionUnknown: notFound('There is no such promotion code.'),
  promotionEnded: precondition('The promotion code has ended.'),
  /** `details.currency`: the currency that is paid. */
  promotionOtherCurrency: precondition('The promotion code takes nothing off in this currency.'),
  promotionUsed: precondition('This person has used the promotion code before.'),
  promotionNotForThis: precondition('The promotion code is not for this purchase.'),
  promotionNotForChange: invalid('Only a purchase of a paid plan takes a promotion code.'),
  taxIdInvalid: invalid('This is not a tax id of its kind.'),
  taxLocationInvalid: invalid('The tax for this billing address cannot be worked out.'),
  notEligibleOwner: precondition(
    'Only an active administrator of the project other than the owner can become its owner.',
  ),
  ownershipNotOffered: precondition('Nobody offers the project to this person, or not any more.'),
  paymentIncomplete: precondition('The payment has not been completed yet.'),
  cardDeclined: precondition('The card was declined.'),
  paymentMethodNotFound: invalid('There is no such payment method, or it has been used elsewhere.'),
  planNotForSale: precondition('The payment provider has no price for this plan at the moment.'),
  previewOutdated: precondition('The amounts have changed since they were shown.'),
  emailRefused: invalid('The payment provider does not accept the e-mail address.'),
  phoneRefused: invalid('The payment provider does not accept the phone number.'),
  addressRefused: invalid('The payment provider does not accept the address.'),
  customerNotFound: precondition('The payment provider knows nothing of the project any more.'),
  paymentRejected: precondition('The payment provider did not accept this.'),
  paymentsUnavailable: unavailable(
    'The payment provider cannot be reached. Whether it was done shows within minutes.',
    'passing',
  ),
}

export const refusals = {
  // the call itself
  unknownCall: notFound('There is no call of this name.'),
  badRequest: invalid('Bad Request'),
  bodyTooLarge: invalid('The request body is too large.'),
  invalidInput: invalid('Some fields are missing, unknown or malformed.'),
  nameNotAllowed: invalid('A name cannot hold a web address or characters that nobody sees.'),
  nameOfProduct: invalid("A person's name cannot contain the product's name."),
  callInProgress: aborted(
    'The same request is still being worked on. Try again shortly.',
    'passing',
  ),
  timeout: refusalOf('deadline-exceeded')('The call took too long.', 'passing'),
  internal: refusalOf('internal')('Something went wrong on our side.', 'passing'),
  unavailable: unavailable(
    'The server is stopping, has too much to do, or cannot reach its database. Try again shortly.',
    'passing',
  ),

  // identity
  notSignedIn: unauthenticated('User not authenticated'),
  sessionEnded: unauthenticated('The session has ended. Sign in again.'),
  'auth/invalid-credential': unauthenticated('The e-mail address or the password is wrong.'),
  'auth/email-already-in-use': exists('An account with this e-mail address exists.'),
  'auth/invalid-email': invalid('This is not an e-mail address.'),
  'auth/password-does-not-meet-requirements': invalid(
    'The password does not meet the requirements.',
  ),
  'auth/too-many-requests': exhausted(
    'Too many attempts. Wait a while before trying again.',
    'passing',
  ),
  'auth/user-disabled': denied('This account is disabled.'),
  'auth/unknown-provider': notFound('There is no such provider to sign in with here.'),
  'auth/provider-failed': unavailable(
    'The provider could not be reached, or what it answered does not hold.',
  ),
  'auth/expired-provider-flow': precondition(
    'This was begun too long ago, in another browser, or has ended already.',
  ),
  'auth/user-cancelled': denied('The provider was told not to go on.'),
  'auth/provider-without-email': precondition('The provider gave no e-mail address.'),
  'auth/provider-email-invalid': precondition(
    'The provider gave an e-mail address that is not accepted.',
  ),
  'auth/account-exists-with-different-credential': exists(
    'An account with this address exists, and the provider has not verified that it belongs to the same person.',
  ),
  ...notForVisitors,
}

export type CoreReason = keyof typeof refusals

/** What the answers of the payment provider become. Every call that asks it may be refused so. */
export const fromProvider = [
  'cardDeclined',
  'paymentMethodNotFound',
  'paymentsUnavailable',
  'taxIdInvalid',
  'taxLocationInvalid',
  'planNotForSale',
  'customerNotFound',
  'promotionNotForThis',
  'emailRefused',
  'phoneRefused',
  'addressRefused',
  'billingBusy',
  'notOverdue',
  'paymentRejected',
] as const satisfies CoreReason[]
