import type { EpochSeconds } from './entities.ts'
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
    'secondFactorRequired',
    'secondFactorNotRequired',
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

/** An entry of the activity log, with the names of its time; `''` for a deleted account. */
export type Activity = {
  id: string
  created: EpochSeconds
  kind: ActivityKind
  /** The person who did it; null if nobody did, as when an unpaid subscription ends. */
  actor: { id: string; name: string } | null
  /** The name or e-mail address of the person it was done to. */
  subject: string | null
  /** Null for entries about an account, and for subscriptions that the caller is not in. */
  subscription: { id: string; name: string } | null
  /**
   * By kind of entry:
   * `{ from, to }`: a change of plan, permissions, name or address. Of a plan, if the interval of
   * payment changes, with `{ fromPrice, toPrice }`, like `1 month`. `{ plan }`: a new subscription.
   * `{ to, at }`, with `toPrice`: a change of plan at a later time, in epoch seconds.
   * `{ at }`: a cancellation, or a demand for second factors, that waits until then.
   * `{ discount }`: one in percent or an amount, in words. `{ because }`: its cancellation. `{ permissions }`: an invite or a new member.
   * `{ factor }`: its name; renamed, `{ from, to }`. `{ left }`: how many recovery codes are.
   * `{ fields }`: a change of settings or billing details; with `{ from, to }`, of the name too.
   * `{ brand, last4 }`: a card.
   * `{ device, address }`: a sign-in. `{ provider }`: a provider that was linked or unlinked.
   * `{ amount, currency, invoice }`: a payment; with `refund`, its id, a refund; without `invoice`, a
   * payment that failed.
   * `{ operator }`: the name of the operator who did it.
   */
  details: Record<string, string | string[]>
}

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
