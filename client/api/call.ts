import type { CallInput, CallName, CallOutput } from '#contract/calls.ts'
import { CallError, post, type PostOptions } from './post.ts'
import { currentToken, enter, refreshSession, refreshUser } from './session.ts'

/** Asks the server. An access token that has run out is renewed once, unseen. */
export async function call<Name extends CallName>(
  name: Name,
  input: CallInput<Name>,
  options: Omit<PostOptions, 'token'> = {},
): Promise<CallOutput<Name>> {
  const token = currentToken()
  try {
    return await post(name, input, { ...options, token })
  } catch (error) {
    if (!token || !isSignedOut(error) || !(await refreshSession())) throw error
    return post(name, input, { ...options, token: currentToken() })
  }
}

/** Makes a call that changes something, and lets everything that shows it know. */
export async function act<Name extends CallName>(
  name: Name,
  input: CallInput<Name>,
  idempotencyKey = newIdempotencyKey(),
): Promise<CallOutput<Name>> {
  const output = await carryOut(name, input, idempotencyKey)
  if (isSignIn(output)) enter(output)
  else if (changesUser.has(name)) await refreshUser()
  if (!endsAccess.has(name)) tellOfChange()
  return output
}

async function carryOut<Name extends CallName>(name: Name, input: CallInput<Name>, idempotencyKey: string) {
  leaving = endsAccess.has(name)
  try {
    return await call(name, input, { idempotencyKey })
  } catch (error) {
    leaving = false
    throw error
  }
}

/** Says that a repeated request is the same one. */
export function newIdempotencyKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

const changesUser: ReadonlySet<CallName> = new Set(['updateProfile', 'applyActionCode', 'checkInvite'])
/** What is on screen would be refused if it were asked for again: whoever makes these goes elsewhere first, and tells then. */
const endsAccess: ReadonlySet<CallName> = new Set(['leaveSubscription', 'deleteAccount'])
const listeners = new Set<() => void>()
let leaving = false

/** Something was changed, if not by a call of this page. */
export function tellOfChange() {
  leaving = false
  for (const listener of listeners) listener()
}

/** What is on screen is being left, or has been: it isn't to be asked for again before `tellOfChange`. */
export function isLeaving() {
  return leaving
}

export function onChange(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function isSignedOut(error: unknown) {
  return error instanceof CallError && (error.reason === 'notSignedIn' || error.reason === 'sessionEnded')
}

function isSignIn(output: unknown): output is CallOutput<'signIn'> {
  return typeof output === 'object' && output !== null && 'token' in output
}
