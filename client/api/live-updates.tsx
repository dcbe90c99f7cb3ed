import type { LiveChange } from '#contract/live.ts'
import { useQueryClient, type Query } from '@tanstack/react-query'
import { useEffect } from 'react'
import { isLeaving } from './call.ts'
import { followLive } from './live.ts'
import { refreshAfterChange } from './session.ts'
import { askAgain } from './use-show-at-once.ts'

/** Milliseconds between two times that a busy project makes the screen ask again. */
const pause = 500

/** What others change is asked for again where it is on screen. */
export function LiveUpdates() {
  const client = useQueryClient()
  useEffect(() => {
    const moments = inMoments((change) => {
      if (isLeaving()) return
      if (change.what.includes('user')) void refreshAfterChange()
      askAgain(client, (query) => mayShow(query, change))
    })
    const unfollow = followLive(moments.take)
    return () => {
      unfollow()
      moments.stop()
    }
  }, [client])
  return null
}

/** What is of a project changes with that project; everything else may have to do with any. */
function mayShow({ queryKey: [call, input] }: Query, { projects, what }: LiveChange) {
  if (what.includes('everything')) return true
  // Who is signed in has been asked above.
  if (call === 'refreshSession') return false
  const { subscriptionId } = (input ?? {}) as { subscriptionId?: string }
  return subscriptionId === undefined || projects.includes(subscriptionId)
}

/** The first change is passed on at once, what follows soon after it together. */
function inMoments(tell: (change: LiveChange) => void) {
  let gathered: LiveChange[] = []
  let timer: ReturnType<typeof setTimeout> | undefined

  function flush() {
    timer = undefined
    if (gathered.length === 0) return
    const change = {
      projects: gathered.flatMap(({ projects }) => projects),
      what: gathered.flatMap(({ what }) => what),
    }
    gathered = []
    timer = setTimeout(flush, pause)
    tell(change)
  }

  return {
    take: (change: LiveChange) => {
      gathered.push(change)
      if (timer === undefined) flush()
    },
    stop: () => clearTimeout(timer),
  }
}
