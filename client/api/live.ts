import { limits } from '#config/limits.ts'
import type { LiveChange, LiveEnd, LiveEvent } from '#contract/live.ts'
import type { Query } from '@tanstack/react-query'
import { useEffect } from 'react'
import { subscriptionOf, tellOfChange } from './call.ts'
import { currentToken, expectsDeletion, refreshAfterChange, refreshUser } from './session.ts'
import { hasSession } from './sign-out.ts'

const { recent, heartbeat, hidden, reconnect } = limits.live
/** Milliseconds of silence after which a stream counts as lost: two heartbeats are missing. */
const silence = 2.5 * heartbeat
/** Milliseconds in which a call that ends the session of this browser is answered, too. */
const ownDoing = 300
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

/**
 * Tells what others change, until it is stopped. A browser makes only six connections to a server
 * without HTTP/2, so one of its visible tabs holds the stream and tells the others.
 */
function followLive(tell: (change: LiveChange) => void) {
  const stopped = new AbortController()
  const tabs = new BroadcastChannel('live')
  tabs.addEventListener('message', ({ data }: MessageEvent<LiveChange>) => tell(data))
  let visible: AbortController | undefined
  let hiding: ReturnType<typeof setTimeout> | undefined
  /** When this tab last had missed nothing. */
  let current = Date.now()

  document.addEventListener('visibilitychange', seeOrHide, { signal: stopped.signal })
  seeOrHide()
  return () => {
    stopped.abort()
    visible?.abort()
    clearTimeout(hiding)
    tabs.close()
  }

  function seeOrHide() {
    clearTimeout(hiding)
    if (document.hidden) hiding = setTimeout(() => visible?.abort(), hidden)
    else if (!visible || visible.signal.aborted)
      void waitForStream((visible = new AbortController()))
  }

  /** Without locks (they want HTTPS) each tab has a stream of its own. */
  async function waitForStream(visible: AbortController) {
    const { signal } = visible
    const hold = () => holdStream(signal)
    const held = navigator.locks ? navigator.locks.request('live', { signal }, hold) : hold()
    await held.catch(() => undefined)
    // A tab whose stream has ended for good tries again when somebody comes back to it.
    visible.abort()
  }

  async function holdStream(signal: AbortSignal) {
    let tries = 0
    let connection = new AbortController()
    // A stream from before may hang.
    window.addEventListener('online', () => connection.abort(), { signal })
    while (!signal.aborted) {
      connection = new AbortController()
      const isOver = AbortSignal.any([signal, connection.signal])
      const because = await readStream(connection, isOver, (event) => {
        if (event.event === 'ready') tries = 0
        take(event)
      }).catch(() => undefined)
      if (because === 'tooMany') return
      if (because === 'sessionEnded') {
        await delay(ownDoing, signal)
        if (!hasSession()) return
        await refreshUser()
      }
      if (because === 'tokenExpired') continue
      // A server that starts again needs a moment.
      if (because === 'stopping') tries = Math.max(tries, 3)
      const wait = Math.min(reconnect.first * 2 ** tries++, reconnect.most)
      await delay(wait * (0.5 + Math.random() / 2), isOver)
    }
  }

  function take(event: LiveEvent) {
    if (event.event === 'changed') hear(event)
    // The server has repeated the changes of the last seconds.
    const hasGap = Date.now() - current > recent / 2
    if (event.event === 'ready' && hasGap) hear({ subscriptions: [], what: ['everything'] })
    current = Date.now()
  }

  function hear(change: LiveChange) {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
    tabs.postMessage(change)
    tell(change)
  }
}

/** Reads one stream to its end, and why it ended if the server says so. */
async function readStream(
  connection: AbortController,
  signal: AbortSignal,
  onEvent: (event: LiveEvent) => void,
): Promise<LiveEnd | undefined> {
  if (!navigator.onLine) return undefined
  const response = await fetch('/live', {
    headers: { Authorization: `Bearer ${currentToken()}` },
    cache: 'no-store',
    // The reads of the screen go first.
    priority: 'low',
    signal,
  })
  if (response.status === 401) return 'sessionEnded'
  if (!response.ok || !response.body) return undefined
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const watch = setTimeout(() => connection.abort(), silence)
    const { done, value } = await reader.read().finally(() => clearTimeout(watch))
    if (done) return undefined
    const lines = (text + value).split('\n')
    text = lines.pop()!
    for (const line of lines) {
      if (!line.startsWith('data: ')) continue
      const event = JSON.parse(line.slice(6)) as LiveEvent
      if (event.event === 'end') return event.because
      onEvent(event)
    }
  }
}

function delay(time: number, signal: AbortSignal) {
  return new Promise<void>((resolve) => {
    setTimeout(resolve, time)
    signal.addEventListener('abort', () => resolve())
  })
}
