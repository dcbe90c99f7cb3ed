import type { CallInput, CallName, CallOutput } from '#contract/calls.ts'
import { changesUser, endsAccess, endsAccount, signsIn } from '#contract/flags/calls.ts'
import { CallError, isSignedOut, post, type PostOptions } from './post.ts'
import {
  currentToken,
  enter,
  expectDeletion,
  refreshSession,
  refreshUser,
  session,
} from './session.ts'
import { finishSignOut } from './sign-out.ts'

type CallOptions = Omit<PostOptions, 'token' | 'keepalive'>

/** Asks the server as the signed-in user, if there is one. An expired token is renewed once. */
export async function call<Name extends CallName>(
  name: Name,
  input: CallInput<Name>,
  options: CallOptions = {},
): Promise<CallOutput<Name>> {
  const caller = currentUid()
  const token = currentToken()
  const output = await post(name, input, { ...options, token }).catch(async (error: unknown) => {
    if (!token || !isSignedOut(error) || !(await refreshSession())) throw error
    return post(name, input, { ...options, token: currentToken() })
  })
  // The answer is for a user who has signed out meanwhile: nobody else may see it.
  if (caller !== undefined && caller !== currentUid()) throw new CallError('notSignedIn')
  return output
}

function currentUid() {
  const current = session.get()
  return current.status === 'signedIn' ? current.user.uid : undefined
}

/** Makes a call that changes something. What is on screen is then read again. */
export async function act<Name extends CallName>(
  name: Name,
  input: CallInput<Name>,
  idempotencyKey = newIdempotencyKey(),
): Promise<CallOutput<Name>> {
  const isSignIn = signsIn.includes(name)
  // Before somebody signs in, the former user's sign-out has reached the server.
  if (isSignIn) await finishSignOut()
  const isDeletion = endsAccount.includes(name)
  if (isDeletion) expectDeletion(true)
  const output = await call(name, input, { idempotencyKey }).catch((error: unknown) => {
    if (isDeletion) expectDeletion(false)
    throw error
  })
  if (isSignIn) enter(output as CallOutput<'signIn'>)
  else if (changesUser.includes(name)) await refreshUser()
  if (endsAccess.includes(name))
    reads?.forget((input as { subscriptionId?: string }).subscriptionId)
  tellOfChange()
  return output
}

/** A repeated request has the same key. */
export function newIdempotencyKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

/** What the signed-in user has read. `forget`: of one subscription, or all of it. */
type Reads = { askAgain: () => void; forget: (subscriptionId?: string) => void }
let reads: Reads | undefined

export function keepReads(kept: Reads) {
  reads = kept
  return () => void (reads = undefined)
}

/** Something has changed: what is on screen is read again. */
export function tellOfChange() {
  reads?.askAgain()
}
