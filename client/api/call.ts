import type { CallInput, CallName, CallOutput } from '#contract/calls.ts'
import { changesUser, endsAccess, endsAccount, signsIn } from '#contract/flags/calls.ts'
import { unsureReasons } from '#contract/flags/refusals.ts'
import type { Query, QueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
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

type State<Name extends CallName> = { busy: boolean; error?: CallError; output?: CallOutput<Name> }

/**
 * A call by which a user changes something: one at a time, and with the same key again when nobody
 * knows whether the first one arrived. `run` gives the answer, or nothing if the call was refused
 * (`error` then says why). The input may be a promise, and `finish` too; each may be refused as
 * well. A call that wants a recent sign-in asks for it and goes on.
 */
export function useAction<Name extends CallName>(
  name: Name,
  onRefused?: (error: CallError) => void,
) {
  const [state, setState] = useState<State<Name>>({ busy: false })
  const running = useRef(false)
  const attempt = useRef<{ request: string; key: string }>(undefined)

  async function run(
    input: CallInput<Name> | (() => Promise<CallInput<Name>>),
    finish?: (output: CallOutput<Name>) => unknown,
  ): Promise<CallOutput<Name> | undefined> {
    if (running.current) return undefined
    running.current = true
    setState({ busy: true })
    try {
      const output = await ask(typeof input === 'function' ? await input() : input)
      attempt.current = undefined
      await finish?.(output)
      setState({ busy: false, output })
      return output
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      if (!mayHaveArrived.has(error.reason)) attempt.current = undefined
      setState({ busy: false, error })
      onRefused?.(error)
      return undefined
    } finally {
      running.current = false
    }
  }

  async function ask(input: CallInput<Name>): Promise<CallOutput<Name>> {
    const request = JSON.stringify(input)
    if (attempt.current?.request !== request)
      attempt.current = { request, key: newIdempotencyKey() }
    try {
      return await act(name, input, attempt.current.key)
    } catch (error) {
      const isOld = error instanceof CallError && error.reason === 'auth/requires-recent-login'
      if (!isOld || !(await signInAgain())) throw error
      attempt.current = undefined
      return ask(input)
    }
  }

  return { ...state, done: state.output !== undefined, run, reset: () => setState({ busy: false }) }
}

type AskForSignIn = (answer: (signedIn: boolean) => void) => void
let askForSignIn: AskForSignIn | undefined

/** For the dialog that asks for the sign-in. */
export function onSignInNeeded(listener: AskForSignIn) {
  askForSignIn = listener
  return () => void (askForSignIn = undefined)
}

/** Asks the user to sign in again where they are. True if they did. */
export function signInAgain() {
  return new Promise<boolean>((answer) => (askForSignIn ? askForSignIn(answer) : answer(false)))
}

/** Reasons after which nobody knows whether the call was carried out. */
export const mayHaveArrived: ReadonlySet<string> = new Set(['network', ...unsureReasons])

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
  if (endsAccess.includes(name)) forgetReads((input as { subscriptionId?: string }).subscriptionId)
  tellOfChange()
  return output
}

/** A repeated request has the same key. */
export function newIdempotencyKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

/** Asks the server as the signed-in user, if there is one. An expired token is renewed once. */
export async function call<Name extends CallName>(
  name: Name,
  input: CallInput<Name>,
  options: Omit<PostOptions, 'token' | 'keepalive'> = {},
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

/** What the signed-in user has read. */
let reads: QueryClient | undefined

/** Queries that show a change before the server has confirmed it. */
export const ahead = new Set<string>()

export function keepReads(client: QueryClient) {
  reads = client
  return () => void (reads = undefined)
}

/**
 * Something has changed: what is on screen is read again. Queries that are ahead are read when
 * their change is done.
 */
export function tellOfChange(mayShow: (query: Query) => boolean = () => true) {
  void reads?.invalidateQueries({
    predicate: (query) => !ahead.has(query.queryHash) && mayShow(query),
  })
}

/** Of one subscription, or all. A screen that is still drawn keeps what it shows. */
function forgetReads(subscriptionId?: string) {
  reads?.removeQueries({
    predicate: (query) => subscriptionId === undefined || subscriptionOf(query) === subscriptionId,
  })
}

export function subscriptionOf({ queryKey: [, input] }: Query) {
  return (input as { subscriptionId?: string } | undefined)?.subscriptionId
}
