const seconds = 1000
const minutes = 60 * seconds
const hours = 60 * minutes
const days = 24 * hours

/** Every delay, size and time-out, in milliseconds unless said otherwise. */
export const limits = {
  calls: {
    timeout: 70 * seconds,
    /** Bytes. */
    bodySize: 64 * 1024,
    webhookSize: 256 * 1024,
    idempotencyKept: 24 * hours,
  },

  /** What anybody may have under way with one server, known or not. */
  requests: {
    /** How long a request may take to arrive, its headers and all of it. Its answer may take longer. */
    headersTimeout: 15 * seconds,
    timeout: 30 * seconds,
    /** Live streams are among them. */
    connections: 5000,
    /** Bytes. A body up to this size is always taken. */
    shortBody: 8 * 1024,
    /** Bytes of longer ones that may be under way together, of calls and of webhooks each. */
    longBodies: 4 * 1024 * 1024,
  },

  sessions: {
    accessToken: 1 * hours,
    /** The app asks for a new access token this long before the old one ends. */
    renewBefore: 5 * minutes,
    refreshToken: 30 * days,
    /** A refresh token used twice within this time is a lost answer or two tabs; later it is a thief, and ends the session. */
    reuseGrace: 30 * seconds,
    /** How fresh a sign-in must be to change the e-mail address or the password, or to delete the account. */
    recentSignIn: 5 * minutes,
  },

  actionCodes: {
    verifyEmail: 3 * days,
    resetPassword: 1 * hours,
    verifyAndChangeEmail: 1 * hours,
    recoverEmail: 30 * days,
    secureAccount: 30 * days,
  },

  /** How long somebody may take at a sign-in provider. */
  providerFlow: 10 * minutes,

  passwords: {
    /** Characters. */
    minLength: 6,
    maxLength: 256,
  },

  /** Tries within a time, by whom they are counted. Shared by every server on the same database. */
  attempts: {
    signInByAddress: { tries: 100, within: 15 * minutes },
    signInByAccount: { tries: 10, within: 15 * minutes },
    providerByAddress: { tries: 300, within: 15 * minutes },
    signUpByAddress: { tries: 1000, within: 1 * hours },
    resetByAddress: { tries: 300, within: 1 * hours },
    resetByAccount: { tries: 5, within: 1 * hours },
    emailChangeByAccount: { tries: 5, within: 1 * hours },
    reauthenticationByAccount: { tries: 10, within: 15 * minutes },
    verificationByAccount: { tries: 5, within: 1 * hours },
    codesByAddress: { tries: 200, within: 15 * minutes },
    cardsByAccount: { tries: 60, within: 1 * hours },
    declinedCardsByAccount: { tries: 20, within: 1 * hours },
    /** By people whose own address is not verified yet. */
    invitesByUnverified: { tries: 100, within: 1 * hours },
    invitesByAccount: { tries: 1000, within: 1 * hours },
  },

  billing: {
    /** Longer than whatever a call does with the provider. */
    turn: 5 * minutes,
    waitForTurn: 20 * seconds,
    /** For one request to the provider; it is repeated once, and a call has to answer in time all the same. */
    providerTimeout: 20 * seconds,
    /** How long worked-off events are remembered; the provider repeats one for three days. */
    eventsKept: 30 * days,
  },

  invites: {
    live: 14 * days,
  },

  pages: {
    sizes: [10, 20, 50, 100],
    defaultSize: 10,
  },

  activity: {
    kept: 365 * days,
    /** Entries that one download may hold. */
    exported: 50_000,
  },

  live: {
    /** Changes within this time of each other are told at once. */
    together: 50,
    /** A stream that opens is told what changed this long before: the tab has been reading meanwhile. */
    recent: 3 * seconds,
    heartbeat: 25 * seconds,
    /** The oldest goes. */
    streamsPerUser: 20,
    /** Bytes that wait for a tab that doesn't read them, before it is let go. */
    unread: 64 * 1024,
    /** Between two tries: doubled each time, and partly by chance. */
    reconnect: { first: 0.5 * seconds, most: 30 * seconds },
    /** A browser whose tabs nobody sees lets go of its stream after this time. */
    hidden: 15 * seconds,
  },

  screens: {
    returnAfterSave: 1.5 * seconds,
    returnAfterEmailChange: 2 * seconds,
    returnAfterDeletion: 2 * seconds,
    /** How long it is said in the corner that something worked. */
    toast: 8 * seconds,
    /** How long a page that opens may show nothing while its first screen is fetched; then it shows that it waits. */
    firstPaint: 2 * seconds,
    /** When a page that could not begin tries again. */
    reloadAfter: 5 * seconds,
    /** When what is not needed yet is fetched ahead. */
    ahead: 10 * seconds,
  },
} as const

export type PageSize = (typeof limits.pages.sizes)[number]
