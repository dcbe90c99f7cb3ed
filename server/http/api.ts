import { limits } from '#config/limits.ts'
import { calls, isCallName, type CallName } from '#contract/calls.ts'
import type { AuthUser } from '#contract/entities.ts'
import { takesKey } from '#contract/reasons-of.ts'
import { refusals, type Reason } from '#contract/refusals.ts'
import type { CallRow } from '#contract/rows.ts'
import type { HttpBindings } from '@hono/node-server'
import { Hono, type Context } from 'hono'
import type { $ZodIssue } from 'zod/v4/core'
import { activityCalls } from '../activity/calls.ts'
import { cardCalls } from '../billing/card-calls.ts'
import { invoiceCalls } from '../billing/invoice-calls.ts'
import { withBillingLease } from '../billing/lease.ts'
import { ownershipCalls } from '../billing/ownership-offers.ts'
import { planCalls } from '../billing/plan-calls.ts'
import { previewCalls } from '../billing/preview-calls.ts'
import { requireAccess } from '../core/require-access.ts'
import { openProviderReads, type ProviderReads } from '../core/provider-reads.ts'
import type { Handler, Handlers, RequestOf, Services } from '../core/services.ts'
import { accountCalls } from '../identity/account-calls.ts'
import { actionCodeCalls } from '../identity/action-code-calls.ts'
import { factorCalls } from '../identity/factor-calls.ts'
import { sessionCalls } from '../identity/session-calls.ts'
import { signInCalls } from '../identity/sign-in-calls.ts'
import { inviteCalls } from '../invites/calls.ts'
import { joinLinkCalls } from '../invites/join-links.ts'
import { joinRequestCalls } from '../invites/join-requests.ts'
import { memberCalls } from '../members/calls.ts'
import { logAs } from '../platform/log.ts'
import { Refusal } from '../platform/refusal.ts'
import { profileCalls } from '../profile/calls.ts'
import type { Lease } from '../store/billing.ts'
import { subscriptionCalls } from '../subscriptions/calls.ts'
import { securityCalls } from '../subscriptions/security.ts'
import { tooBusy } from '../running/busy.ts'
import { findCaller, openCallers } from './callers.ts'
import { openExports, type Exports } from './exports.ts'
import { answerOnce, inSteps, inTransaction } from './idempotency.ts'
import type { InProgress } from '../running/in-progress.ts'
import { bearerOf, limitBody, observeCalls, refusalFor, type CallEnv } from './request.ts'

/** The function of every call of the core. If a call has none, the code does not compile. */
const ofCore: Handlers = {
  ...accountCalls,
  ...actionCodeCalls,
  ...factorCalls,
  ...activityCalls,
  ...cardCalls,
  ...inviteCalls,
  ...invoiceCalls,
  ...joinLinkCalls,
  ...joinRequestCalls,
  ...memberCalls,
  ...planCalls,
  ...ownershipCalls,
  ...previewCalls,
  ...profileCalls,
  ...securityCalls,
  ...sessionCalls,
  ...signInCalls,
  ...subscriptionCalls,
}

type ApiOptions = { isBusy: () => boolean; inProgress: InProgress }

/** POST {"data": …} is answered with {"result": …} or {"error": {status, message, details}}. */
export function apiRoutes(services: Services, { isBusy, inProgress }: ApiOptions) {
  const shared: Shared = {
    handlers: { ...ofCore, ...services.modules.calls } as Shared['handlers'],
    identify: openCallers(),
    askProvider: openProviderReads(),
    exportAll: openExports(services),
  }
  return new Hono<CallEnv>()
    .basePath('/api')
    .use(observeCalls)
    .use(limitBody(limits.calls.bodySize))
    .post('/:name', async (c) => {
      const data = await dataOf(c)
      // The server may have become busy while the body arrived.
      if (isBusy()) throw tooBusy()
      const call = answerCall(c, data, { ...services, log: c.get('log') }, shared)
      const result = await inProgress.answer(call)
      c.header('cache-control', 'no-store')
      if (result instanceof ReadableStream)
        return c.body(result, 200, { 'content-type': 'application/json' })
      return c.json({ result: result ?? null })
    })
    .all('*', () => {
      throw new Refusal('unknownCall')
    })
    .onError((error, c) => {
      const refusal = refusalFor(error, c, 'a call failed')
      c.set('refusal', refusal)
      c.header('cache-control', 'no-store')
      return c.json(refusal.toBody(), refusal.httpStatus)
    })
}

