const seconds = 1000
const minutes = 60 * seconds
const hours = 60 * minutes
const days = 24 * hours

/** Delays, sizes and time-outs, in milliseconds unless a comment says otherwise. */
export const limits = {
  calls: {
    /** A server's connections to the database. With more, each call costs the database more. */
    connections: 6,
    timeout: 70 * seconds,
    /** Bytes. */
    bodySize: 64 * 1024,
    webhookSize: 256 * 1024,
    idempotencyKept: 24 * hours,
    /** After this time without an answer, another request with the same key does the work. */
    claimed: 60 * seconds,
    /**
     * Calls of one server that may wait for a database connection, between `least` and `most`. Each
     * call that the server refuses lowers the number by one, and each that it accepts adds `rise`: in
     * a lasting flood few calls wait, and each only briefly. After a quiet time `most` may wait.
     */
    waiting: { most: 40, least: 5, rise: 0.1 },
    /**
     * Questions that may wait for a connection, those included that wait only for others of their
     * account. Beyond it, the server refuses those of the account with the most.
     */
    places: 200,
    retryAfter: 1 * seconds,
  },

  sessions: {
    accessToken: 1 * hours,
    /** The app renews its access token this long before it expires. */
    renewBefore: 5 * minutes,
    refreshToken: 30 * days,
    /** A session ends this long after it began, even if it is renewed. */
    absolute: 180 * days,
    /** Sessions of one user. One more ends the session that was used least recently. */
    perUser: 50,
    /** A refresh token that is used again within this time has the same successor. */
    reuseGrace: 30 * seconds,
    /** The time between two attempts to send a sign-out to the server. */
    signOutAgain: 5 * seconds,
    /** How recent a sign-in must be to change the address or password, or delete the account. */
    recentSignIn: 5 * minutes,
  },

  accessTokens: {
    /** Those that have not expired. */
    perUser: 50,
    perProject: 50,
    /** How long a token works, unless its maker says so, and at most. */
    life: 90 * days,
    longest: 366 * days,
    /** Its maker is mailed this long before its end. */
    warned: 7 * days,
    /** How long it is listed after its end. */
    kept: 30 * days,
  },

  actionCodes: {
    verifyEmail: 3 * days,
    resetPassword: 1 * hours,
    verifyAndChangeEmail: 1 * hours,
    recoverEmail: 30 * days,
    secureAccount: 30 * days,
    keepFactors: 24 * hours,
  },

  factors: {
    perUser: 10,
    /** How long a sign-in waits for its second step, and how many tries it has. */
    resolver: 5 * minutes,
    tries: 5,
    /** How long a new factor waits for its first code. */
    enrollment: 15 * minutes,
    /** How long a browser isn't asked for the second step again, if its user says so. */
    browserRemembered: 30 * days,
    recoveryCodes: 10,
  },

  /** How long an account that its address's owner rejected waits for its deletion. */
  rejectedAccount: 24 * hours,

  /** How long a sign-in at a provider may take. */
  providerFlow: 10 * minutes,

  passwords: {
    /** Characters. */
    minLength: 6,
    maxLength: 256,
    threads: 4,
    /** How long a thread without work is kept. */
    threadKept: 1 * minutes,
    /** Hashes that may wait for each thread, about two seconds of work. More are refused. */
    waitingPerThread: 50,
    /** The cost of argon2id, the lowest that OWASP advises: 19 MiB, two passes, one lane. */
    cost: { memoryCost: 19_456, timeCost: 2, parallelism: 1 },
    /** How long a wrong password takes at least, once hashes of another system were put in. */
    wrongTakes: 1 * seconds,
    /** How long a new password waits for the service that lists breached ones. */
    breachesWithin: 2 * seconds,
    /** Bytes of its answer. */
    breachesSize: 256 * 1024,
  },

  projects: {
    /** Active subscriptions on free plans that one person may own. */
    freeOwned: 20,
  },

  devices: {
    /** How long a browser remembers the accounts that signed in. No cookie may live longer. */
    remembered: 400 * days,
    /** One browser remembers this many accounts, the most recent ones. */
    accounts: 10,
  },

  invites: {
    live: 14 * days,
  },

  joining: {
    /** How long a join link works, unless its maker says so, and at most. */
    life: 14 * days,
    longest: 366 * days,
    /** How many people may join by one at most. */
    uses: 1000,
    /** How long a declined request keeps its person from asking again. */
    declined: 30 * days,
    /** Open requests that are listed at once. */
    listed: 100,
  },

  /** How long an offer of ownership is open. */
  ownershipOffer: 7 * days,

  pages: {
    sizes: [10, 20, 50, 100],
    defaultSize: 10,
    /** The highest page number. */
    last: 1_000_000,
    /** Pages that a list shows at once. Each is a request. */
    together: 20,
  },

  activity: {
    kept: 365 * days,
    /** Entries in one download. */
    exported: 50_000,
  },

  /** How long we remember that a mail server refused a recipient. */
  refusedMailsKept: 90 * days,

  /** Downloads that a server sends at once. Each holds at most a megabyte. */
  exportsAtOnce: 30,

  live: {
    /** Changes within this time are sent together. */
    together: 50,
    /** A new stream starts with the changes of this time, which its screen may have missed. */
    recent: 3 * seconds,
    heartbeat: 25 * seconds,
    /** Streams of one user. One more ends the oldest. */
    streamsPerUser: 20,
    /** Bytes. A stream with more unread data is closed. */
    unread: 64 * 1024,
    /** The time between two attempts. It doubles each time, with some randomness. */
    reconnect: { first: 0.5 * seconds, most: 30 * seconds },
    /** A browser with no visible tab closes its stream after this time. */
    hidden: 15 * seconds,
  },

  /**
   * A project whose week stays unpaid ends after this time, as the payment provider is set to try:
   * Stripe's default is two weeks. Its people are warned this time before.
   */
  unpaid: { ends: 14 * days, warned: 2 * days, mailed: 1 * days },

  /** How long a project may be looked at after a trial that ended without a card. */
  trialOver: 30 * days,

  screens: {
    returnAfterSave: 1.5 * seconds,
    returnAfterEmailChange: 2 * seconds,
    returnAfterDeletion: 2 * seconds,
    toast: 8 * seconds,
    /** An opening page without a screen shows a spinner after this time. */
    firstPaint: 2 * seconds,
    /** A page that could not load tries again after this time. */
    reloadAfter: 5 * seconds,
    /** How long a change can be taken back. */
    undo: 10 * seconds,
  },
} as const

