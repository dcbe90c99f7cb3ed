import type { CallOutput } from '#contract/calls.ts'
import { useCallback, useEffect, useRef, useState } from 'react'
import { call } from '../../api/call.ts'
import { CallError } from '../../api/post.ts'
import { takeBegun } from '../../platform/storage.ts'

type Answer = { found?: CallOutput<'findPurchase'>; error?: CallError }

/** Milliseconds until the page asks again about a purchase that is still at work. */
const pause = 1500

/**
 * Finds out what became of the user's last purchase before they make another. Asks once, so that a
 * purchase in another tab is unknown to this one: the server then answers with that purchase.
 */
export function useEarlierPurchase() {
  const [{ found, error }, setAnswer] = useState<Answer>({})
  const [begunAfter] = useState(takeBegun)
  const isGone = useRef(false)

  const look = useCallback(async function again(): Promise<void> {
    try {
      const found = await call('findPurchase', {})
      if (isGone.current) return
      setAnswer({ found })
      if (found.purchase?.state === 'working') setTimeout(() => void again(), pause)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      if (!isGone.current) setAnswer({ error })
    }
  }, [])

  useEffect(() => {
    isGone.current = false
    const timer = setTimeout(() => void look())
    return () => {
      clearTimeout(timer)
      isGone.current = true
    }
  }, [look])

  // What this tab began is gone, and no newer purchase has been acknowledged elsewhere.
  const isUndone = found?.purchase === null && begunAfter === (found.latest ?? '')
  return {
    purchase: found?.purchase,
    state: isUndone ? 'undone' : found?.purchase?.state,
    latest: found?.latest,
    error,
    retry: look,
  } as const
}

/** Tells the server that the buyer knows that a purchase is paid. If it is lost, they are told again. */
export function acknowledge(subscriptionId: string) {
  call('acknowledgePurchase', { subscriptionId }).catch(() => undefined)
}
