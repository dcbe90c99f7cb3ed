import { calls, type CallName } from '../../contract/calls.ts'

/** One request, whatever came of it. Times are in milliseconds, `at` since 1970. */
export type Attempt = {
  call: CallName
  at: number
  ms: number
  /** 0 if there was no answer. */
  status: number
  /** The reason of a refusal by the product. haproxy's own answers have none. */
  reason?: string | undefined
  /** Seconds. */
  retryAfter?: number | undefined
}

export type Journal = ReturnType<typeof openJournal>

/** Notes every request of the load, and what was being done to the servers meanwhile. */
export function openJournal() {
  const attempts: Attempt[] = []
  const phases = [{ name: 'before', at: Date.now() }]
  const surprises: string[] = []

  const isWrite = ({ call }: Attempt) => calls[call].effect !== 'read'
  const endOf = ({ at, ms }: Attempt) => at + ms
  const isDone = (attempt: Attempt) => attempt.status === 200 && isWrite(attempt)

  function phaseAt(at: number) {
    return phases.findLast((phase) => phase.at <= at)!
  }

  return {
    attempts,
    phases,
    /** Refusals that no step of the load had to expect. */
    surprises,
    begin: (name: string) => void phases.push({ name, at: Date.now() }),
    phaseAt,
    surprise: (text: string) => void surprises.push(`${text} (${phaseAt(Date.now()).name})`),
    of: (phase: { at: number }) => attempts.filter(({ at }) => phaseAt(at) === phase),
    /** Whether a write that began in this time was acknowledged in it. */
    hasWritten: (from: number, to: number) =>
      attempts.some((attempt) => isDone(attempt) && attempt.at >= from && endOf(attempt) <= to),
    /** When the first write after this time was acknowledged. */
    firstWriteAfter: (time: number) =>
      Math.min(
        ...attempts.filter((attempt) => isDone(attempt) && endOf(attempt) > time).map(endOf),
      ),
    /** The longest time without an acknowledged write, and when it ended. */
    longestGap(from: number, to: number) {
      const times = attempts
        .filter(isDone)
        .map(endOf)
        .filter((at) => at > from && at < to)
      const marks = [from, ...times.sort((a, b) => a - b), to]
      const gaps = marks.slice(1).map((at, index) => ({ at, ms: at - marks[index]! }))
      return gaps.reduce((longest, gap) => (gap.ms > longest.ms ? gap : longest))
    },
  }
}

/** What became of a request, in the words of the table. */
export function outcomeOf({ status, reason, retryAfter }: Attempt) {
  if (status === 200) return 'done'
  if (reason === undefined) return status === 503 ? 'haproxy 503' : 'no answer'
  if (status === 503) return retryAfter === undefined ? '503 bare' : '503 retry'
  return status === 500 || status === 504 ? (String(status) as '500' | '504') : 'refused'
}
