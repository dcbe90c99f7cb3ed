import { whyNot } from '#contract/access.ts'
import { calls, isCallName, type CallName, type CallRow } from '#contract/calls.ts'
import { refusals, type Reason } from '#contract/refusals.ts'
import type { $ZodIssue } from 'zod/v4/core'
import { inTurn } from './billing/turn.ts'
import { handlers } from './calls/calls.ts'
import type { CurrentUser, Handler, RequestOf, Visit } from './handle.ts'
import { answerOnce } from './idempotency.ts'
import { logAs } from './log.ts'
import { Refusal } from './refusal.ts'
import type { Services } from './services.ts'
import { findCurrentUser } from './sessions.ts'

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

  const key = user && call.idempotencyKey !== undefined && !row.secret ? { userId: user.uid, key: call.idempotencyKey } : undefined
  const admit = async (services: Services) => {
    const subscription = await load(input, services, { locked: effect === 'write' })
    const reason = whyNot(calls[name], user?.uid, subscription)
    if (reason) throw new Refusal(reason)
    return subscription
  }
  const admitAndRun = async (services: Services) => {
    const subscription = await admit(services)
    const run = handlers[name] as Handler<CallName>
    return run({ input, user, subscription, visit: call.visit, key } as unknown as RequestOf<CallName>, services)
  }

  if (effect === 'read') return admitAndRun(services)
  const work = effect === 'billing' ? takingTurns : admitAndRun
  return answerOnce({ key, effect, request: [name, call.data] }, services, work)

  /** Who may not ask waits for nobody; who may is judged again when their turn has come. */
  async function takingTurns(services: Services) {
    await admit(services)
    return inTurn(input['subscriptionId'] as string, services, () => admitAndRun(services))
  }
}

function find(name: string): CallName {
  if (!isCallName(name)) throw new Refusal('unknownCall')
  return name
}

async function identify(name: CallName, accessToken: string | undefined, services: Services): Promise<CurrentUser | undefined> {
  const user = accessToken === undefined ? undefined : await findCurrentUser(accessToken, services)
  if (user || calls[name].needs === 'anyone') return user
  throw new Refusal(accessToken === undefined ? 'notSignedIn' : 'sessionEnded')
}

/** The address of an account that somebody tries to get into, theirs or not. */
function accountTried(name: CallName, input: Record<string, unknown>, user: CurrentUser | undefined) {
  if (name === 'reauthenticate') return user?.email
  return calls[name].needs === 'anyone' ? (input['email'] as string | undefined) : undefined
}

function parse(name: CallName, data: unknown): Record<string, unknown> {
  const { success, data: input, error } = calls[name].input.safeParse(data ?? {})
  if (success) return input
  const own = error.issues.map(({ message }) => message).find(isReason)
  throw new Refusal(own ?? 'invalidInput', { fields: Object.fromEntries(error.issues.flatMap(fieldsOf)) })
}

function isReason(message: string): message is Reason {
  return Object.hasOwn(refusals, message)
}

/** Each field that is wrong, by its dotted path, with what is wrong: `unknown`, `required` or the schema's own code. */
function fieldsOf(issue: $ZodIssue): [string, string][] {
  const path = issue.path.join('.')
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => [path ? `${path}.${key}` : key, 'unknown'])
  if (issue.code === 'invalid_type' && issue.input === undefined) return [[path, 'required']]
  if (issue.code === 'too_small' || issue.code === 'custom') return [[path, 'required']]
  return [[path, issue.code]]
}

async function load(input: Record<string, unknown>, { store }: Services, { locked }: { locked: boolean }) {
  const { subscriptionId } = input
  if (typeof subscriptionId !== 'string') return undefined
  if (locked) await store.subscriptions.lock(subscriptionId)
  return store.subscriptions.find(subscriptionId)
}
