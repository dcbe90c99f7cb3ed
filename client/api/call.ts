import type { CallInput, CallName, CallOutput } from '#contract/calls.ts'
import { changesUser, endsAccess, signsIn } from '#contract/flags/calls.ts'
import { CallError, isSignedOut, post, type PostOptions } from './post.ts'
import {
  currentSession,
  currentToken,
  endSession,
  enter,
  refreshSession,
  refreshUser,
  subscribeToSession,
} from './session.ts'
import { finishSignOut } from './sign-out.ts'

type CallOptions = Omit<PostOptions, 'token' | 'keepalive'>

const underWay = new Set<Promise<unknown>>()

/** Asks the server. An access token that has run out is renewed once, unseen. */
export async function call<Name extends CallName>(
  name: Name,
  input: CallInput<Name>,
  options: CallOptions = {},
) {
  const caller = currentUid()
  const asked = ask(name, input, options)
  underWay.add(asked)
  try {
    const output = await asked
    // It was for somebody who has signed out meanwhile: neither the sign-in screen nor the next person is shown it.
    if (caller !== undefined && caller !== currentUid()) throw new CallError('notSignedIn')
    return output
  } finally {
    underWay.delete(asked)
  }
}

function currentUid() {
  const session = currentSession()
  return session.status === 'signedIn' ? session.user.uid : undefined
}

async function ask<Name extends CallName>(
  name: Name,
  input: CallInput<Name>,
  options: CallOptions,
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
  const isSignIn = signsIn.includes(name)
  if (isSignIn) await finishSignOut()
  const output = await carryOut(name, input, idempotencyKey)
  if (isSignIn) enter(output as CallOutput<'signIn'>)
  else if (changesUser.includes(name)) await refreshUser()
  tellOfChange()
  return output
}

async function carryOut<Name extends CallName>(
  name: Name,
  input: CallInput<Name>,
  idempotencyKey: string,
) {
  if (!endsAccess.includes(name)) return call(name, input, { idempotencyKey })
  await startLeaving()
  try {
    return await call(name, input, { idempotencyKey })
  } catch (error) {
    // Nothing was left: what was given up is asked for again.
    endLeaving()
    throw error
  }
}

/** Says that a repeated request is the same one. */
export function newIdempotencyKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

const listeners = new Set<Readings>()
let leaving: PromiseWithResolvers<void> | undefined

subscribeToSession(() => {
  // What waited for it is of nobody any more.
  if (currentSession().status === 'signedOut') leaving = undefined
})

/** Something was changed, if not by a call of this page. */
export function tellOfChange() {
  if (leaving) return
  for (const { onChange } of listeners) onChange()
}

/** What is being read is given up, as it would be refused; what is being saved has been, or has failed, before those who save it are gone. */
async function startLeaving() {
  leaving ??= Promise.withResolvers()
  for (const { onLeaving } of listeners) onLeaving()
  await Promise.allSettled(underWay)
}

export function endLeaving() {
  leaving?.resolve()
  leaving = undefined
  tellOfChange()
}

/** Waits for nothing: what is being read is given up, and what is being saved is saved if it has reached the server. */
export function signOut() {
  for (const { onLeaving } of listeners) onLeaving()
  endSession()
}

/** What is on screen is being left, or has been: it isn't to be asked for again before that has ended. */
export function isLeaving() {
  return leaving !== undefined
}

/** For what is read on another screen, which may be there before the leaving has ended; for ever, if it ends with nobody signed in. */
export async function untilStaying() {
  await leaving?.promise
}

/** What has been read and is being read: asked for again on every change, given up when it would soon be refused. */
type Readings = { onChange: () => void; onLeaving: () => void }

export function keepFresh(readings: Readings) {
  listeners.add(readings)
  return () => void listeners.delete(readings)
}
