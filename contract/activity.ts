import { contracts, on, type All, type ModuleName } from './modules.ts'

/** The kinds of entries in the activity log, by area. A module is an area of its own. */
export const activityKinds = {
  project: [
    'projectCreated',
    'settingsChanged',
    'cancellationScheduled',
    'cancellationWithdrawn',
    'projectCanceled',
    'ownershipTransferred',
    'ownershipOffered',
    'ownershipAccepted',
    'ownershipDeclined',
    'ownershipOfferEnded',
    'secondFactorRequired',
    'secondFactorNotRequired',
    'tokenCreated',
    'tokenRevoked',
    'tokenEnded',
  ],
  billing: [
    'planChanged',
    'planChangeScheduled',
    'planChangeWithdrawn',
    'discountGiven',
    'discountRemoved',
    'trialBegun',
    'trialEnded',
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
    'joinLinkCreated',
    'joinLinkRevoked',
    'joinLinkEnded',
    'joinRequestAccepted',
    'joinRequestDeclined',
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
    'factorAdded',
    'factorRenamed',
    'factorRemoved',
    'recoveryCodesRenewed',
    'recoveryCodeUsed',
    'secondStepFailed',
    'factorRemovalPlanned',
    'factorRemovalStopped',
    'providerLinked',
    'providerUnlinked',
    'accountDisabled',
    'accountEnabled',
    'signInUnlocked',
    'sessionsEnded',
    'passwordResetSent',
    'ownTokenCreated',
    'ownTokenRevoked',
    'ownTokenEnded',
  ],
  ...ofModules(),
} as const

/** What operators do that is about no project and no account. No screen shows it. */
export const operatorKinds = [
  'accountDeleted',
  'peopleImported',
  'workRetried',
  'workDropped',
  'moduleDropped',
] as const

type ActivityArea = keyof typeof activityKinds
export type ActivityKind = (typeof activityKinds)[ActivityArea][number]

export type RecordedKind = ActivityKind | (typeof operatorKinds)[number]

export const activityAreas = Object.keys(activityKinds) as [ActivityArea, ...ActivityArea[]]

type KindsOfModules = {
  [
    Name in ModuleName as All[Name] extends { activityKinds: unknown } ? Name : never
  ]: All[Name] extends {
    activityKinds: infer Kinds
  }
    ? Kinds
    : never
}

function ofModules() {
  return Object.fromEntries(
    on.flatMap((name) => {
      const { activityKinds } = contracts[name]
      return activityKinds ? [[name, activityKinds]] : []
    }),
  ) as KindsOfModules
}
