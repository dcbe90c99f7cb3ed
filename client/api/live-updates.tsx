import type { LiveChange } from '#contract/live.ts'
import type { Query } from '@tanstack/react-query'
import { useEffect } from 'react'
import { subscriptionOf, tellOfChange } from './call.ts'
import { followLive } from './live.ts'
import { expectsDeletion, refreshAfterChange } from './session.ts'

/** Milliseconds between two times that a busy project makes the screen ask again. */
const pause = 500

/** Asks again for what is on screen when others change it. */
export function LiveUpdates() {
  useEffect(() => {
    const changes: LiveChange[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    let last = 0

    function show() {
      timer = undefined
      last = Date.now()
      const gathered = changes.splice(0)
      if (expectsDeletion()) return
      if (gathered.some(({ what }) => what.includes('user'))) void refreshAfterChange()
      tellOfChange((query) => gathered.some((change) => mayShow(query, change)))
    }

    const unfollow = followLive((change) => {
      changes.push(change)
      timer ??= setTimeout(show, last + pause - Date.now())
    })
    return () => {
      unfollow()
      clearTimeout(timer)
    }
  }, [])
  return null
}

/** What is read of a subscription changes with that one; everything else may depend on any. */
function mayShow(query: Query, { subscriptions, what }: LiveChange) {
  if (what.includes('everything')) return true
  // Asked above.
  if (query.queryKey[0] === 'refreshSession') return false
  const subscriptionId = subscriptionOf(query)
  return subscriptionId === undefined || subscriptions.includes(subscriptionId)
}
