import { calls, type CallName } from '#contract/calls.ts'
import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { aScene } from '../../tests/a-scene.ts'
import { newId } from '../platform/ids.ts'

/** How often each call waits for the database when it succeeds. */
const trips: Record<CallName, number> = {
  signUp: 11,
  signIn: 10,
  refreshSession: 7,
  signOut: 4,
  sendVerificationEmail: 5,
  sendPasswordResetEmail: 4,
  checkActionCode: 4,
  applyActionCode: 8,
  rejectVerification: 14,
  reauthenticate: 4,
  updateEmail: 9,
  updatePassword: 9,
  deleteAccount: 13,
  listSessions: 2,
  revokeSession: 5,
  revokeOtherSessions: 6,
  startProviderFlow: 3,
  unlinkProvider: 5,
  confirmPasswordReset: 16,
  getUser: 2,
  exportUser: 2,
  saveUser: 2,
  updateProfile: 2,
  listSubscriptions: 2,
  previewSubscription: 2,
  createSubscription: 4,
  completePayment: 20,
  getSubscription: 2,
  updateSubscriptionSettings: 3,
  listInvites: 2,
  listSentInvites: 2,
  checkInvite: 4,
  acceptInvite: 4,
  rejectInvite: 3,
  createInvite: 6,
  revokeInvite: 4,
  resendInvite: 8,
  createInviteLink: 4,
  getSubscriptionUsers: 2,
  updateUserPermissions: 3,
  removeUser: 3,
  leaveSubscription: 3,
  listActivity: 2,
  exportActivity: 2,
  listOwnActivity: 2,
  exportOwnActivity: 2,
  listInvoices: 2,
  previewPlanChange: 5,
  changeSubscriptionPlan: 42,
  cancelSubscription: 23,
  previewPayment: 3,
  payInvoice: 38,
  getPaymentMethods: 2,
  createSetupIntent: 8,
  setDefaultPaymentMethod: 9,
  deletePaymentMethod: 19,
  getBillingDetails: 2,
  updateBillingDetails: 11,
  transferSubscriptionOwnership: 33,
  listOwnPaymentMethods: 2,
  deleteOwnPaymentMethod: 31,
}

const names = Object.keys(trips) as CallName[]

/** Calls that screens make all the time. Each of their statements is prepared. */
const hot = new Set<CallName>([
  ...names.filter((name) => calls[name].effect === 'read' && calls[name].needs !== 'anyone'),
  'updateSubscriptionSettings',
  'checkInvite',
  'acceptInvite',
  'rejectInvite',
  'createInvite',
  'revokeInvite',
  'resendInvite',
  'createInviteLink',
  'updateUserPermissions',
  'removeUser',
  'leaveSubscription',
])

test('each API call makes the stated number of round trips to the database', async () => {
  const count = await aCounter()
  const counted: Record<string, number> = {}
  for (const name of names) {
    const { trips, unprepared } = await count(name)
    counted[name] = trips
    if (hot.has(name)) expect.soft(unprepared, name).toEqual([])
  }
  expect(counted).toEqual(trips)
})

test('an Idempotency-Key adds at most two round trips', async () => {
  const count = await aCounter()
  for (const name of names.filter((name) => calls[name].effect === 'write')) {
    const { trips: counted } = await count(name, { 'idempotency-key': newId() })
    expect.soft(counted, name).toBeLessThanOrEqual(trips[name] + 2)
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
    const count: Count = { trips: 0, unprepared: [], unanswered: new Map(), isOver: false }
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
  unanswered: Map<pg.Client, number>
  isOver: boolean
}

const counts = new AsyncLocalStorage<Count>()

/** What is sent to a connection that owes answers starts no round trip. */
function countQueries() {
  type Send = (...args: unknown[]) => Promise<unknown> | undefined
  const original = Object.getOwnPropertyDescriptor(pg.Client.prototype, 'query')!
  const send = original.value as Send
  onTestFinished(() => void Object.defineProperty(pg.Client.prototype, 'query', original))

  function counted(this: pg.Client, ...args: unknown[]) {
    const count = counts.getStore()
    const [query, then] = [args[0] as string | pg.QueryConfig, args.at(-1)]
    // Nothing waits for the answer to `begin`.
    if (!count || count.isOver || isOfSandbox(this) || query === 'begin')
      return send.apply(this, args)
    const owed = () => count.unanswered.get(this) ?? 0
    const onAnswer = () => count.unanswered.set(this, owed() - 1)
    if (owed() === 0) count.trips++
    count.unanswered.set(this, owed() + 1)
    const { name, text } = typeof query === 'string' ? { text: query } : query
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
  return connectionParameters.application_name === 'atrium sandbox'
}
