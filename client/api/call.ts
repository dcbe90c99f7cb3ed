import type { CallInput, CallName, CallOutput } from '#contract/calls.ts'
import type { Query, QueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { CallError, isSignedOut, post, toCallError, type PostOptions } from './post.ts'
import {
  currentToken,
  enter,
  expectDeletion,
  refreshSession,
  refreshUser,
  session,
} from './session.ts'
import { passSecondStep } from './second-step.ts'
import { finishSignOut, keepsCookies } from './sign-out.ts'

type State<Name extends CallName> = {
  busy: boolean
  /** An answer was lost, and the call is repeated until it is known whether it was carried out. */
  isFindingOut?: boolean
  error?: CallError
  output?: CallOutput<Name>
}

/**
 * Makes a call that changes something, one at a time, and signs the user in again if needed.
 * `run` returns the answer, or undefined after a refusal, which `error` then has. It awaits
 * `finish`, and handles an error of `input` or `finish` like a refusal. If nobody knows whether the
 * call arrived, or if `finish` fails unexpectedly, the next `run` with the same input repeats its
 * idempotency key.
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
      await finish?.(output)
      attempt.current = undefined
      setState({ busy: false, output })
      return output
    } catch (thrown) {
      const error = toCallError(thrown)
      if (error === thrown && !mayHaveArrived.has(error.reason)) attempt.current = undefined
      setState({ busy: false, error })
      // The project's screens give way to what opens it again.
      if (isShutOut(error)) tellOfChange()
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
      return await insist(name, input, attempt.current.key, () =>
        setState({ busy: true, isFindingOut: true }),
      )
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      const isOld = error.reason === 'auth/requires-recent-login'
      const isShut = isShutOut(error)
      if ((!isOld && !isShut) || !(await signInAgain(isShut))) throw error
      attempt.current = undefined
      return ask(input)
    }
  }

  return { ...state, done: state.output !== undefined, run, reset: () => setState({ busy: false }) }
}

/** Whether the project asks for a second step that this session has not passed. */
export function isShutOut({ reason, details }: CallError) {
  return reason === 'factorRequired' && details['newOwner'] === undefined
}

type AskForSignIn = (answer: (signedIn: boolean) => void, withStep: boolean) => void
let askForSignIn: AskForSignIn | undefined

/** Registers the dialog that asks the user to sign in again. Returns a function that removes it. */
export function onSignInNeeded(listener: AskForSignIn) {
  askForSignIn = listener
  return () => void (askForSignIn = undefined)
}

/**
 * Asks the user to sign in again on the current screen, `withStep` in a way that passes a second
 * step. Resolves to whether they did.
 */
export function signInAgain(withStep = false) {
  return new Promise<boolean>((answer) =>
    askForSignIn ? askForSignIn(answer, withStep) : answer(false),
  )
}

/** Refusal reasons that leave open whether the server carried out the call. */
export const mayHaveArrived = new Set<CallError['reason']>([
  'network',
  'outcomeUnknown',
  'callInProgress',
  'timeout',
  'unavailable',
])

/** Calls that are repeated, with their key, until it is known whether they were carried out. */
const mustKnow = new Set<CallName>([
  'createSubscription',
  'changeSubscriptionPlan',
  'cancelSubscription',
  'payInvoice',
  'completePayment',
])
/** Calls whose answer is a new session, with which the app is then signed in. */
const signsIn = new Set<CallName>(['signUp', 'signIn', 'claimAccount'])
/** Calls after which the signed-in user is read again, besides the data on screen. */
const changesUser = new Set<CallName>([
  'sendVerificationEmail',
  'applyActionCode',
  'correctEmail',
  'saveUser',
  'updateProfile',
  'checkInvite',
])

/** Milliseconds before each further try to find out whether a call was carried out. */
const furtherTries = [1000, 2000, 4000, 8000]

/**
 * Like `act`. If an answer is lost, repeats a call that must be known, with its key. Throws
 * `outcomeUnknown` if it stays unknown.
 */
export async function insist<Name extends CallName>(
  name: Name,
  input: CallInput<Name>,
  idempotencyKey = newIdempotencyKey(),
  onLost = () => {},
): Promise<CallOutput<Name>> {
  for (const wait of furtherTries) {
    try {
      return await act(name, input, idempotencyKey)
    } catch (error) {
      if (!mustKnow.has(name) || !isUnknown(error)) throw error
    }
    onLost()
    await new Promise((resolve) => setTimeout(resolve, wait))
  }
  return act(name, input, idempotencyKey).catch((error: unknown) => {
    throw isUnknown(error) ? new CallError('outcomeUnknown') : error
  })
}

/** The payment provider may have carried out what its lost answer was about. */
function isUnknown(error: unknown) {
  if (!(error instanceof CallError)) return false
  return mayHaveArrived.has(error.reason) || error.reason === 'paymentsUnavailable'
}

/** Calls that change something, until they are answered. */
export const underWay = new Set<Promise<unknown>>()

/** Makes a call that changes something, then reloads what is on screen. */
export async function act<Name extends CallName>(
  name: Name,
  input: CallInput<Name>,
  idempotencyKey = newIdempotencyKey(),
): Promise<CallOutput<Name>> {
  const isSignIn = signsIn.has(name)
  if (isSignIn && !keepsCookies()) throw new CallError('cookiesRefused')
  // The former user's sign-out must reach the server before another user signs in.
  if (isSignIn) await finishSignOut()
  const isDeletion = name === 'deleteAccount'
  if (isDeletion) expectDeletion(true)
  const answer = call(name, input, { idempotencyKey })
  underWay.add(answer)
  const output = await answer
    .finally(() => underWay.delete(answer))
    .catch((error: unknown) => {
      if (isDeletion) expectDeletion(false)
      if (isSignIn) return passSecondStep(error) as Promise<CallOutput<Name>>
      throw error
    })
  if (isSignIn) enter(output as CallOutput<'signIn'>)
  else if (changesUser.has(name)) await refreshUser()
  // The caller may no longer see what is on screen.
  if (isDeletion || name === 'leaveSubscription')
    forgetReads((input as { subscriptionId?: string }).subscriptionId)
  tellOfChange()
  return output
}

/** 32 hex digits. A repeated request sends the same key, so the server acts only once. */
export function newIdempotencyKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

/** Sends a call as the signed-in user, if any. Renews a refused access token and asks once more. */
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
  // If another user or nobody is signed in by now, the answer must not be shown.
  if (caller !== undefined && caller !== currentUid()) throw new CallError('notSignedIn')
  return output
}

