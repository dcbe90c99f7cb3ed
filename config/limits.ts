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
    /** From one network that is no proxy's and not this machine. */
    connectionsByNetwork: 500,
    /** Bytes. A body up to this size is always taken. */
    shortBody: 8 * 1024,
    /** Bytes of longer ones that may be under way together, of calls and of webhooks each: from everywhere, and from one network. */
    longBodies: 32 * 1024 * 1024,
    longBodiesByNetwork: 4 * 1024 * 1024,
  },

  sessions: {
    accessToken: 1 * hours,
    /** The app asks for a new access token this long before the old one ends. */
    renewBefore: 5 * minutes,
    refreshToken: 30 * days,
    /** A session ends this long after it began, however often it is renewed. */
    absolute: 180 * days,
    /** Of one person; with one more, the session that was used least recently ends. */
    perUser: 50,
    /** A refresh token used twice within this time is a lost answer or two tabs, and gives the same successor; later it is a thief, and ends the session. */
    reuseGrace: 30 * seconds,
    /** Between two tries to tell the server that somebody has signed out. */
    signOutAgain: 5 * seconds,
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
    /** At most so many processors hash. */
    threads: 4,
    /** How many wait for each of them, some two seconds' work; beyond that a caller is asked to come back. */
    waitingPerThread: 50,
    retryAfter: 1 * seconds,
  },

  projects: {
    /** Active ones on a free plan that one person may own at a time. */
    freeOwned: 20,
  },

  /** What a stranger waits before a password is judged, once very many were tried for the account. */
  guessing: {
    /** Longer by this with each guess. */
    step: 0.25 * seconds,
    most: 5 * seconds,
    /** So many may wait at once in one server; others are asked to come back. */
    waitingAtOnce: 1000,
  },

  devices: {
    /** How long a browser remembers which accounts have signed in on it: browsers keep no cookie longer. */
    remembered: 400 * days,
    /** Accounts that one browser remembers; the one that signed in longest ago goes. */
    accounts: 10,
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
  },
} as const

/** Tries within a time, each counted by an account, an address, a network or a device. Shared by every server on the same database. The web app knows nothing of them. */
export const rateLimits = {
  /** Good sign-ins: on each device that is known, and on all others together. */
  signInByAccount: { tries: 100, within: 15 * minutes },
  /** Wrong passwords for one account on a device that has signed in to it before. */
  failedSignInByDevice: { tries: 10, within: 15 * minutes },
  /** Wrong passwords on other devices: for one account from one network, and from one network for all accounts. */
  failedSignInByAccountAndNetwork: { tries: 10, within: 15 * minutes },
  failedSignInByNetwork: { tries: 100, within: 15 * minutes },
  /** Wrong passwords on other devices for one account, from all networks. None is refused; those beyond wait: see `guessing`. */
  failedSignInOfStrangers: { tries: 20, within: 15 * minutes },
  /** Entries about wrong passwords in the owner's activity. */
  failureNotedByAccountAndNetwork: { tries: 1, within: 15 * minutes },
  failureNotedByAccount: { tries: 50, within: 1 * days },
  /** Mails about sign-ins on devices not known before. */
  newDeviceNoticesByAccount: { tries: 3, within: 1 * days },
  providerByNetwork: { tries: 300, within: 15 * minutes },
  signUpByNetwork: { tries: 1000, within: 1 * hours },
  /** Resets beyond these are answered alike, and not sent. Those asked for on a known device count by themselves. */
  resetByDevice: { tries: 5, within: 1 * hours },
  resetByAccountAndNetwork: { tries: 5, within: 1 * hours },
  resetByAccount: { tries: 10, within: 1 * hours },
  resetByNetwork: { tries: 300, within: 1 * hours },
  emailChangeByAccount: { tries: 5, within: 1 * hours },
  passwordChangeBySession: { tries: 30, within: 15 * minutes },
  reauthenticationBySession: { tries: 10, within: 15 * minutes },
  refreshBySession: { tries: 1000, within: 1 * hours },
  verificationByAccount: { tries: 5, within: 1 * hours },
  codesByNetwork: { tries: 200, within: 15 * minutes },
  invoicesByNetwork: { tries: 600, within: 1 * hours },
  /** What a purchase or a change of plan would cost, which the provider reckons. */
  previewsByAccount: { tries: 600, within: 1 * hours },
  cardsByAccount: { tries: 60, within: 1 * hours },
  declinedCardsByAccount: { tries: 20, within: 1 * hours },
  invitesByAccount: { tries: 1000, within: 1 * hours },
  /** To one mailbox from people who are strangers to its owner, all of them together. */
  invitesByStrangers: { tries: 5, within: 1 * days },
  resendsByInvite: { tries: 1, within: 10 * minutes },
  /** Of each call that changes something, whatever other limits it has; of those that end or guard a session, by session. */
  writesByAccount: { tries: 2000, within: 1 * hours },
} as const

/** What a server does with the payment provider. The web app doesn't need them. */
export const billingLimits = {
  /** Longer than any call needs at the provider. */
  lease: 5 * minutes,
  waitForLease: 20 * seconds,
  /** For one request to the provider. It is repeated once, and the call still has to answer in time. */
  providerTimeout: 20 * seconds,
  /** How long a server remembers which price a plan is sold for. */
  pricesCached: 5 * minutes,
  /** How long the amounts of a preview hold. */
  quoteLife: 60 * minutes,
  /** How long processed events are kept. The provider repeats an event for three days. */
  eventsKept: 30 * days,

  /** How long a server that starts waits for the provider's account, and when it asks again. */
  accountTimeout: 5 * seconds,
  accountRetry: 5 * seconds,
  /** What one job of the daily reconciliation works through. The provider gives 100 at most. */
  reconcilePageSize: 100,
  /** How much further back than its last run it looks; in its first run as far as events reach. */
  reconcileOverlap: 1 * days,
  reconcileFirst: 30 * days,
} as const

export type PageSize = (typeof limits.pages.sizes)[number]
