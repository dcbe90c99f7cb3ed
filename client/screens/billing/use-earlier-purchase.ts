import type { CallOutput } from '#contract/calls.ts'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../api/call.ts'
import { toCallError, type CallError } from '../../api/post.ts'

type Answer = { found?: CallOutput<'findPurchase'>; error?: CallError }

/** The key of a note in `sessionStorage`. */
const begun = 'purchase-begun'

/** Milliseconds until the page asks again about a purchase that is at work: each time twice as long. */
const pauses = { first: 1500, longest: 12_000 }

/**
 * Finds out what became of the user's last purchase before they make another. Asks once, so that a
 * purchase in another tab is unknown to this one: the server then answers with that purchase.
 */
export function useEarlierPurchase() {
  const [{ found, error }, setAnswer] = useState<Answer>({})
  const [begunAfter] = useState(takeBegun)
  const watch = useRef<ReturnType<typeof watchPurchase>>(undefined)

  useEffect(() => {
    const watching = watchPurchase(setAnswer)
    watch.current = watching
    return () => watching.stop()
  }, [])

  // What this tab began is gone, and no newer purchase has been acknowledged elsewhere.
  const isUndone = found?.purchase === null && begunAfter === (found.latest ?? '')
  return {
    purchase: found?.purchase,
    state: isUndone ? 'undone' : found?.purchase?.state,
    latest: found?.latest,
    error,
    retry: () => void watch.current?.look(),
  } as const
}

/** Asks until the purchase is no longer at work. */
function watchPurchase(show: (answer: Answer) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isGone = false
  let pause = pauses.first
  async function look() {
    const answer = await call('findPurchase', {}).then(
      (found): Answer => ({ found }),
      (error: unknown): Answer => ({ error: toCallError(error) }),
    )
    if (isGone) return
    show(answer)
    if (answer.found?.purchase?.state !== 'working') return
    timer = setTimeout(() => void look(), pause)
    pause = Math.min(2 * pause, pauses.longest)
  }
  void look()
  return {
    look,
    stop() {
      isGone = true
      clearTimeout(timer)
    },
  }
}

/** Tells the server that the buyer knows that a purchase is paid. If it is lost, they are told again. */
export function acknowledge(subscriptionId: string) {
  call('acknowledgePurchase', { subscriptionId }).catch(() => undefined)
}

/** Notes that this tab begins a purchase after that one, in case the page is reloaded meanwhile. */
export function noteBegun(after: string) {
  try {
    sessionStorage.setItem(begun, after)
  } catch {
    // If the browser blocks storage, the page says less after a reload.
  }
}

/** The note of a purchase that this tab began. Removes it. */
export const takeBegun = () => takeNote(begun)

/** A note of this tab. Removes it. */
export function takeNote(key: string) {
  try {
    const note = sessionStorage.getItem(key)
    sessionStorage.removeItem(key)
    return note
  } catch {
    return null
  }
}
