/** The kinds of entries in the activity log, by area. */
export const activityKinds = {
  project: ['projectCreated', 'settingsChanged', 'projectCanceled', 'ownershipTransferred'],
  billing: [
    'planChanged',
    'cardAdded',
    'cardRemoved',
    'defaultCardChanged',
    'billingDetailsChanged',
  ],
  people: [
    'inviteSent',
    'inviteResent',
    'inviteLinkCreated',
    'inviteRevoked',
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
  ],
} as const

type ActivityArea = keyof typeof activityKinds
export type ActivityKind = (typeof activityKinds)[ActivityArea][number]

export const activityAreas = Object.keys(activityKinds) as [ActivityArea, ...ActivityArea[]]
