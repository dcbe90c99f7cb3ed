import { limits } from '#config/limits.ts'
import type { CallInput, CallName, CallOutput } from '#contract/calls.ts'
import type { Reason, RefusalBody } from '#contract/refusals.ts'
import { logError } from '../platform/log.ts'

/** Reasons that the browser finds itself, not the server. */
type OwnReason =
  | 'network'
  | 'outcomeUnknown'
  | 'cookiesRefused'
  | 'auth/popup-blocked'
  | 'auth/popup-closed-by-user'
  | 'auth/passkey-canceled'
  | 'auth/passkey-wrong-domain'
  | 'paymentDetailsNotSubmitted'
  | 'paymentMethodNotCreated'
  | 'noPaymentMethod'
  | 'addressElementMissing'
  | 'paymentsBlocked'
  | 'paymentUnexpected'

/** Why a call failed: the server's reason, or one that the browser found itself. */
export class CallError extends Error {
  readonly reason: Reason | OwnReason
  readonly details: Record<string, unknown>

  constructor(reason: Reason | OwnReason, details: Record<string, unknown> = {}) {
    super(reason)
    this.reason = reason
    this.details = details
  }
}

/** An error to show. One that nobody expected is logged, and shown like one of the server's own. */
export function toCallError(error: unknown) {
  if (error instanceof CallError) return error
  logError('A step of the page failed.', error)
  return new CallError('internal')
}

/** Whether the server refused a call because nobody is signed in any more. */
export function isSignedOut(error: unknown) {
  return (
    error instanceof CallError &&
    (error.reason === 'notSignedIn' || error.reason === 'sessionEnded')
  )
}

export type PostOptions = {
  token?: string | undefined
  idempotencyKey?: string | undefined
  signal?: AbortSignal
  /** Whether the request goes on when the page is closed. */
  keepalive?: boolean
}

/**
 * The ids of changes by calls with an idempotency key that succeeded, after which this tab reads
 * again itself.
 */
export const ownChanges = new Set<string>()

/** Sends one request. All but the session itself use `call`, which renews the access token. */
export async function post<Name extends CallName>(
  name: Name,
  input: CallInput<Name>,
  { token, idempotencyKey, signal, keepalive = false }: PostOptions = {},
): Promise<CallOutput<Name>> {
  const headers = new Headers({ 'Content-Type': 'application/json' })
  if (token) headers.set('Authorization', `Bearer ${token}`)
  if (idempotencyKey) headers.set('Idempotency-Key', idempotencyKey)
  const request = { method: 'POST', headers, body: JSON.stringify({ data: input }), keepalive }
  const response = await reach(`/api/${name}`, request, signal)
  const body = await readBody<CallOutput<Name>>(response)
  if (!('result' in body))
    throw new CallError(body.error.details?.reason ?? 'internal', body.error.details)
  for (const change of response.headers.get('change-id')?.split(', ') ?? []) ownChanges.add(change)
  return body.result
}

async function reach(url: string, request: RequestInit, signal?: AbortSignal) {
  try {
    const timeout = AbortSignal.timeout(limits.calls.timeout)
    return await fetch(url, {
      ...request,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
  } catch (error) {
    throw lost(error)
  }
}

/** No answer, or not all of it. */
function lost(error: unknown) {
  const isLate = error instanceof DOMException && error.name === 'TimeoutError'
  return new CallError(isLate ? 'timeout' : 'network')
}

/** A proxy may answer instead of the server, in another format than JSON. */
async function readBody<Result>(
  response: Response,
): Promise<{ result: Result } | { error: RefusalBody }> {
  try {
    return await response.json()
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw lost(error)
    throw new CallError(response.status >= 500 ? 'unavailable' : 'internal')
  }
}
