// @module-tag slow
import { calls, type CallName } from '#contract/calls.ts'
import { limitNames } from '#contract/entitlements.ts'
import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { aScene } from '../../tests/a-scene.ts'
import { deliver, event } from '../../tests/webhook.ts'
import { aWorld } from '../../tests/world.ts'
import { loadModules } from '../core/modules.ts'
import { newId } from '../platform/ids.ts'

const { hooks } = await loadModules()
/** What a new plan must fit is counted at once, if modules have limits. */
const countOfUses = Math.sign(limitNames.length)
const listsOfModules = hooks.filter(([, { exportUser }]) => exportUser).length

/** How often a call waits for the database when it succeeds. Others are held to `most`. */
const trips: { [name in CallName]?: number } = {
  signUp: 7,
  signIn: 6,
  refreshSession: 4,
  signOut: 3,
  sendVerificationEmail: 6,
  sendPasswordResetEmail: 2,
  checkActionCode: 3,
  applyActionCode: 5,
  claimAccount: 11,
  rejectVerification: 9,
  startPasskeySignIn: 2,
  finishSignIn: 11,
  reauthenticate: 4,
  listFactors: 2,
  startFactorEnrollment: 4,
  finishFactorEnrollment: 11,
  renewRecoveryCodes: 6,
  renameFactor: 7,
  removeFactor: 7,
  updateEmail: 8,
  correctEmail: 9,
  updatePassword: 6,
  deleteAccount: 15,
  listSessions: 2,
  revokeSession: 4,
  revokeOtherSessions: 4,
  listAccessTokens: 2,
  createAccessToken: 5,
  revokeAccessToken: 5,
  startProviderFlow: 3,
  unlinkProvider: 4,
  confirmPasswordReset: 8,
  getUser: 2,
  exportUser: 9 + listsOfModules,
  saveUser: 3,
  updateProfile: 3,
  listSubscriptions: 2,
  previewSubscription: 1,
  createSubscription: 5,
  findPurchase: 2,
  acknowledgePurchase: 4,
  completePayment: 15,
  getSubscription: 2,
  updateSubscriptionSettings: 4,
  updateSubscriptionSecurity: 6,
  remindOfSecondFactor: 6,
  listInvites: 2,
  listSentInvites: 2,
  checkInvite: 1,
  acceptInvite: 4,
  rejectInvite: 4,
  createInvite: 6,
  revokeInvite: 5,
  resendInvite: 8,
  createInviteLink: 5,
  createJoinLink: 4,
  getJoinLink: 2,
  revokeJoinLink: 5,
  checkJoinLink: 1,
  joinByLink: 6,
  requestToJoin: 7,
  listJoinRequests: 2,
  decideJoinRequest: 6,
  getSubscriptionUsers: 2,
  updateUserPermissions: 4,
  removeUser: 5,
  leaveSubscription: 5,
  listActivity: 2,
  exportActivity: 3,
  listOwnActivity: 2,
  exportOwnActivity: 3,
  listInvoices: 2,
  previewPlanChange: 3 + countOfUses,
  changeSubscriptionPlan: 32 + countOfUses,
  undoPlanChange: 21,
  cancelSubscription: 20,
  previewCancellation: 2,
  resumeSubscription: 21,
  previewPayment: 2,
  payInvoice: 30,
  getPaymentMethods: 3,
  createSetupIntent: 8,
  setDefaultPaymentMethod: 9,
  deletePaymentMethod: 13,
  getBillingDetails: 3,
  updateBillingDetails: 11,
  transferSubscriptionOwnership: 28,
  listOwnPaymentMethods: 2,
  deleteOwnPaymentMethod: 20,
}

/** Every call is made once, some with much before it. */
const long = { timeout: 300_000 }
const most = { read: 3, write: 6, external: 10, billing: 30 }

const names = Object.keys(calls) as CallName[]

/** Calls that screens make all the time. Each of their statements is prepared. */
const hot = new Set<CallName>([
  ...names.filter((name) => calls[name].effect === 'read' && calls[name].needs !== 'anyone'),
  'signIn',
  'refreshSession',
  'updateSubscriptionSettings',
  'checkInvite',
  'acceptInvite',
  'rejectInvite',
  'createInvite',
  'revokeInvite',
  'resendInvite',
  'createInviteLink',
  'joinByLink',
  'decideJoinRequest',
  'updateUserPermissions',
  'removeUser',
  'leaveSubscription',
])