/** How a server's own parts work. The app needs none of them. */
export const engineLimits = {
  /** How often a server writes at most that an access token was used, and how often. */
  tokenUse: 1 * minutes,

  /** Limits that each server applies to a request before it knows the caller. */
  requests: {
    /** How long the headers, and the whole request, may take to arrive. */
    headersTimeout: 15 * seconds,
    timeout: 30 * seconds,
    /** Open connections, live streams included. */
    connections: 5000,
    /** Open connections from one network. Trusted proxies and this machine have no such limit. */
    connectionsByNetwork: 500,
    /** Bytes. Bodies up to this size are always accepted. */
    shortBody: 8 * 1024,
    /** Bytes of longer bodies in progress, in all and by network. Webhooks count separately. */
    longBodies: 32 * 1024 * 1024,
    longBodiesByNetwork: 4 * 1024 * 1024,
  },

  /** Strangers' guesses at one account are judged one after the other. */
  guessing: {
    /** Guesses at one account that may wait in one server. More are refused. */
    waiting: 10,
    /** How long, and how often, one asks whether other servers judge none. */
    patience: 3 * seconds,
    look: 0.1 * seconds,
    retryAfter: 1 * seconds,
  },

  /** How a server notices that the database is in trouble. */
  database: {
    /** Between two questions whether it can be used. */
    pause: 0.25 * seconds,
    /** Calls that are in progress for this time are refused while the database can't be used. */
    patience: 3.5 * seconds,
    /** Between two looks for dead servers. A server also notices by it that its connection is lost. */
    look: 0.8 * seconds,
    /** How many looks in a row find the lock of a dead server free. */
    looks: 4,
    /** The time after which a server tries again to replace the connection that it has lost. */
    again: 0.2 * seconds,
  },

  /** How the jobs and notices of transactions are handed on. */
  outbox: {
    /** How many are handed on at once. */
    batch: 1000,
    /** The time between two batches, unless the first one is full: a millisecond more for each entry. */
    pause: { least: 25, most: 100 },
    /** How often a server looks for what it was not told of. */
    poll: 250,
  },

  jobs: {
    /** Jobs that a server runs at once, and their connections to the database. */
    atOnce: 16,
    /** Jobs that it takes besides, which wait for a place. */
    ahead: 32,
    /** Jobs that end within this time are taken off the queue together. */
    together: 20,
    /** How often a server looks for jobs that others have added. */
    poll: 250,
    /** How often it looks for jobs that it has taken without getting the answer. */
    lost: 10 * seconds,
    /** The time after which it asks again when the database is away. */
    again: 0.5 * seconds,
  },

  /**
   * When a server starts its own PostgreSQL again after that has ended by itself. Tries fail as long
   * as a statement of the PostgreSQL that ended still runs, which is 30 seconds at most.
   */
  postgresRestart: { pause: 0.1 * seconds, giveUpAfter: 60 * seconds },
} as const

