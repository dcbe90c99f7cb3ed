import { limits } from '#config/limits.ts'
import type { LiveEnd, LiveName } from '#contract/live.ts'
import type { Logger } from 'pino'
import type { Store } from '../store/store.ts'
import { openStream, type Stream } from './stream.ts'

/**
 * What the database says of a change, in its transaction (`notify_of_…` in the migrations): what
 * changed, in which subscription, and which user it concerns besides the members. Or which session
 * has ended.
 */
export type Notice =
  | { what: LiveName; subscription?: string; user?: string | null }
  | { what: 'session'; session: string }

/**
 * Knows the open streams of this server, and passes each notice on to those it concerns. See
 * docs/decisions/009-live-updates.md.
 */
export function openHub(store: Store, log: Logger) {
  const streamsOf = new Map<string, Set<Stream>>()
  const subscriptionsOf = new Map<string, Set<string>>()
  const membersOf = new Map<string, Set<string>>()
  /** Notices of the last seconds: a tab reads its screen before its stream is open. */
  const recent: { at: number; notice: Notice }[] = []
  /** Notices and new streams, in the order in which they came while memberships were read. */
  const waiting: (Notice | Stream)[] = []
  let isWorking = false

  return { open, take, lookAgain, streams }

  function open(userId: string, sessionId: string, left: number): Stream {
    const stream = openStream({ userId, sessionId, left, onClosed: leave })
    addTo(streamsOf, userId, stream)
    const [oldest, ...others] = streamsOf.get(userId)!
    if (others.length >= limits.live.streamsPerUser) oldest!.end('tooMany')
    take(stream)
    return stream
  }

  function leave(stream: Stream) {
    removeFrom(streamsOf, stream.userId, stream)
    if (!streamsOf.has(stream.userId)) forgetMemberships(stream.userId)
  }

  /** After missed notices: ends the streams of ended sessions, and every other tab looks again. */
  async function lookAgain() {
    const all = streams()
    const open = await store.live.listOpenSessions(all.map(({ sessionId }) => sessionId))
    for (const stream of all) if (!open.has(stream.sessionId)) stream.end('sessionEnded')
    take({ what: 'everything' })
  }

  function streams() {
    return [...streamsOf.values()].flatMap((some) => [...some])
  }

  function take(event: Notice | Stream) {
    waiting.push(event)
    if (!isWorking) void work()
  }

  async function work() {
    isWorking = true
    while (waiting.length > 0) {
      const events = waiting.splice(0)
      // First, so that a removed member hears of the removal and of nothing after it.
      await readMemberships(new Set(events.flatMap(whoseMemberships)))
      for (const event of events) {
        if ('body' in event) welcome(event)
        else pass(event)
      }
    }
    isWorking = false
  }

  function whoseMemberships(event: Notice | Stream) {
    if ('body' in event) return event.userId
    if (event.what === 'everything') return [...streamsOf.keys()]
    return event.what === 'members' && event.user ? event.user : []
  }

  async function readMemberships(userIds: Set<string>) {
    const listening = [...userIds].filter((id) => streamsOf.has(id))
    if (listening.length === 0) return
    try {
      const memberships = await store.live.listMemberships(listening)
      listening.forEach(forgetMemberships)
      for (const { userId, subscriptionId } of memberships) {
        if (!streamsOf.has(userId)) continue
        addTo(subscriptionsOf, userId, subscriptionId)
        addTo(membersOf, subscriptionId, userId)
      }
    } catch (error) {
      log.warn({ err: error }, 'live streams end: the memberships of their users can not be read')
      for (const id of listening) endAll('stopping', streamsOf.get(id))
    }
  }

  function forgetMemberships(userId: string) {
    for (const id of subscriptionsOf.get(userId) ?? []) removeFrom(membersOf, id, userId)
    subscriptionsOf.delete(userId)
  }

  function welcome(stream: Stream) {
    for (const { notice } of recentNotices()) if (concerns(notice, stream)) tell(stream, notice)
    stream.beReady()
  }

  function concerns(notice: Notice, { userId }: Stream) {
    if (notice.what === 'session' || notice.what === 'everything') return true
    const { subscription, user } = notice
    return user === userId || (subscription && membersOf.get(subscription)?.has(userId))
  }

  function pass(notice: Notice) {
    recentNotices().push({ at: performance.now(), notice })
    for (const stream of listenersTo(notice)) tell(stream, notice)
  }

  function listenersTo(notice: Notice) {
    if (notice.what === 'session' || notice.what === 'everything') return streams()
    const { subscription, user } = notice
    const users = new Set(subscription && membersOf.get(subscription))
    if (user) users.add(user)
    return [...users].flatMap((id) => [...(streamsOf.get(id) ?? [])])
  }

  function recentNotices() {
    const since = performance.now() - limits.live.recent
    while (recent[0] && recent[0].at < since) recent.shift()
    return recent
  }
}

function tell(stream: Stream, notice: Notice) {
  if (notice.what !== 'session') stream.tell(notice.what, notice.subscription)
  else if (notice.session === stream.sessionId) stream.end('sessionEnded')
}

export function endAll(because: LiveEnd, streams: Iterable<Stream> = []) {
  for (const stream of streams) stream.end(because)
}

function addTo<Value>(sets: Map<string, Set<Value>>, key: string, value: Value) {
  const set = sets.get(key)
  if (set) set.add(value)
  else sets.set(key, new Set([value]))
}

function removeFrom<Value>(sets: Map<string, Set<Value>>, key: string, value: Value) {
  const set = sets.get(key)
  if (set?.delete(value) && set.size === 0) sets.delete(key)
}
