import { whyNot } from '#contract/access.ts'
import { calls, isCallName, type CallName, type CallRow } from '#contract/calls.ts'
import { refusals, type Reason } from '#contract/refusals.ts'
import type { $ZodIssue } from 'zod/v4/core'
import { withBillingLease } from '../billing/lease.ts'
import type { Lease } from '../store/billing.ts'
import { handlers } from './calls.ts'
import type { CurrentUser, Handler, RequestOf, Visit } from '../core/handle.ts'
import { answerOnce } from './idempotency.ts'
import { logAs } from '../platform/log.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Services } from '../core/services.ts'
import { findCurrentUser } from '../identity/sessions.ts'

export type IncomingCall = {
  name: string
  data: unknown
  accessToken: string | undefined
  idempotencyKey: string | undefined
  visit: Visit
}

/** find → identify → parse → load → admit → run, the same for every call. */
export async function answerCall(call: IncomingCall, services: Services): Promise<unknown> {
  const name = find(call.name)
  const user = await identify(name, call.accessToken, services)
  if (user) logAs({ user: user.uid }, services)
  const input = parse(name, call.data)
  const account = accountTried(name, input, user)
  if (account !== undefined) logAs({ account }, services)
  const row: CallRow = calls[name]
  const { effect } = row
  const keepsAnswer = row.needs !== 'anyone' && !row.secret

  const key =
    user && call.idempotencyKey !== undefined && keepsAnswer
      ? { userId: user.uid, key: call.idempotencyKey }
      : undefined
  const admit = async (services: Services) => {
    const subscription = await load(input, services, { locked: effect === 'write' })
    const reason = whyNot(calls[name], user?.uid, subscription)
    if (reason) throw new Refusal(reason)
    return subscription
  }
  const admitAndRun = async (services: Services, lease?: Lease) => {
    const subscription = await admit(services)
    const run = handlers[name] as Handler<CallName>
    return run(
      {
        input,
        user,
        subscription,
        lease,
        visit: call.visit,
        key,
      } as unknown as RequestOf<CallName>,
      services,
    )
  }

  if (effect === 'read') return admitAndRun(services)
  // Calls that nobody has to be signed in for are limited by address, each in its handler.
  if (user && row.needs !== 'anyone')
    await services.attempts.take(
      'writesByAccount',
      `${row.perSession ? user.session.id : user.uid}:${name}`,
    )
  const work = effect === 'billing' ? withLease : admitAndRun
  return answerOnce({ key, effect, request: [name, call.data] }, services, work)

  /** Refuses before it waits for the lease, and checks again once it has it. */
  async function withLease(services: Services) {
    await admit(services)
    const subscriptionId = input['subscriptionId'] as string
    return withBillingLease(subscriptionId, services, (lease) => admitAndRun(services, lease))
  }
}

function find(name: string): CallName {
  if (!isCallName(name)) throw new Refusal('unknownCall')
  return name
}

async function identify(
  name: CallName,
  accessToken: string | undefined,
  services: Services,
): Promise<CurrentUser | undefined> {
  const user = accessToken === undefined ? undefined : await findCurrentUser(accessToken, services)
  if (user || calls[name].needs === 'anyone') return user
  throw new Refusal(accessToken === undefined ? 'notSignedIn' : 'sessionEnded')
}

/** The address of an account that somebody tries to get into, theirs or not. */
function accountTried(
  name: CallName,
  input: Record<string, unknown>,
  user: CurrentUser | undefined,
) {
  if (name === 'reauthenticate') return user?.email
  return calls[name].needs === 'anyone' ? (input['email'] as string | undefined) : undefined
}

function parse(name: CallName, data: unknown): Record<string, unknown> {
  const { success, data: input, error } = calls[name].input.safeParse(data ?? {})
  if (success) return input
  const fields = Object.fromEntries(error.issues.flatMap((issue) => fieldsOf(issue, data)))
  const own = error.issues.find(({ message }) => isReason(message))
  if (!own) throw new Refusal('invalidInput', { fields })
  // A field may say more of its refusal.
  throw new Refusal(own.message as Reason, { ...(own.code === 'custom' && own.params), fields })
}

function isReason(message: string): message is Reason {
  return Object.hasOwn(refusals, message)
}

/** Each field that is wrong, by its dotted path, with what is wrong: `unknown`, `required`, a reason of its own, or the schema's code. */
function fieldsOf(issue: $ZodIssue, data: unknown): [string, string][] {
  const path = issue.path.join('.')
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => [path ? `${path}.${key}` : key, 'unknown'])
  if (isEmpty(valueAt(data, issue.path))) return [[path, 'required']]
  return [[path, isReason(issue.message) ? issue.message : issue.code]]
}

function valueAt(data: unknown, path: PropertyKey[]) {
  return path.reduce(
    (value, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key],
    data,
  )
}

function isEmpty(value: unknown) {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
}

async function load(
  input: Record<string, unknown>,
  { store }: Services,
  { locked }: { locked: boolean },
) {
  const { subscriptionId } = input
  if (typeof subscriptionId !== 'string') return undefined
  if (locked) await store.subscriptions.lock(subscriptionId)
  return store.subscriptions.find(subscriptionId)
}
