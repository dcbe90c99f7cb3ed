import type { CallInput, CallName, CallOutput } from '#contract/calls.ts'
import { useEffect, useState } from 'react'
import { act } from './call.ts'
import { CallError } from './post.ts'
import { mayHaveArrived } from './use-action.ts'

type Answer<Name extends CallName> = { output?: CallOutput<Name>; error?: CallError }

const asked = new Map<string, Promise<Answer<CallName>>>()

/**
 * A call that a screen makes by itself, once for each input (and each `askedBy`, where different people get different answers),
 * however often the screen is drawn. `retry` is there when it is not known whether the call arrived.
 */
export function useOnce<Name extends CallName>(name: Name, input: CallInput<Name>, askedBy = '') {
  const key = JSON.stringify([name, input, askedBy])
  const [{ answer, of }, setAnswer] = useState<{ answer: Answer<Name>; of: string }>({
    answer: {},
    of: key,
  })
  const [tries, setTries] = useState(0)

  useEffect(() => {
    let shown = true
    if (!asked.has(key)) asked.set(key, ask(name, input))
    void asked
      .get(key)!
      .then((answer) => shown && setAnswer({ answer: answer as Answer<Name>, of: key }))
    return () => void (shown = false)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the key is the name and the input
  }, [key, tries])

  function retry() {
    asked.delete(key)
    setAnswer({ answer: {}, of: key })
    setTries(tries + 1)
  }

  const current = of === key ? answer : {}
  return {
    ...current,
    retry: current.error && mayHaveArrived.has(current.error.reason) ? retry : undefined,
  }
}

async function ask<Name extends CallName>(
  name: Name,
  input: CallInput<Name>,
): Promise<Answer<Name>> {
  try {
    return { output: await act(name, input) }
  } catch (error) {
    return { error: error instanceof CallError ? error : new CallError('internal') }
  }
}
