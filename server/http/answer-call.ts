import { whyNot } from '#contract/access.ts'
import { calls, isCallName, type CallName, type CallRow } from '#contract/calls.ts'
import type { AuthUser } from '#contract/entities.ts'
import { withBillingLease } from '../billing/lease.ts'
import type { CurrentUser, Handler, RequestOf, Visit } from '../core/handle.ts'
import type { Services } from '../core/services.ts'
import { findCurrentUser } from '../identity/sessions.ts'
import type { Lease } from '../store/billing.ts'
import { logAs } from '../platform/log.ts'
import { Refusal } from '../platform/refusal.ts'
import { handlers } from './calls.ts'
import { answerInSteps, answerInTransaction } from './idempotency.ts'
import { parseInput } from './parse-input.ts'

export type IncomingCall = {
  name: string
  data: unknown
  accessToken: string | undefined
  idempotencyKey: string | undefined
  visit: Visit
}

/** The pipeline of every call: find its row, identify the caller, parse the input, admit, run. */
export async function answerCall(call: IncomingCall, services: Services): Promise<unknown> {
  const { name } = call
  if (!isCallName(name)) throw new Refusal('unknownCall')
  const row: CallRow = calls[name]
  const user = await identify(row, call.accessToken, services)
  if (user) logAs({ user: user.uid }, services)
  const input = parseInput(row, call.data)
  const account = accountTried(name, row, input, user)
  if (account !== undefined) logAs({ account }, services)

  const takesKey = row.needs !== 'anyone' && !row.secret
  const key =
    user && takesKey && call.idempotencyKey !== undefined
      ? { userId: user.uid, key: call.idempotencyKey }
      : undefined
  const once = { key, request: [name, call.data] }

  if (row.effect !== 'read') await limitWrites()
  switch (row.effect) {
    case 'read':
      return admitAndRun(services)
    case 'write':
      // One transaction, with two locks in this order: the key's, then the subscription's row.
      return answerInTransaction(once, services, admitAndRun)
    case 'external': {
      // The key is claimed in a transaction of its own; the call's function opens others.
      const answer = await answerInSteps(once, services, admitAndRun)
      if (row.signsIn && !user) logAs({ user: (answer as { user: AuthUser }).user.uid }, services)
      return answer
    }
    case 'billing':
      return answerInSteps(once, services, admitAndRunWithLease)
  }

  async function admit({ store }: Services) {
    const id = input['subscriptionId'] as string | undefined
    if (id !== undefined && row.effect === 'write') await store.subscriptions.lock(id)
    const subscription = id === undefined ? undefined : await store.subscriptions.find(id)
    const reason = whyNot(row, user?.uid, subscription)
    if (reason) throw new Refusal(reason)
    return subscription
  }

  async function admitAndRun(services: Services, lease?: Lease) {
    const subscription = await admit(services)
    const request = { input, user, subscription, lease, visit: call.visit, key }
    return (handlers[name as CallName] as Handler<CallName>)(
      request as unknown as RequestOf<CallName>,
      services,
    )
  }

  /** Judges the caller before they wait for the lease, and again when they have it. */
  async function admitAndRunWithLease(services: Services) {
    await admit(services)
    const subscriptionId = input['subscriptionId'] as string
    return withBillingLease(subscriptionId, services, (lease) => admitAndRun(services, lease))
  }

  /** Calls that anyone may make are limited by network, each in its own function. */
  async function limitWrites() {
    if (!user || row.needs === 'anyone') return
    const by = row.perSession ? user.session.id : user.uid
    await services.rateLimits.consume('writesByAccount', `${by}:${name}`)
  }
}

async function identify(
  { needs }: CallRow,
  accessToken: string | undefined,
  services: Services,
): Promise<CurrentUser | undefined> {
  const user = accessToken === undefined ? undefined : await findCurrentUser(accessToken, services)
  if (user || needs === 'anyone') return user
  throw new Refusal(accessToken === undefined ? 'notSignedIn' : 'sessionEnded')
}

/** The address of the account that the caller tries to get into, theirs or not. */
function accountTried(
  name: CallName,
  { needs }: CallRow,
  input: Record<string, unknown>,
  user: CurrentUser | undefined,
) {
  if (name === 'reauthenticate') return user?.email
  return needs === 'anyone' ? (input['email'] as string | undefined) : undefined
}
