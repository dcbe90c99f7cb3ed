import {
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
} from '@simplewebauthn/browser'
import { limits } from '#config/limits.ts'
import type { CallInput, CallOutput } from '#contract/calls.ts'
import { act, call } from './call.ts'
import { CallError, post } from './post.ts'
import { enter } from './session.ts'
import { finishSignOut, inTurn, keepsCookies } from './sign-out.ts'

// Its own chunk, because it brings a library that few visits need.

type Question = CallOutput<'startPasskeySignIn'>
type Credential = NonNullable<CallInput<'finishSignIn'>['credential']>
type Answer = Question & { credential: Credential }

/** Lets the browser ask for one of the passkeys that the options allow. Throws a CallError. */
export async function askPasskey(optionsJSON: Question['options']): Promise<Credential> {
  return toCredential(await startAuthentication({ optionsJSON }).catch(refuse))
}

/** Lets the browser ask for any passkey of this product. */
export async function askAnyPasskey(): Promise<Answer> {
  const question = await call('startPasskeySignIn', {})
  return { ...question, credential: await askPasskey(question.options) }
}

export async function makePasskey(
  optionsJSON: NonNullable<CallOutput<'startFactorEnrollment'>['options']>,
): Promise<Credential> {
  return toCredential(await startRegistration({ optionsJSON }).catch(refuse))
}

/** Signs in with the passkey that was chosen, or lets the browser ask for one. */
export async function signInWithPasskey(chosen?: Answer) {
  if (!keepsCookies()) throw new CallError('cookiesRefused')
  // The former user's sign-out must reach the server before another user signs in.
  await finishSignOut()
  const { resolver, credential, options } = chosen ?? (await askAnyPasskey())
  try {
    enter(await act('finishSignIn', { resolver, credential }))
  } catch (error) {
    if (error instanceof CallError && error.reason === 'auth/passkey-not-found')
      await disown(options.rpId!, credential.id)
    throw error
  }
}

/** Tells the browser, where it listens, to offer this passkey no more. */
async function disown(rpId: string, credentialId: string) {
  await PublicKeyCredential.signalUnknownCredential?.({ rpId, credentialId }).catch(() => undefined)
}

/**
 * Lets the browser suggest passkeys where the address is typed, until the signal or another question
 * for a passkey ends it. Fails without a word: the user has asked for nothing.
 */
export function suggestPasskeys(signal: AbortSignal, onChosen: (answer: Answer) => void) {
  const ended = new AbortController()
  const over = AbortSignal.any([signal, ended.signal])
  let begun = 0
  let isAsking = false

  async function begin() {
    const own = (begun = Date.now())
    // A sign-in waits for its turn: of two new cookies that come at once, one would be lost.
    const question = await inTurn(() => post('startPasskeySignIn', {})).catch(() => undefined)
    if (!question || over.aborted || own !== begun) return
    isAsking = true
    const credential = await startAuthentication({
      optionsJSON: question.options,
      useBrowserAutofill: true,
    }).catch(() => undefined)
    // A later question has taken the place of this one.
    if (own !== begun) return
    isAsking = false
    ended.abort()
    if (credential && !signal.aborted)
      onChosen({ ...question, credential: toCredential(credential) })
  }

  /** Asks anew before the server forgets the question, but not behind other tabs. */
  function renew() {
    const isOld = Date.now() - begun >= limits.factors.resolver * 0.8
    if (isOld && document.visibilityState === 'visible') void begin()
  }

  const timer = setInterval(renew, limits.factors.resolver * 0.8)
  document.addEventListener('visibilitychange', renew, { signal: over })
  over.addEventListener('abort', () => {
    clearInterval(timer)
    if (isAsking) WebAuthnAbortService.cancelCeremony()
  })
  if (!over.aborted) void begin()
}

/** Makes plain objects of what the library types as interfaces, which the contract's type refuses. */
function toCredential(made: AuthenticationResponseJSON | RegistrationResponseJSON): Credential {
  return { ...made, response: { ...made.response } }
}

const reasons = {
  NotAllowedError: 'auth/passkey-canceled',
  AbortError: 'auth/passkey-canceled',
  InvalidStateError: 'auth/passkey-already-added',
  SecurityError: 'auth/passkey-wrong-domain',
} as const

function refuse(error: Error): never {
  const reason = reasons[error.name as keyof typeof reasons]
  throw reason ? new CallError(reason) : error
}