function currentUid() {
  const current = session.get()
  return current.status === 'signedIn' ? current.user.uid : undefined
}

/** The cache of the answers that the signed-in user has read. */
let reads: QueryClient | undefined

/** The hashes of queries that show a change before the server has confirmed it. */
export const ahead = new Set<string>()

export function keepReads(client: QueryClient) {
  reads = client
  return () => void (reads = undefined)
}

/** Reloads the answers on screen, except those in `ahead`, which reload after their change. */
export function tellOfChange(mayShow: (query: Query) => boolean = () => true) {
  const predicate = (query: Query) => !ahead.has(query.queryHash) && mayShow(query)
  void reads?.invalidateQueries({ predicate })
  // TanStack Query lets a first reading under way go on, whose answer may be from before the change.
  const firstReads = reads?.getQueryCache().findAll({ predicate, fetchStatus: 'fetching' }) ?? []
  for (const query of firstReads) {
    if (query.state.data !== undefined) continue
    const readAgain = () => {
      // Another change that came meanwhile may have been first.
      if (!query.state.isInvalidated)
        void reads?.invalidateQueries({ queryKey: query.queryKey, exact: true })
    }
    void query.promise?.then(readAgain, () => undefined)
  }
}

/** Removes the cached answers of one subscription, or of all. What is drawn stays on screen. */
function forgetReads(subscriptionId?: string) {
  reads?.removeQueries({
    predicate: (query) => subscriptionId === undefined || subscriptionOf(query) === subscriptionId,
  })
}

export function subscriptionOf({ queryKey: [, input] }: Query) {
  return (input as { subscriptionId?: string } | undefined)?.subscriptionId
}
