import type { CallInput, CallName, CallOutput } from '#contract/calls.ts'
import { unsureReasons } from '#contract/flags/refusals.ts'
import { useRef, useState } from 'react'
import { act, newIdempotencyKey } from './call.ts'
import { CallError } from './post.ts'
import { signInAgain } from './recent-sign-in.ts'

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
    input: Ahead<CallInput<Name>>,
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
      if (!wantsRecentSignIn(error) || !(await signInAgain())) throw error
      attempt.current = undefined
      return ask(input)
    }
  }

  return { ...state, done: state.output !== undefined, run, reset: () => setState({ busy: false }) }
}

type Ahead<Input> = Input | (() => Promise<Input>)

/** Reasons after which nobody knows whether the call was carried out. */
export const mayHaveArrived: ReadonlySet<string> = new Set(['network', ...unsureReasons])

function wantsRecentSignIn(error: unknown) {
  return error instanceof CallError && error.reason === 'auth/requires-recent-login'
}
