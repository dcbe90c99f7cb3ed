import { limits } from '#config/limits.ts'
import { Refusal } from '../../platform/refusal.ts'

export type Turns = ReturnType<typeof openTurns>

/** Waiting callers take turns, so that one caller's flood hardly delays the others. */
export function openTurns({ atOnce, places }: { atOnce: number; places: number }) {
  /** The waiting work of each caller. The first caller in the map is next. */
  const waiting = new Map<string, PromiseWithResolvers<void>[]>()
  let [working, taken] = [0, 0]

  function takePlace(caller: string) {
    if (taken === places) makeRoom(caller)
    const place = Promise.withResolvers<void>()
    waiting.set(caller, [...(waiting.get(caller) ?? []), place])
    taken++
    return place.promise
  }

  function makeRoom(caller: string) {
    const most = Math.max(...Array.from(waiting.values(), ({ length }) => length))
    const own = (waiting.get(caller)?.length ?? 0) + 1
    if (own >= most) throw tooBusy()
    const longest = Array.from(waiting.values()).find(({ length }) => length === most)!
    longest.pop()!.reject(tooBusy())
    taken--
  }

  function passOn() {
    const [first] = waiting
    if (!first) return void working--
    const [caller, [place, ...others]] = first
    waiting.delete(caller)
    if (others.length > 0) waiting.set(caller, others)
    taken--
    place!.resolve()
  }

  return async function inTurn<Answer>(
    caller: string,
    work: () => Promise<Answer>,
  ): Promise<Answer> {
    if (working < atOnce) working++
    else await takePlace(caller)
    return work().finally(passOn)
  }
}

function tooBusy() {
  return new Refusal('unavailable', { retryAfter: limits.passwords.retryAfter / 1000 })
}
