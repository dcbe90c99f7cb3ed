import { limits } from '#config/limits.ts'
import { Refusal } from './refusal.ts'

type Options = {
  atOnce: number
  /** What one caller may do at once. */
  each?: number
  /** How much work may wait. Beyond it, work of the caller with the most waiting is refused. */
  places: number
  /** Milliseconds that work may wait. */
  patience?: number | undefined
}

type Place = { begin: () => void; refuse: () => void }

/**
 * Waiting callers take turns, so that one caller's flood hardly delays the others. Work without a
 * caller is the server's own.
 */
export function openTurns({ atOnce, each = atOnce, places, patience }: Options) {
  /** The waiting work of each caller. The first caller in the map is next. */
  const waiting = new Map<string | undefined, Place[]>()
  /** How much each caller does. */
  const doing = new Map<string | undefined, number>()
  let [working, taken] = [0, 0]

  function mayBegin(caller: string | undefined) {
    const most = caller === undefined ? atOnce : each
    return working < atOnce && (doing.get(caller) ?? 0) < most
  }

  function count(caller: string | undefined) {
    working++
    doing.set(caller, (doing.get(caller) ?? 0) + 1)
  }

  function takePlace(caller: string | undefined) {
    if (taken === places) makeRoom(caller)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const place: Place = { begin: resolve, refuse: () => reject(tooBusy()) }
    const own = waiting.get(caller)
    if (own) own.push(place)
    else waiting.set(caller, [place])
    taken++
    return patience === undefined ? promise : untilTired(promise, caller, place, patience)
  }

  function makeRoom(caller: string | undefined) {
    const most = Math.max(...Array.from(waiting.values(), ({ length }) => length))
    const own = (waiting.get(caller)?.length ?? 0) + 1
    if (own >= most) throw tooBusy()
    const [longest, theirs] = [...waiting].find(([, { length }]) => length === most)!
    const last = theirs.at(-1)!
    leavePlace(longest, last)
    last.refuse()
  }

  async function untilTired(
    begun: Promise<void>,
    caller: string | undefined,
    place: Place,
    after: number,
  ) {
    const timer = setTimeout(() => {
      leavePlace(caller, place)
      place.refuse()
    }, after)
    return begun.finally(() => clearTimeout(timer))
  }

  function leavePlace(caller: string | undefined, place: Place) {
    const left = waiting.get(caller)!.filter((other) => other !== place)
    if (left.length > 0) waiting.set(caller, left)
    else waiting.delete(caller)
    taken--
  }

  function passOn() {
    for (const [caller, [place, ...others]] of waiting) {
      if (!mayBegin(caller)) continue
      waiting.delete(caller)
      if (others.length > 0) waiting.set(caller, others)
      taken--
      count(caller)
      return place!.begin()
    }
  }

  /** Undefined if the caller may begin now, or else what to wait for. Then `end` must follow. */
  function begin(caller: string | undefined) {
    return mayBegin(caller) ? count(caller) : takePlace(caller)
  }

  function end(caller: string | undefined) {
    working--
    const left = doing.get(caller)! - 1
    if (left > 0) doing.set(caller, left)
    else doing.delete(caller)
    passOn()
  }

  async function inTurn<Answer>(caller: string, work: () => Promise<Answer>): Promise<Answer> {
    const wait = begin(caller)
    if (wait) await wait
    try {
      return await work()
    } finally {
      end(caller)
    }
  }

  /** How much waits, without what waits only because of its own caller. */
  function countCrowd() {
    let crowd = 0
    for (const [caller, { length }] of waiting)
      crowd += caller === undefined ? length : Math.min(length, each)
    return crowd
  }

  return { begin, end, inTurn, countCrowd }
}

function tooBusy() {
  return new Refusal('unavailable', { retryAfter: limits.calls.retryAfter / 1000 })
}
