import * as shipped from '../../config/limits.ts'

// The numbers that tests rely on. A limit that this file does not name comes from config/limits.ts.

const seconds = 1000
const minutes = 60 * seconds
const hours = 60 * minutes
const days = 24 * hours

export const limits = {
  ...shipped.limits,
  calls: {
    ...shipped.limits.calls,
    timeout: 70 * seconds,
    bodySize: 65_536,
    webhookSize: 262_144,
    idempotencyKept: 1 * days,
    claimed: 60 * seconds,
    waiting: { most: 40, least: 10, rise: 0.1 },
    places: 1000,
    retryAfter: 1 * seconds,
  },
  sessions: {
    ...shipped.limits.sessions,
    accessToken: 1 * hours,
    renewBefore: 5 * minutes,
    refreshToken: 30 * days,
    absolute: 180 * days,
    perUser: 50,
    reuseGrace: 30 * seconds,
    signOutAgain: 5 * seconds,
    recentSignIn: 5 * minutes,
  },
  actionCodes: {
    ...shipped.limits.actionCodes,
    verifyEmail: 3 * days,
    resetPassword: 1 * hours,
    verifyAndChangeEmail: 1 * hours,
    recoverEmail: 30 * days,
    secureAccount: 30 * days,
  },
  rejectedAccount: 24 * hours,
  providerFlow: 10 * minutes,
  passwords: {
    ...shipped.limits.passwords,
    minLength: 6,
    maxLength: 256,
    threads: 4,
    waitingPerThread: 50,
    cost: { memoryCost: 1024, timeCost: 1, parallelism: 1 },
    wrongTakes: 200,
    breachesWithin: 2 * seconds,
    breachesSize: 256 * 1024,
  },
  projects: { ...shipped.limits.projects, freeOwned: 20 },
  devices: { ...shipped.limits.devices, remembered: 400 * days, accounts: 10 },
  invites: { ...shipped.limits.invites, live: 14 * days },
  pages: {
    ...shipped.limits.pages,
    sizes: [10, 20, 50, 100],
    defaultSize: 10,
    last: 1_000_000,
    together: 20,
  },
  activity: { ...shipped.limits.activity, kept: 365 * days, exported: 50_000 },
  exportsAtOnce: 30,
  live: {
    ...shipped.limits.live,
    together: 50,
    recent: 3 * seconds,
    heartbeat: 25 * seconds,
    streamsPerUser: 20,
    unread: 65_536,
    reconnect: { first: 0.5 * seconds, most: 30 * seconds },
    hidden: 15 * seconds,
  },
  screens: {
    ...shipped.limits.screens,
    returnAfterSave: 1.5 * seconds,
    returnAfterEmailChange: 2 * seconds,
    returnAfterDeletion: 2 * seconds,
    toast: 8 * seconds,
    firstPaint: 2 * seconds,
    reloadAfter: 5 * seconds,
  },
} as const

export const engineLimits = {
  ...shipped.engineLimits,
  requests: {
    ...shipped.engineLimits.requests,
    headersTimeout: 15 * seconds,
    timeout: 30 * seconds,
    connections: 5000,
    connectionsByNetwork: 500,
    shortBody: 8192,
    longBodies: 33_554_432,
    longBodiesByNetwork: 4_194_304,
  },
  guessing: {
    ...shipped.engineLimits.guessing,
    waiting: 10,
    patience: 1 * seconds,
    retryAfter: 1 * seconds,
  },
  outbox: { ...shipped.engineLimits.outbox, pause: { least: 5, most: 5 } },
  jobs: { ...shipped.engineLimits.jobs, together: 1, lost: 1 * seconds },
  postgresRestart: { ...shipped.engineLimits.postgresRestart, giveUpAfter: 5 * seconds },
} as const

export const rateLimits = {
  ...shipped.rateLimits,
  signInByAccount: { tries: 100, within: 15 * minutes },
  failedSignInByDevice: { tries: 10, within: 15 * minutes },
  failedSignInByAccountAndNetwork: { tries: 10, within: 15 * minutes },
  failedSignInByAccountAnd56: { tries: 20, within: 15 * minutes },
  failedSignInByAccountAnd48: { tries: 40, within: 15 * minutes },
  failedSignInByNetwork: { tries: 100, within: 15 * minutes },
  failedSignInBy56: { tries: 200, within: 15 * minutes },
  failedSignInBy48: { tries: 400, within: 15 * minutes },
  failedSignInOfStrangers: { tries: 100, within: 1 * days, slow: true },
  guessInProgress: { tries: 1, within: 30 * seconds },
  failureNotedByAccountAndNetwork: { tries: 1, within: 15 * minutes },
  failureNotedByAccount: { tries: 50, within: 1 * days },
  newDeviceNoticesByAccount: { tries: 3, within: 1 * days },
  providerByNetwork: { tries: 300, within: 15 * minutes },
  signUpByNetwork: { tries: 1000, within: 1 * hours },
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
  openingsByInvoice: { tries: 120, within: 1 * hours },
  exportsByAccount: { tries: 6, within: 1 * hours },
  cardsByAccount: { tries: 60, within: 1 * hours },
  declinedCardsByAccount: { tries: 20, within: 1 * hours },
  /** Promotion codes that there are none of, or that have ended. */
  wrongPromotionsByAccount: { tries: 10, within: 1 * hours },
  wrongPromotionsByNetwork: { tries: 10, within: 1 * hours },
  invitesByAccount: { tries: 1000, within: 1 * hours },
  mailsBySender: { tries: 6, within: 1 * days },
  mailsToMailbox: { tries: 10, within: 1 * days },
  resendsByInvite: { tries: 1, within: 10 * minutes },
  catchUpsByWebhook: { tries: 12, within: 1 * hours },
  writesByAccount: { tries: 2000, within: 1 * hours },
} as const

export const readLimits = {
  ...shipped.readLimits,
  readsByAccount: { tries: 3000, within: 1 * minutes },
  providerReadsByAccount: { tries: 120, within: 10 * minutes },
} as const

export const billingLimits = {
  ...shipped.billingLimits,
  lease: 1 * minutes,
  renewLease: 3 * seconds,
  providerTimeout: 20 * seconds,
  quoteLife: 1 * hours,
  creditQuoteLife: 5 * minutes,
  eventsKept: 30 * days,
  accountTimeout: 5 * seconds,
  pricesCached: 5 * minutes,
  reconcilePageSize: 100,
  reconcileOverlap: 1 * days,
  reconcileFirst: 30 * days,
} as const

export type PageSize = (typeof limits.pages.sizes)[number]
