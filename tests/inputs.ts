import { calls, type CallName } from '#contract/calls.ts'
import * as z from 'zod/mini'
import { newId } from '../server/platform/ids.ts'

/** Input that the call's schema accepts. The ids in it may be made up. */
export function inputFor(name: CallName, subscriptionId: string) {
  const input = sampleOf(calls[name].input) as Record<string, unknown>
  return 'subscriptionId' in input ? { ...input, subscriptionId } : input
}

export function sampleOf(schema: z.core.$ZodType): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'object': {
      const required = Object.entries(def.shape).filter(
        ([, field]) => !z.safeParse(field, undefined).success,
      )
      return Object.fromEntries(required.map(([key, field]) => [key, sampleOf(field)]))
    }
    case 'string':
      return ['x', `${newId()}@example.com`, 'secret of ann'].find(
        (text) => z.safeParse(schema, text).success,
      )
    case 'enum':
      return Object.values(def.entries)[0]
    case 'boolean':
      return true
    case 'nullable':
      return null
    case 'array':
      return []
    default:
      throw new Error(`A required field of type ${def.type} needs a sample here.`)
  }
}
