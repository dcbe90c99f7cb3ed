/** The callable protocol's statuses that a refusal may have, with their HTTP status. */
export const httpStatus = {
  'invalid-argument': 400,
  'failed-precondition': 400,
  unauthenticated: 401,
  'permission-denied': 403,
  'not-found': 404,
  'already-exists': 409,
  aborted: 409,
  'resource-exhausted': 429,
  internal: 500,
  unavailable: 503,
  'deadline-exceeded': 504,
} as const

export type RefusalStatus = keyof typeof httpStatus

type Refusals = Record<string, readonly [RefusalStatus, string]>

/** Of calls that nobody makes before they are signed in: what the app says of them comes with the rest of their words. */
export const ofSignedIn = {
  // projects and members
  planNotFound: ['not-found', 'Plan not found'],
  planNotAvailable: ['failed-precondition', 'This plan is no longer offered.'],
  tooManyProjects: ['resource-exhausted', 'Nobody may own more free projects at a time.'],
  unknownPermission: ['invalid-argument', 'There is no permission of this name.'],
  alreadyInvited: ['already-exists', 'This email already has a pending invite'],
  inviteeBusy: [
    'resource-exhausted',
    'The address has had too many invitations today from people its owner does not know.',
  ],
  userNotFound: ['not-found', 'There is no such member of the project.'],
  ownerUntouchable: [
    'failed-precondition',
    'The owner always holds these permissions and cannot be removed. Transfer the ownership first.',
  ],
  ownerCannotLeave: [
    'failed-precondition',
    'The owner cannot leave the project. Transfer the ownership or cancel it first.',
  ],
  permissionsChanged: [
    'aborted',
    'Somebody else has changed the permissions of this member meanwhile.',
  ],

  // money
  billingInfoRequired: [
    'invalid-argument',
    'A paid plan needs billing details and a payment method.',
  ],
  billingInfoNotWanted: [
    'invalid-argument',
    'Only a change from a free plan to a paid one takes billing details.',
  ],
  addressIncomplete: ['invalid-argument', 'Please fill in all required address fields'],
  subscriptionIdMismatch: ['invalid-argument', 'The typed text is not the id of the subscription.'],
  samePlan: ['failed-precondition', 'The project is on this plan already.'],
  tooManyMembers: [
    'failed-precondition',
    'More people are in the project than the plan has seats for.',
  ],
  planChangeNotPaid: [
    'failed-precondition',
    'The last payment is overdue. Pay it before changing the plan.',
  ],
  notOverdue: ['failed-precondition', 'There is nothing to pay.'],
  defaultPaymentMethod: [
    'failed-precondition',
    'The plan is paid with this card. Make another one the default first.',
  ],
  taxIdInvalid: ['invalid-argument', 'This is not a tax id of its kind.'],
  taxLocationInvalid: [
    'invalid-argument',
    'The tax for this billing address cannot be worked out.',
  ],
  notEligibleOwner: [
    'failed-precondition',
    'Only an active administrator of the project other than the owner can become its owner.',
  ],
  paymentIncomplete: ['failed-precondition', 'The payment has not been completed yet.'],
  cardDeclined: ['failed-precondition', 'The card was declined.'],
  paymentMethodNotFound: [
    'invalid-argument',
    'There is no such payment method, or it has been used elsewhere.',
  ],
  planNotForSale: [
    'failed-precondition',
    'The payment provider has no price for this plan at the moment.',
  ],
  previewOutdated: ['failed-precondition', 'The amounts have changed since they were shown.'],
  emailRefused: ['invalid-argument', 'The payment provider does not accept the e-mail address.'],
  phoneRefused: ['invalid-argument', 'The payment provider does not accept the phone number.'],
  addressRefused: ['invalid-argument', 'The payment provider does not accept the address.'],
  customerNotFound: [
    'failed-precondition',
    'The payment provider knows nothing of the project any more.',
  ],
  paymentRejected: ['failed-precondition', 'The payment provider did not accept this.'],
  paymentsUnavailable: [
    'unavailable',
    'The payment provider cannot be reached. Whether it was done shows within minutes.',
  ],
} as const satisfies Refusals

/**
 * Every reason a call can be refused for: its status, and what it says to a developer. The app shows `errors.<reason>` from
 * locales/ instead, in the reader's language.
 */
