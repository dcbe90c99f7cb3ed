import type { CallOutput } from '#contract/calls.ts'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { CallError } from '../api/post.ts'
import { onSecondStepNeeded } from '../api/second-step.ts'

type Passed = CallOutput<'finishSignIn'>
type Waiting = {
  refusal: CallError
  resolve: (passed: Passed) => void
  reject: (refusal: CallError) => void
}

/**
 * Returns what the second step needs, while a sign-in waits for it. The step is an entry of its own
 * in the history: every end of it goes back, and going back ends it.
 */
export function useSecondStep() {
  const [waiting, setWaiting] = useState<Waiting>()
  const end = useRef<Passed | CallError>(undefined)
  const { pathname, search, state } = useLocation()
  const navigate = useNavigate()

  useEffect(
    () =>
      onSecondStepNeeded((refusal) => {
        end.current = refusal
        void navigate(pathname + search, { state })
        return new Promise((resolve, reject) => setWaiting({ refusal, resolve, reject }))
      }),
    [pathname, search, state, navigate],
  )

  useEffect(() => {
    if (!waiting) return
    const { resolve, reject } = waiting
    function settle() {
      setWaiting(undefined)
      if (end.current instanceof CallError) reject(end.current)
      else resolve(end.current!)
    }
    window.addEventListener('popstate', settle)
    return () => {
      window.removeEventListener('popstate', settle)
      // What had the focus is gone.
      document.querySelector('h1')?.focus({ preventScroll: true })
    }
  }, [waiting])

  function leave(passed?: Passed | CallError) {
    end.current = passed ?? end.current
    void navigate(-1)
  }

  return waiting && { refusal: waiting.refusal, onEnd: leave }
}