test('each API call makes the stated number of round trips to the database', long, async () => {
  const count = await aCounter()
  const counted: Record<string, number> = {}
  for (const name of names) {
    const { trips: had, unprepared } = await count(name)
    if (name in trips) counted[name] = had
    else expect.soft(had, name).toBeLessThanOrEqual(most[calls[name].effect])
    if (hot.has(name)) expect.soft(unprepared, name).toEqual([])
  }
  expect(counted).toEqual(trips)
})

test('an Idempotency-Key adds at most two round trips', long, async () => {
  const count = await aCounter()
  for (const name of names.filter((name) => calls[name].effect === 'write')) {
    const { trips: had } = await count(name, { 'idempotency-key': newId() })
    expect.soft(had, name).toBeLessThanOrEqual((trips[name] ?? most.write) + 2)
  }
})

test('a webhook is stored in one round trip to the database', async () => {
  countQueries()
  const world = await aWorld()
  const about = { id: 'sub_1', object: 'subscription' }
  // The first one loads what the second one finds.
  for (const id of ['evt_1', 'evt_2']) {
    const count = newCount()
    const payload = event(id, 'customer.subscription.updated', about)
    const { status } = await counts.run(count, () => deliver(world, payload))
    expect({ status, trips: count.trips }).toEqual({ status: 200, trips: 1 })
  }
})

/** Counts what a call does itself, and not what jobs, webhooks or the sandbox do. */
async function aCounter() {
  countQueries()
  const { world, prepare } = await aScene()

  return async (name: CallName, headers = {}) => {
    const { by, input, headers: own } = await prepare(name)
    // Delivers the webhooks of the preparation, and lets none come during the call.
    await world.passAtProvider(1)
    await world.control({ webhooks: { mode: 'hold' } })
    // A call that waits for the lease of a job asks for it again and again.
    await world.untilWorkedOff()
    const count = newCount()
    const options = { token: by?.token, headers: { ...own, ...headers } }
    const answer = await counts.run(count, () => world.call(name, input as never, options))
    count.isOver = true
    await world.control({ reset: true })
    expect(answer.error, name).toBeUndefined()
    return count
  }
}

type Count = {
  trips: number
  /** The texts of statements without a name. */
  unprepared: string[]
  /** What is sent until the next answer belongs to one trip. */
  isOnTrip: boolean
  isOver: boolean
}

function newCount(): Count {
  return { trips: 0, unprepared: [], isOnTrip: false, isOver: false }
}

const counts = new AsyncLocalStorage<Count>()

function countQueries() {
  type Send = (...args: unknown[]) => Promise<unknown> | undefined
  const original = Object.getOwnPropertyDescriptor(pg.Client.prototype, 'query')!
  const send = original.value as Send
  onTestFinished(() => void Object.defineProperty(pg.Client.prototype, 'query', original))

  function counted(this: pg.Client, ...args: unknown[]) {
    const count = counts.getStore()
    const [query, then] = [args[0] as pg.QueryConfig | string, args.at(-1)]
    const { name, text }: Partial<pg.QueryConfig> =
      typeof query === 'string' ? { text: query } : query
    // Nothing waits for the answer to `begin`.
    if (!count || count.isOver || isOfSandbox(this) || text === 'begin')
      return send.apply(this, args)
    const onAnswer = () => void (count.isOnTrip = false)
    if (!count.isOnTrip) count.trips++
    count.isOnTrip = true
    if (!name && text !== 'commit') count.unprepared.push(text)
    if (typeof then !== 'function') {
      const answer = send.apply(this, args)!
      answer.then(onAnswer, onAnswer)
      return answer
    }
    return send.apply(this, [
      ...args.slice(0, -1),
      (...answer: unknown[]) => {
        onAnswer()
        then(...answer)
      },
    ])
  }

  Object.defineProperty(pg.Client.prototype, 'query', { ...original, value: counted })
}

function isOfSandbox(client: pg.Client) {
  const { connectionParameters } = client as unknown as { connectionParameters: pg.ClientConfig }
  return connectionParameters.application_name === 'sandbox'
}
