/** As what somebody is told, which the mail says at its end: `mails.why` has a text for each. */
export type Reader = 'owner' | 'admin' | 'member' | 'former' | 'host' | 'payer' | 'maker'

type NoticeRow = {
  category: 'people' | 'projects' | 'payments' | 'security'
  reader: Reader
  /** Its reader chooses how to be told. All others are always mailed at once. */
  hasSwitch?: true
}

/** What people are told about their projects: a row for each kind, by the name of its mail. */
export const notices = {
  memberRemoved: { category: 'people', reader: 'former', hasSwitch: true },
  roleChanged: { category: 'people', reader: 'member', hasSwitch: true },
  projectEnded: { category: 'projects', reader: 'admin', hasSwitch: true },
  invitationAccepted: { category: 'people', reader: 'host', hasSwitch: true },
  joinRequested: { category: 'people', reader: 'admin', hasSwitch: true },
  joinAccepted: { category: 'people', reader: 'member', hasSwitch: true },

  projectCanceled: { category: 'payments', reader: 'owner' },
  projectEndedUnpaid: { category: 'payments', reader: 'owner' },
  ownershipGiven: { category: 'payments', reader: 'admin' },
  ownershipReceived: { category: 'payments', reader: 'owner' },
  ownershipOffered: { category: 'payments', reader: 'admin' },
  ownershipDeclined: { category: 'payments', reader: 'owner' },
  paymentFailed: { category: 'payments', reader: 'owner' },
  paymentWaits: { category: 'payments', reader: 'owner' },
  projectUnpaid: { category: 'payments', reader: 'admin' },
  cardMissing: { category: 'payments', reader: 'owner' },
  receipt: { category: 'payments', reader: 'payer' },
  renewalAhead: { category: 'payments', reader: 'owner' },
  trialEnds: { category: 'payments', reader: 'owner' },
  trialOver: { category: 'payments', reader: 'owner' },
  trialToFree: { category: 'payments', reader: 'owner' },
  planChangeAhead: { category: 'payments', reader: 'owner' },
  planChangeKept: { category: 'payments', reader: 'owner' },

  secondFactorRequired: { category: 'security', reader: 'member' },
  secondFactorNotRequired: { category: 'security', reader: 'admin' },
  tokenEnds: { category: 'security', reader: 'maker' },
  tokensEnded: { category: 'security', reader: 'admin' },
} as const satisfies Record<string, NoticeRow>

type Rows = typeof notices
export type NoticeKind = keyof Rows
export type ChosenKind = {
  [Kind in NoticeKind]: Rows[Kind] extends { hasSwitch: true } ? Kind : never
}[NoticeKind]

export const chosenKinds = (Object.keys(notices) as NoticeKind[]).filter(isChosen)

export function isChosen(kind: string): kind is ChosenKind {
  return Object.hasOwn(notices, kind) && 'hasSwitch' in notices[kind as NoticeKind]
}

/** Which kinds are mailed at all. One that is missing is. */
export type Mailed = { [Kind in ChosenKind]?: boolean | undefined }

/**
 * What modules may do with a kind besides: list it in the app, which they do unless `app` is false,
 * and put it into the mail of the day in place of a mail of its own.
 */
export type Ways = { app?: boolean | undefined; digest?: boolean | undefined }
export type NoticeWays = { [Kind in ChosenKind]?: Ways | undefined }
