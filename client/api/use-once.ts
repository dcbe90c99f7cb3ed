import type { CallInput, CallName, CallOutput } from '#contract/calls.ts'
import { useEffect, useState } from 'react'
import { act, mayHaveArrived } from './call.ts'
import { toCallError, type CallError } from './post.ts'

type Answer<Name extends CallName> = { output?: CallOutput<Name>; error?: CallError }

const answers = new Map<string, Promise<Answer<CallName>>>()

/**
 * Makes a call when the screen opens, once for each input, however often the screen is drawn.
 * `askedBy` names the user where the answer depends on who asks. Returns `retry` if nobody knows
 * whether the call arrived.
 */
export function useOnce<Name extends CallName>(name: Name, input: CallInput<Name>, askedBy = '') {
  const key = JSON.stringify([name, input, askedBy])
  const [tries, setTries] = useState(0)
  const [known, setKnown] = useState<Answer<Name> & { of?: string }>({})

  useEffect(() => {
    let isShown = true
    const answer = answers.get(key) ?? ask(name, input)
    answers.set(key, answer)
    void answer.then((found) => isShown && setKnown({ ...(found as Answer<Name>), of: key }))
    return () => void (isShown = false)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `key` consists of the name and the input
  }, [key, tries])

  function retry() {
    answers.delete(key)
    setKnown({})
    setTries(tries + 1)
  }

  const { output, error } = known.of === key ? known : {}
  return { output, error, retry: error && mayHaveArrived.has(error.reason) ? retry : undefined }
}

function ask<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<Answer<Name>> {
  return act(name, input).then(
    (output) => ({ output }),
    (error: unknown) => ({ error: toCallError(error) }),
  )
}