/** Tries within a time, counted in the database for all servers. Only servers need them. */
export const rateLimits = {
  /** Successful sign-ins to an account: by known device, and on all other devices together. */
  signInByAccount: { tries: 100, within: 15 * minutes },
  /** Wrong passwords for an account on a device that has signed in to it before. */
  failedSignInByDevice: { tries: 10, within: 15 * minutes },
  /**
   * Wrong passwords on other devices. With IPv6, one visitor may have many networks, so the /56 and
   * the /48 around them count too. A network has neighbours who can't help it: it has many tries.
   */
  failedSignInByAccountAndNetwork: { tries: 10, within: 15 * minutes },
  failedSignInByAccountAnd56: { tries: 20, within: 15 * minutes },
  failedSignInByAccountAnd48: { tries: 40, within: 15 * minutes },
  failedSignInByNetwork: { tries: 500, within: 15 * minutes },
  failedSignInBy56: { tries: 1000, within: 15 * minutes },
  failedSignInBy48: { tries: 2000, within: 15 * minutes },
  /**
   * All wrong passwords for an account on other devices. A `slow` limit begins anew, from half of its
   * tries on, only after such a time without one: no 24 hours have more than half as many again.
   */
  failedSignInOfStrangers: { tries: 100, within: 1 * days, slow: true },
  /** Strangers' guesses at an account in progress. What a killed server holds ends after the time. */
  guessInProgress: { tries: 1, within: 30 * seconds },
  /** Wrong passwords that are recorded in the owner's activity. */
  failureNotedByAccountAndNetwork: { tries: 1, within: 15 * minutes },
  failureNotedByAccount: { tries: 50, within: 1 * days },
  /**
   * Wrong second steps of an account: on a device that has signed in to it, and on all other devices
   * together, at sign-ins and at resets. Another password, or the removal of a factor, lets those at
   * sign-ins begin anew.
   */
  wrongSecondStepByDevice: { tries: 30, within: 1 * days, slow: true },
  wrongSecondStepOfStrangers: { tries: 30, within: 1 * days, slow: true },
  secondStepNoticesByAccount: { tries: 1, within: 1 * hours },
  newDeviceNoticesByAccount: { tries: 3, within: 1 * days },
  /** Mails of one kind about what others do in projects, such as joining by one's invitations. */
  noticesByAccount: { tries: 5, within: 1 * days },
  /** To one person about second factors in one project. */
  secondFactorMailsByMember: { tries: 3, within: 1 * days },
  secondFactorRemindersByProject: { tries: 1, within: 1 * days },
  /** Challenges for passkeys. Each visit of the sign-in screen asks for one, and again after minutes. */
  passkeyByNetwork: { tries: 3000, within: 15 * minutes },
  providerByNetwork: { tries: 300, within: 15 * minutes },
  signUpByNetwork: { tries: 1000, within: 1 * hours },
  /** Password resets. Beyond a limit the answer is the same, but no mail is sent. */
  resetByDevice: { tries: 5, within: 1 * hours },
  resetByAccountAndNetwork: { tries: 5, within: 1 * hours },
  resetByAccount: { tries: 10, within: 1 * hours },
  resetByNetwork: { tries: 300, within: 1 * hours },
  emailChangeByAccount: { tries: 5, within: 1 * hours },
  passwordChangeBySession: { tries: 30, within: 15 * minutes },
  reauthenticationBySession: { tries: 10, within: 15 * minutes },
  refreshBySession: { tries: 1000, within: 1 * hours },
  verificationByAccount: { tries: 5, within: 1 * hours },
  /** Codes in links that never existed. */
  codesByNetwork: { tries: 200, within: 15 * minutes },
  /** Addresses of invoices that do not exist, and openings of one that does. */
  invoicesByNetwork: { tries: 600, within: 1 * hours },
  openingsByInvoice: { tries: 120, within: 1 * hours },
  /** Downloads of one project's activity, or of what is kept about the account itself. */
  exportsByAccount: { tries: 6, within: 1 * hours },
  cardsByAccount: { tries: 60, within: 1 * hours },
  declinedCardsByAccount: { tries: 20, within: 1 * hours },
  /** Promotion codes that there are none of, or that have ended. */
  wrongPromotionsByAccount: { tries: 10, within: 1 * hours },
  wrongPromotionsByNetwork: { tries: 10, within: 1 * hours },
  invitesByAccount: { tries: 1000, within: 1 * hours },
  /** Mails to a mailbox that its owner may not have asked for: by one sender, and by strangers. */
  mailsBySender: { tries: 6, within: 1 * days },
  mailsToMailbox: { tries: 10, within: 1 * days },
  /** Requests to join projects, also those that change nothing. */
  joinRequestsByAccount: { tries: 5, within: 1 * days },
  resendsByInvite: { tries: 1, within: 10 * minutes },
  /** Requests to send a webhook all events since a time again: each may be a thousand. */
  catchUpsByWebhook: { tries: 12, within: 1 * hours },
  /** Calls that change something. A call whose row says `perSession` counts by session. */
  writesByAccount: { tries: 2000, within: 1 * hours },
  /** The same of one access token. */
  writesByToken: { tries: 2000, within: 1 * hours },
} as const

