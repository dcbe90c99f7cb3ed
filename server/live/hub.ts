import { limits } from '#config/limits.ts'
import type { LiveEnd, LiveName } from '#contract/live.ts'
import type { Logger } from 'pino'
import type { Store } from '../store/store.ts'
import { openStream, type Opening, type Stream } from './stream.ts'

/**
 * What the database sends in the transaction of a change (`notify_of_…` in the migrations).
 * `user` gets it besides the members of the subscription. `changes` are the transactions, if known.
 */
export type Notice =
  | {
      what: LiveName
      subscription?: string
      user?: string | null
      changes?: string[] | null
      /** Sessions hear of it too that the subscription is shut to. */
      toShut?: true
    }
  | { what: 'session'; session: string }

/** A notice, its subscription's members, whether it is shut to some sessions, and when it was passed on (`performance.now()`). */
type Told = { notice: Notice; members: ReadonlySet<string>; asksForFactor: boolean; at: number }

/** Passes notices on to this server's streams: see docs/decisions/009-live-updates.md. */
export function openHub(store: Store, now: () => Date, log: Logger) {
  const streams = new Set<Stream>()
  /** The last seconds' notices: a tab reads its screen before its stream is open. */
  let recent: Told[] = []
  /** Notices and new streams that came while members were read, in their order. */
  const waiting: (Notice | Stream)[] = []
  let isWorking = false

  return { streams, open, take, lookAgain }

  function open(opened: Opening): Stream {
    const own = [...streams].filter((stream) => ownerOf(stream) === ownerOf(opened))
    if (own.length >= limits.live.streamsPerUser) own[0]?.end('tooMany')
    const onClosed = (stream: Stream) => streams.delete(stream)
    const stream = openStream({ ...opened, onClosed })
    streams.add(stream)
    take(stream)
    return stream
  }

  /** Runs after missed notices: everything may have changed, and sessions may have ended. */
  async function lookAgain() {
    const all = [...streams]
    const open = await store.sessions.listOpen(all.map(({ sessionId }) => sessionId))
    for (const stream of all) if (!open.has(stream.sessionId)) stream.end('sessionEnded')
    take({ what: 'everything' })
  }

  function take(event: Notice | Stream) {
    waiting.push(event)
    if (!isWorking) void work()
  }

  async function work() {
    isWorking = true
    while (waiting.length > 0) {
      const events = waiting.splice(0)
      // Members are read only now, so a removed member gets no notice after the removal's.
      const about = await readMembers(events)
      const at = performance.now()
      recent = recent.filter((told) => told.at > at - limits.live.recent)
      for (const event of events) {
        if ('body' in event) welcome(event)
        else pass({ notice: event, ...about(event), at })
      }
    }
    isWorking = false
  }

  async function readMembers(events: (Notice | Stream)[]) {
    const ids = events.flatMap((event) => ('body' in event ? [] : (subscriptionOf(event) ?? [])))
    const rows = ids.length === 0 ? [] : await read(ids).catch(giveUp)
    const bySubscription = Map.groupBy(rows, ({ subscriptionId }) => subscriptionId)
    return (notice: Notice) => {
      const found = bySubscription.get(subscriptionOf(notice) ?? '') ?? []
      return {
        members: new Set(found.map(({ userId }) => userId)),
        asksForFactor: found[0]?.asksForFactor === true && !('toShut' in notice),
      }
    }
  }

  async function read(ids: string[]) {
    const rows = await store.members.listIn(ids, now())
    const asked = new Set(rows.flatMap((row) => (row.asksForFactor ? [row.userId] : [])))
    const judged = [...streams].filter(({ userId }) => asked.has(userId))
    if (judged.length === 0) return rows
    const passed = await store.sessions.listPassed(judged.map(({ sessionId }) => sessionId))
    for (const stream of judged) stream.passed = passed.has(stream.sessionId)
    return rows
  }

  function giveUp(error: unknown) {
    log.warn({ err: error }, 'live streams end: the members of changed projects can not be read')
    endAll('stopping', streams)
    take({ what: 'everything' })
    return []
  }

  function welcome(stream: Stream) {
    for (const told of recent) tell(stream, told)
    stream.beReady()
  }

  function pass(told: Told) {
    recent.push(told)
    for (const stream of streams) tell(stream, told)
  }
}

function subscriptionOf(notice: Notice) {
  return notice.what === 'session' ? undefined : notice.subscription
}

/** A program takes no stream from its maker's tabs. */
function ownerOf({ accessToken, userId }: Pick<Opening, 'accessToken' | 'userId'>) {
  return accessToken?.id ?? userId
}

function tell(stream: Stream, { notice, members, asksForFactor }: Told) {
  if (notice.what === 'session') {
    if (notice.session === stream.sessionId) stream.end('sessionEnded')
    return
  }
  const { what, subscription, user, changes } = notice
  // A program with a token for one project hears of that alone.
  const only = stream.accessToken?.subscriptionId ?? null
  if (only !== null && what !== 'everything' && subscription !== only) return
  if (asksForFactor && !stream.passed && user !== stream.userId) return
  if (what === 'everything' || user === stream.userId || members.has(stream.userId))
    stream.tell({ what, subscription, changes })
}

export function endAll(because: LiveEnd, streams: Iterable<Stream>) {
  for (const stream of streams) stream.end(because)
}
