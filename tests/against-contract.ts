import { calls, isCallName } from '#contract/calls.ts'
import { reasonsOf } from '#contract/reasons-of.ts'
import type { RefusalBody } from '#contract/refusals.ts'

export type Body = { result?: unknown; error?: RefusalBody }

/** What an answer to a call has that its row does not say; undefined if there is nothing. */
export function beyondContract(name: string, { result, error }: Body) {
  if (!isCallName(name)) return undefined
  if (error) {
    const reason = error.details?.reason
    // A server whose module is off does not know its calls.
    if (reason === 'unknownCall') return undefined
    const isKnown = reason !== undefined && reasonsOf(calls[name]).includes(reason)
    return isKnown ? undefined : `${name} is refused with ${reason}`
  }
  const parsed = calls[name].answer.safeParse(result)
  return parsed.success ? undefined : `${name} answers ${parsed.error.message}`
}