/** What calls of one server share. */
type Shared = {
  handlers: Record<CallName, Handler<CallName>>
  identify: ReturnType<typeof openCallers>
  askProvider: ProviderReads
  exportAll: Exports
}

/** Finds a call's row, identifies the caller, parses the input, checks rights and runs the call. */
async function answerCall(
  c: Context<CallEnv>,
  data: unknown,
  services: Services,
  { handlers, identify, askProvider, exportAll }: Shared,
) {
  const name = c.req.param('name')!
  const idempotencyKey = idempotencyKeyOf(c)
  if (!isCallName(name)) throw new Refusal('unknownCall')
  const row: CallRow = calls[name]
  const parsed = row.input.safeParse(data ?? {})
  const asked = {
    name,
    subscriptionId: (parsed.data ?? (data as Record<string, unknown> | null))?.['subscriptionId'],
    accessToken: bearerOf(c),
    network: c.get('visit').network,
  }
  const { user, shown } = await identify(asked, services)
  if (user) logAs('user', user.uid, services)
  if (user?.accessToken) c.get('log').setBindings({ token: user.accessToken.id })
  const input = requireInput(parsed, data)
  const account = accountTried()
  if (account !== undefined) logAs('account', account, services)

  const key =
    user && takesKey(row) && idempotencyKey !== undefined
      ? { userId: user.uid, key: idempotencyKey }
      : undefined
  const tell = (change: string) => c.header('change-id', change, { append: true })
  const once = key && { key, request: [name, data], tell }
  let isNamed = false

  switch (row.effect) {
    case 'read':
      if (row.asksProvider) return admitAndAskProvider()
      if (row.streamed) return admitAndExport()
      return admitAndRun(services)
    case 'write':
      // The transaction locks the idempotency key first and the subscription's row second.
      return once
        ? answerOnce(once, services, admitAndRun, inTransaction)
        : services.transaction(admitAndRun)
    case 'external': {
      // Claims the idempotency key in a transaction of its own. The call's function opens others.
      const answer = await answerInSteps(admitAndRun)
      const signedIn = (answer as { user?: AuthUser }).user
      if (signedIn && !user) logAs('user', signedIn.uid, services)
      return answer
    }
    case 'billing':
      return answerInSteps(admitAndRunWithLease)
  }

  function answerInSteps(work: (services: Services) => Promise<unknown>) {
    return once ? answerOnce(once, telling(tell, services), work, inSteps) : work(services)
  }

  /** The address of the account that a visitor tries to get into, perhaps another person's. */
  function accountTried() {
    if (name === 'reauthenticate') return user?.email
    return row.needs === 'anyone' ? (input['email'] as string | undefined) : undefined
  }

  async function admit(services: Services) {
    const subscription = await findSubscription(services)
    // An id of no project is what somebody has typed, which the log never repeats.
    if (subscription && !isNamed) c.get('log').setBindings({ subscription: subscription.id })
    isNamed ||= subscription !== undefined
    requireAccess(row, user, subscription, services)
    return subscription
  }

  async function findSubscription({ store }: Services) {
    // A call that anyone may make is not judged, so it reads the subscription itself.
    const id = row.needs === 'anyone' ? undefined : (input['subscriptionId'] as string | undefined)
    if (id === undefined || row.effect === 'read') return shown
    if (row.effect !== 'write') return store.subscriptions.find(id)
    const otherId = input['userId'] as string | undefined
    const [, subscription] = await Promise.all([
      store.subscriptions.lock({ id }),
      store.subscriptions.findForWrite({ id, userId: user!.uid, otherId }),
    ])
    return subscription
  }

  async function admitAndRun(services: Services, lease?: Lease) {
    const handler = handlers[name as CallName]
    const subscription = await admit(services)
    const request = { input, user, visit: c.get('visit'), key, subscription, lease }
    return handler(request as RequestOf<CallName>, services)
  }

  /** Checks the caller's rights before the question, whose answer others may share. */
  async function admitAndAskProvider() {
    await admit(services)
    return askProvider(user!.uid, [name, input], () => {
      services.readLimits.consume('providerReadsByAccount', user!.uid)
      return admitAndRun(services)
    })
  }

  async function admitAndExport() {
    await admit(services)
    const judgeAgain = async () => {
      const found = await findCaller(asked, services)
      if (!found) throw new Refusal('sessionEnded')
      const caller = { uid: user!.uid, session: found.session }
      requireAccess(row, caller, found.subscription, services)
    }
    const { outgoing } = (c.env ?? {}) as Partial<HttpBindings>
    const breakOff = outgoing && (() => void outgoing.destroy())
    const to = {
      account: user!.uid,
      project: input['subscriptionId'] as string | undefined,
      judge: judgeAgain,
      breakOff,
    }
    return exportAll(to, () => admitAndRun(services))
  }

  /** Checks the caller's rights before the wait for the billing lease, and again with the lease. */
  async function admitAndRunWithLease(services: Services) {
    await admit(services)
    const subscriptionId = input['subscriptionId'] as string
    return withBillingLease(subscriptionId, services, (lease) => admitAndRun(services, lease))
  }
}

