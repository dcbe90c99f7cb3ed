import { limits } from '#config/limits.ts'
import type { LiveChange, LiveEnd, LiveEvent } from '#contract/live.ts'
import type { Query } from '@tanstack/react-query'
import { useEffect } from 'react'
import { openChannel, withLock } from '../platform/tabs.ts'
import { subscriptionOf, tellOfChange, underWay } from './call.ts'
import { ownChanges } from './post.ts'
import { currentToken, expectsDeletion, refreshAfterChange, refreshUser } from './session.ts'
import { hasSession } from './sign-out.ts'

const { recent, heartbeat, hidden, reconnect } = limits.live
/** Milliseconds without data after which a stream counts as lost: two heartbeats are missing. */
const silence = 2.5 * heartbeat
/** Milliseconds to wait when the session ends, as this browser's own call may have ended it. */
const ownDoing = 300
/** Milliseconds that changes wait for the answers to this tab's own calls at most. */
const patience = 5000
/** The shortest time between two reloads of the screen, in milliseconds. */
const pause = 500

/** Reloads the data on screen when the server reports a change. */
export function LiveUpdates() {
  useEffect(() => {
    const changes: LiveChange[] = []
    const stopped = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let last = 0

    async function show() {
      // They may be a call's own changes, which its answer names.
      await Promise.race([Promise.allSettled(underWay), delay(patience, stopped.signal)])
      if (stopped.signal.aborted) return
      timer = undefined
      const gathered = changes.splice(0).filter((change) => !isOwn(change))
      if (gathered.length === 0 || expectsDeletion()) return
      last = Date.now()
      if (gathered.some(({ what }) => what.includes('user'))) void refreshAfterChange()
      tellOfChange((query) => gathered.some((change) => mayShow(query, change)))
    }

    const unfollow = followLive((change) => {
      changes.push(change)
      timer ??= setTimeout(() => void show(), last + pause - Date.now())
    })
    return () => {
      unfollow()
      clearTimeout(timer)
      stopped.abort()
    }
  }, [])
  return null
}

/** Whether this tab alone made the changes. It has read again since, as no other tab has. */
function isOwn({ changes }: LiveChange) {
  return changes?.every((id) => ownChanges.has(id)) ?? false
}

/** Whether a change can affect a query. A query about one subscription depends only on that one. */
function mayShow(query: Query, { subscriptions, what }: LiveChange) {
  if (what.includes('everything')) return true
  // `LiveUpdates` refreshes the session itself.
  if (query.queryKey[0] === 'refreshSession') return false
  const subscriptionId = subscriptionOf(query)
  return subscriptionId === undefined || subscriptions.includes(subscriptionId)
}

/**
 * Reports changes until the returned function is called. A browser opens at most six connections to
 * a server without HTTP/2, so only one visible tab holds the stream, and tells the other tabs.
 */
function followLive(tell: (change: LiveChange) => void) {
  const stopped = new AbortController()
  const tabs = openChannel('live')
  tabs.addEventListener('message', ({ data }: MessageEvent<LiveChange>) => tell(data))
  let visible: AbortController | undefined
  let hiding: ReturnType<typeof setTimeout> | undefined
  /** The last time at which this tab had missed no change. */
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

  /** Without locks, each tab holds its own stream. */
  async function waitForStream(visible: AbortController) {
    const { signal } = visible
    await withLock('live', () => holdStream(signal), signal).catch(() => undefined)
    // If the stream has ended for good, the tab opens another one when the user returns to it.
    visible.abort()
  }

  async function holdStream(signal: AbortSignal) {
    let tries = 0
    let connection = new AbortController()
    // A stream from before the connection was lost may hang.
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
      // A server that restarts needs a moment.
      if (because === 'stopping') tries = Math.max(tries, 3)
      const wait = Math.min(reconnect.first * 2 ** tries++, reconnect.most)
      await delay(wait * (0.5 + Math.random() / 2), isOver)
    }
  }

  function take(event: LiveEvent) {
    if (event.event === 'changed') hear(event)
    // A new stream repeats the changes of the last seconds. After a longer gap, some are missing.
    const hasGap = Date.now() - current > recent / 2
    if (event.event === 'ready' && hasGap) hear({ subscriptions: [], what: ['everything'] })
    current = Date.now()
  }

  function hear(change: LiveChange) {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel has no target origin
    tabs.postMessage(change)
    tell(change)
  }
}

/** Reads one stream to its end. Returns why it ended, if the server gives a reason. */
async function readStream(
  connection: AbortController,
  signal: AbortSignal,
  onEvent: (event: LiveEvent) => void,
): Promise<LiveEnd | undefined> {
  if (!navigator.onLine) return undefined
  const response = await fetch('/live', {
    headers: { Authorization: `Bearer ${currentToken()}` },
    cache: 'no-store',
    // The browser loads the data of the screen first.
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

/** Ends at once if the signal is aborted, also if it was before. */
function delay(time: number, signal: AbortSignal) {
  return new Promise<void>((resolve) => {
    if (signal.aborted) return resolve()
    const timer = setTimeout(resolve, time)
    const stop = () => (clearTimeout(timer), resolve())
    signal.addEventListener('abort', stop, { once: true })
  })
}