export const refusals = {
  // the call itself
  unknownCall: ['not-found', 'There is no call of this name.'],
  badRequest: ['invalid-argument', 'Bad Request'],
  bodyTooLarge: ['invalid-argument', 'The request body is too large.'],
  invalidInput: ['invalid-argument', 'Some fields are missing, unknown or malformed.'],
  nameNotAllowed: [
    'invalid-argument',
    'A name cannot hold a web address or characters that nobody sees.',
  ],
  noSubscriptionId: ['invalid-argument', 'No subscription ID provided'],
  idempotencyKeyReused: ['invalid-argument', 'This Idempotency-Key was used with another request.'],
  callInProgress: ['aborted', 'The same request is still being worked on. Try again shortly.'],
  timeout: ['deadline-exceeded', 'The call took too long.'],
  internal: ['internal', 'Something went wrong on our side.'],
  unavailable: [
    'unavailable',
    'The server is stopping, has too much to do, or cannot reach its database. Try again shortly.',
  ],

  // identity
  notSignedIn: ['unauthenticated', 'User not authenticated'],
  sessionEnded: ['unauthenticated', 'The session has ended. Sign in again.'],
  'auth/invalid-credential': ['unauthenticated', 'The e-mail address or the password is wrong.'],
  'auth/email-already-in-use': ['already-exists', 'An account with this e-mail address exists.'],
  'auth/invalid-email': ['invalid-argument', 'This is not an e-mail address.'],
  'auth/password-does-not-meet-requirements': [
    'invalid-argument',
    'The password does not meet the requirements.',
  ],
  'auth/too-many-requests': [
    'resource-exhausted',
    'Too many attempts. Wait a while before trying again.',
  ],
  'auth/user-disabled': ['permission-denied', 'This account is disabled.'],
  'auth/invalid-action-code': [
    'failed-precondition',
    'This link is not valid: it was used, replaced by a newer one, or never existed.',
  ],
  'auth/expired-action-code': ['failed-precondition', 'This link has expired.'],
  'auth/requires-recent-login': ['failed-precondition', 'Sign in again before doing this.'],
  'auth/operation-not-allowed': ['failed-precondition', 'Verify the present e-mail address first.'],
  'auth/wrong-password': ['permission-denied', 'The password is wrong.'],
  'auth/no-such-provider': ['not-found', 'This account is not linked to such a provider.'],
  'auth/last-credential': [
    'failed-precondition',
    'This is the only way to sign in to the account. Set a password first.',
  ],
  'auth/unknown-provider': ['not-found', 'There is no such provider to sign in with here.'],
  'auth/provider-failed': [
    'unavailable',
    'The provider could not be reached, or what it answered does not hold.',
  ],
  'auth/expired-provider-flow': [
    'failed-precondition',
    'This was begun too long ago, in another browser, or has ended already.',
  ],
  'auth/user-cancelled': ['permission-denied', 'The provider was told not to go on.'],
  'auth/provider-without-email': ['failed-precondition', 'The provider gave no e-mail address.'],
  'auth/account-exists-with-different-credential': [
    'already-exists',
    'An account with this address exists, and the provider has not verified that it belongs to the same person.',
  ],
  'auth/credential-already-in-use': [
    'already-exists',
    'This account at the provider is linked to another account here.',
  ],
  'auth/provider-already-linked': [
    'already-exists',
    'Another account at this provider is linked to the account here.',
  ],
  'auth/user-mismatch': [
    'permission-denied',
    'This account at the provider is not linked to the account that is signed in.',
  ],
  confirmationMismatch: ['invalid-argument', 'User ID does not match. Please try again.'],
  ownsActiveProjects: [
    'failed-precondition',
    'The account owns active projects. Transfer or cancel them first.',
  ],
  sessionNotFound: ['not-found', 'There is no such session of yours.'],
  alreadyVerified: ['failed-precondition', 'The e-mail address is verified already.'],

  // standing
  subscriptionNotFound: ['not-found', 'Subscription not found'],
  accessDenied: ['permission-denied', 'Access denied'],
  adminOnly: ['permission-denied', 'Only an administrator of the project can perform this action'],
  ownerOnly: ['permission-denied', 'Only the subscription owner can perform this action'],
  subscriptionCanceled: ['failed-precondition', 'This subscription has been canceled'],
  emailNotVerified: ['failed-precondition', 'Verify your e-mail address first.'],

  // invitations, and what anybody may run into
  alreadyMember: ['already-exists', 'This user is already a member of this project'],
  seatsFull: ['resource-exhausted', 'Every seat of the plan is taken.'],
  inviteNotFound: ['not-found', 'There is no such invitation any more.'],
  inviteNotPending: [
    'failed-precondition',
    'This invitation has been accepted, rejected or revoked already.',
  ],
  inviteExpired: ['failed-precondition', 'This invitation has expired.'],
  billingBusy: [
    'aborted',
    'Another change to the billing of this project is being worked on. Try again shortly.',
  ],
  ...ofSignedIn,
} as const satisfies Refusals

export type Reason = keyof typeof refusals

/** What `auth/password-does-not-meet-requirements` says under `details.requirement`. */
export type PasswordRequirement = 'length' | 'common' | 'address' | 'product'

/** What a refused call answers under `error`. */
export type RefusalBody = {
  /** The protocol's spelling: `ALREADY_EXISTS`. */
  status: string
  message: string
  details?: { reason: Reason } & Record<string, unknown>
}