/** Tells the id of each transaction with a change, so that the caller's tab reads once. */
function telling(tell: (change: string) => void, services: Services): Services {
  const transaction: Services['transaction'] = (work) =>
    services.transaction(async (services) => {
      const answer = await work(services)
      const change = await services.store.outbox.findChange()
      if (change !== undefined) tell(change)
      return answer
    })
  return { ...services, transaction }
}

async function dataOf(c: Context) {
  if (!/^application\/json\s*(;\s*charset=utf-8\s*)?$/i.test(c.req.header('content-type') ?? ''))
    throw new Refusal('badRequest')
  const body = parseBody(await c.req.text())
  if (typeof body !== 'object' || body === null || Object.keys(body).join() !== 'data')
    throw new Refusal('badRequest')
  return (body as { data: unknown }).data
}

function parseBody(text: string): unknown {
  try {
    // A reviver costs several times the parsing, so only a text that may need it gets it.
    return JSON.parse(text, unstorable.test(text) ? refuseUnstorable : undefined)
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal('badRequest')
  }
}

/** The escapes of NUL characters and surrogates. JSON has no other NUL, UTF-8 no surrogates. */
const unstorable = /\\u(0000|d[89a-f])/i

/** Refuses strings that PostgreSQL can't store: with a NUL character or half a surrogate pair. */
function refuseUnstorable(key: string, value: unknown) {
  if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed()))
    throw new Refusal('invalidInput', { fields: { [key]: 'malformed' } })
  return value
}

function idempotencyKeyOf(c: Context) {
  const key = c.req.header('idempotency-key')
  if (key !== undefined && !/^[\x21-\x7e]{1,255}$/.test(key))
    throw new Refusal('invalidInput', { fields: { 'Idempotency-Key': 'malformed' } })
  return key
}

function requireInput(parsed: ReturnType<CallRow['input']['safeParse']>, data: unknown) {
  if (parsed.success) return parsed.data
  const { issues } = parsed.error
  const fields = Object.fromEntries(issues.flatMap((issue) => wrongFields(issue, data)))
  const own = issues.find(({ message }) => isReason(message))
  if (!own) throw new Refusal('invalidInput', { fields })
  // The issue's params give details, such as the rule that a password breaks.
  throw new Refusal(own.message as Reason, { ...(own.code === 'custom' && own.params), fields })
}

function isReason(message: string): message is Reason {
  return Object.hasOwn(refusals, message)
}

/** Pairs of a dotted path and its problem: `unknown`, `required`, our reason or zod's code. */
function wrongFields(issue: $ZodIssue, data: unknown): [string, string][] {
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
