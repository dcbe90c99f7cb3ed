import { limits } from '#config/limits.ts'
import type { LiveChange, LiveEnd } from '#contract/live.ts'
import { isLeaving, keepFresh } from './call.ts'
import { openPlace } from './place.ts'
import { readEvents } from './read-events.ts'
import { currentToken, refreshSession } from './session.ts'
import { hasSession } from './sign-out.ts'

const { recent, heartbeat, hidden, reconnect } = limits.live
/** Two signs of life were missed, in milliseconds. */
const silence = 2.5 * heartbeat
/** Milliseconds in which a tab hears that it has signed out itself. */
const ownDoing = 300

type Heard = LiveChange | 'sessionEnded'

/**
 * Tells what others change, until it is stopped; what may have been missed, as `everything`. A browser makes six connections to a server
 * that doesn't speak HTTP/2, so of its tabs the one that was looked at last has the stream, and tells the others.
 */
export function followLive(tell: (change: LiveChange) => void) {
  const began = Date.now()
  let connection: AbortController | undefined
  let waiting: ReturnType<typeof setTimeout> | undefined
  let hiding: ReturnType<typeof setTimeout> | undefined
  let hasPlace = false
  let isFirst = true
  let tries = 0

  const place = openPlace('live', {
    onHad() {
      hasPlace = true
      connect()
    },
    onLost() {
      hasPlace = false
      letGo()
    },
  })
  const tabs = new BroadcastChannel('live')
  const stopped = new AbortController()
  const { signal } = stopped
  tabs.addEventListener('message', ({ data }: MessageEvent<Heard>) => void take(data), { signal })
  document.addEventListener('visibilitychange', seeOrHide, { signal })
  window.addEventListener('online', connect, { signal })
  window.addEventListener('offline', letGo, { signal })
  const forgetLeaving = keepFresh({ onChange: connect, onLeaving: letGo })
  if (!document.hidden) place.claim()

  return () => {
    stopped.abort()
    forgetLeaving()
    clearTimeout(hiding)
    place.leave()
    tabs.close()
  }

  function seeOrHide() {
    clearTimeout(hiding)
    if (document.hidden) {
      hiding = setTimeout(place.leave, hidden)
      return
    }
    place.claim()
    connect()
  }

  function connect() {
    clearTimeout(waiting)
    if (connection || !hasPlace || !navigator.onLine || isLeaving()) return
    connection = new AbortController()
    void listen(connection)
  }

  function letGo() {
    clearTimeout(waiting)
    connection?.abort()
    connection = undefined
  }

  async function listen(own: AbortController) {
    const because = await follow(own).catch(() => undefined)
    if (connection !== own) return
    if (because === 'sessionEnded') {
      pass(because)
      if (!(await take(because))) tries++
      // Signed out, or the account deleted: there is nobody to come back for.
      if (connection !== own || !hasSession()) return
    }
    connection = undefined
    // Two tabs would push each other out for ever: this one comes back when it is looked at.
    if (because === 'tooMany') return
    if (because === 'tokenExpired') return connect()
    // Asking a server that starts anew would fail, and the browser would report it.
    if (because === 'stopping') tries = Math.max(tries, 3)
    waiting = setTimeout(
      connect,
      Math.min(reconnect.first * 2 ** tries++, reconnect.most) * (0.5 + Math.random() / 2),
    )
  }

  /** Why it ended, as far as the server said. */
  async function follow(own: AbortController): Promise<LiveEnd['because'] | undefined> {
    const response = await fetch('/live', {
      headers: { Authorization: `Bearer ${currentToken()}`, Accept: 'text/event-stream' },
      cache: 'no-store',
      // Nobody waits for it: what the screen reads goes first.
      priority: 'low',
      signal: own.signal,
    })
    if (response.status === 401) return 'sessionEnded'
    if (!response.ok || !response.body) return undefined
    let watch = setTimeout(() => own.abort(), silence)
    try {
      for await (const said of readEvents(response.body)) {
        clearTimeout(watch)
        watch = setTimeout(() => own.abort(), silence)
        if (said?.event === 'end') return said.data.because
        if (said?.event === 'changed') hear(said.data)
        if (said?.event === 'ready') beReady()
      }
      return undefined
    } finally {
      clearTimeout(watch)
    }
  }

  function beReady() {
    tries = 0
    // What was changed in the moments before is told by the server.
    if (!isFirst || Date.now() - began > recent / 2) hear({ projects: [], what: ['everything'] })
    isFirst = false
  }

  function hear(change: LiveChange) {
    pass(change)
    void take(change)
  }

  /** To the tabs that have no stream of their own. */
  function pass(heard: Heard) {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
    if (!signal.aborted) tabs.postMessage(heard)
  }

  /** Whether somebody is still signed in. */
  async function take(heard: Heard) {
    if (heard === 'sessionEnded') return isSignedInAfterAll()
    tell(heard)
    return true
  }
}

/** Asks who is signed in; not when this browser has signed out itself, which it is about to hear, or already knows. */
async function isSignedInAfterAll() {
  await new Promise((resolve) => setTimeout(resolve, ownDoing))
  return !isLeaving() && hasSession() && refreshSession()
}