/** Tries within a time that each server counts in its memory, so that no read becomes a write. */
export const readLimits = {
  readsByAccount: { tries: 3000, within: 1 * minutes },
  readsByToken: { tries: 1000, within: 1 * minutes },
  /** Questions to the payment provider, such as previews, for calls that only read. */
  providerReadsByAccount: { tries: 120, within: 10 * minutes },
} as const

/** Limits of what a server does with the payment provider. Only servers need them. */
export const billingLimits = {
  /** How long a billing lease lasts, unless its holder renews it. */
  lease: 1 * minutes,
  renewLease: 15 * seconds,
  waitForLease: 20 * seconds,
  /** Reads that ask the provider at once: of a server, and of one account. More wait in turns. */
  readsAtOnce: 16,
  readsOfOne: 2,
  readsWaiting: 400,
  /** One request to the provider. The server repeats it once, and must still answer in time. */
  providerTimeout: 20 * seconds,
  /** How long a server remembers which price a plan is sold for. */
  pricesCached: 5 * minutes,
  /** How long the amounts of a preview stay valid, and of one that gives credit. */
  quoteLife: 60 * minutes,
  creditQuoteLife: 5 * minutes,
  /** How long an earlier purchase with an unknown outcome is looked for before another one. */
  purchaseLookedFor: 1 * days,
  /** How long it is known that a deleted account has had a trial or used a promotion code. */
  usesKept: 396 * days,
  /** How long a trial that needs a card waits for the buyer's bank, as purchases do at Stripe. */
  cardConfirmed: 23 * hours,
  /** How long processed events are kept. The provider repeats an event for three days. */
  eventsKept: 30 * days,

  /** How long a starting server waits for the provider's account, and then until it asks again. */
  accountTimeout: 5 * seconds,
  accountRetry: 5 * seconds,
  /** What is done ahead of a renewal or a change that waits for the end of the period. */
  ahead: {
    /** The owner is told of the renewal of a long period, which has at least so many days. */
    renewal: 30 * days,
    longPeriod: 180,
    /** The owner is told of a change that comes, twice. */
    planChange: [7 * days, 1 * days],
    /** The owner is told of the end of a trial. */
    trialEnd: 3 * days,
    /** A change that no longer fits is dropped. From then on the smaller plan's seats count. */
    seats: 2 * hours,
  },
  /** What one job of the daily reconciliation compares. The provider lists at most 100 at once. */
  reconcilePageSize: 100,
  /** How far before its last run a reconciliation looks. */
  reconcileOverlap: 1 * days,
  /** How far back the first one looks: as far as the provider keeps events. */
  reconcileFirst: 30 * days,
} as const

export type PageSize = (typeof limits.pages.sizes)[number]
