/** The kinds of entries in the activity log, by area. */
export const activityKinds = {
  project: ['projectCreated', 'settingsChanged', 'projectCanceled', 'ownershipTransferred'],
  billing: [
    'planChanged',
    'cardAdded',
    'cardRemoved',
    'defaultCardChanged',
    'billingDetailsChanged',
    'paymentMade',
    'paymentFailed',
    'paymentRefunded',
  ],
  people: [
    'inviteSent',
    'inviteResent',
    'inviteLinkCreated',
    'inviteRevoked',
    'inviteKept',
    'inviteRejected',
    'memberJoined',
    'memberLeft',
    'memberRemoved',
    'permissionsChanged',
  ],
  account: [
    'signedIn',
    'signInFailed',
    'nameChanged',
    'emailChanged',
    'passwordChanged',
    'providerLinked',
    'providerUnlinked',
    'accountDisabled',
    'accountEnabled',
    'signInUnlocked',
    'sessionsEnded',
    'passwordResetSent',
  ],
} as const

/** What operators do that is about no project and no account. No screen shows it. */
export const operatorKinds = ['accountDeleted', 'workRetried', 'workDropped'] as const

type ActivityArea = keyof typeof activityKinds
export type ActivityKind = (typeof activityKinds)[ActivityArea][number]

export type RecordedKind = ActivityKind | (typeof operatorKinds)[number]

export const activityAreas = Object.keys(activityKinds) as [ActivityArea, ...ActivityArea[]]
