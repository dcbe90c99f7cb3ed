import { billingLimits } from '#config/limits.ts'
import { openTurns } from '../platform/turns.ts'

export type ProviderReads = ReturnType<typeof openProviderReads>

/**
 * Lets calls that only read ask the payment provider in turns. Those of an account that ask the same
 * share an answer, but only one that was asked for after they came: people see what they changed a
 * moment ago, also in their browser at the provider, where the server learns of it later.
 */
export function openProviderReads() {
  const { readsAtOnce: atOnce, readsOfOne: each, readsWaiting: places } = billingLimits
  const turns = openTurns({ atOnce, each, places })
  /** What is not asked yet. */
  const waiting = new Map<string, Promise<unknown>>()

  return async function shared<Answer>(
    account: string,
    question: unknown[],
    ask: () => Promise<Answer>,
  ): Promise<Answer> {
    const key = JSON.stringify([account, ...question])
    const known = waiting.get(key) as Promise<Answer> | undefined
    if (known) return known
    // Begins after it is in the map, which it leaves when its turn comes.
    const answer = Promise.resolve()
      .then(async () =>
        turns.inTurn(account, () => {
          waiting.delete(key)
          return ask()
        }),
      )
      .catch((error: unknown) => {
        if (waiting.get(key) === answer) waiting.delete(key)
        throw error
      })
    waiting.set(key, answer)
    return answer
  }
}
