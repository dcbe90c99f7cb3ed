import type { RefusalStatus } from '#contract/rows.ts'

type Outcome = 'ok' | RefusalStatus
/** How a request to a provider ended. `unauthorized`: it does not accept us, so we must act. */
export type ProviderOutcome = 'ok' | 'declined' | 'refused' | 'unavailable' | 'unauthorized'

/**
 * A piece of the server's work that takes time. Who does it adds what shows only at its end. None of
 * it names a person or repeats what somebody has typed.
 */
export type Work = {
  /** Set before the work begins, if it is traced. */
  trace?: Trace
} & (
  | {
      kind: 'request'
      method: string
      /** The caller's trace (W3C `traceparent`), if it sent a valid one. */
      parent?: Trace | undefined
      /** The pattern of the path, like `/api/:name`. */
      route?: string
      status?: number
    }
  | { kind: 'call'; name: string; outcome?: Outcome }
  | { kind: 'job'; task: string; outcome?: 'ok' | 'retried' | 'failed' }
  | { kind: 'provider'; provider: string; operation: string; outcome?: ProviderOutcome }
  | { kind: 'statement'; name: string }
)

export type Trace = { traceId: string; spanId: string; isSampled?: boolean }

/** Something that happens at one moment. */
export type Happening =
  | { kind: 'crowded' }
  | { kind: 'limited'; limit: string }
  | { kind: 'notice'; what: string }
  | { kind: 'signIn'; way: string; outcome: string }
  | { kind: 'webhook'; outcome: string }

/** Sees what the server does: metrics count it, traces follow it. */
export type Observer = {
  watch: <Answer>(work: Work, run: () => Promise<Answer>) => Promise<Answer>
  count: (happening: Happening) => void
}

/** What several observers see, the first around the others. With none, nothing costs anything. */
export function observers(...all: (Observer | undefined)[]): Observer {
  return all
    .filter((one) => one !== undefined)
    .reduceRight(
      (inner, outer) => ({
        watch: (work, run) => outer.watch(work, () => inner.watch(work, run)),
        count(happening) {
          outer.count(happening)
          inner.count(happening)
        },
      }),
      unobserved,
    )
}

export const unobserved: Observer = { watch: async (_work, run) => run(), count: () => undefined }
