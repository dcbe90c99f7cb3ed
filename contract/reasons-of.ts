import type * as z from 'zod/mini'
import { fromProvider } from './core-refusals.ts'
import { refusals, type Reason } from './refusals.ts'
import type { CallRow } from './rows.ts'

const always = [
  'badRequest',
  'tokenNotAllowed',
  'bodyTooLarge',
  'invalidInput',
  'auth/too-many-requests',
  'callInProgress',
  'timeout',
  'internal',
  'unavailable',
]

/** Why a call may be refused, by its row. Tests hold every refusal of a call against it. */
export function reasonsOf(row: CallRow): Reason[] {
  const { needs, effect } = row
  const isOfProject = needs !== 'anyone' && needs !== 'signedIn'
  const reasons = [
    ...always,
    ...(needs === 'anyone' ? [] : ['notSignedIn', 'sessionEnded']),
    ...(takesKey(row) ? ['idempotencyKeyReused'] : []),
    ...(isOfProject ? ['subscriptionNotFound', 'accessDenied'] : []),
    ...(isOfProject && !row.evenWithoutFactor ? ['factorRequired'] : []),
    ...(needs === 'admin' ? ['adminOnly'] : []),
    ...(needs === 'owner' ? ['ownerOnly'] : []),
    ...(typeof needs === 'object' ? ['permissionRequired'] : []),
    ...(row.onlyActive ? ['subscriptionCanceled'] : []),
    ...(row.onlyActive === true ? ['lookOnly'] : []),
    ...(row.streamed ? ['exportInProgress'] : []),
    ...(row.asksProvider || effect === 'billing' ? fromProvider : []),
    ...reasonsOfField(row.input),
    ...row.refusals,
  ]
  return [...new Set(reasons)].map((reason) => {
    if (!isReason(reason)) throw new Error(`There is no reason ${reason}.`)
    return reason
  })
}

/** Whether a repeated call with the same Idempotency-Key gets its first answer. */
export function takesKey({ needs, effect, secret }: CallRow) {
  return effect !== 'read' && needs !== 'anyone' && !secret
}

function isReason(reason: string): reason is Reason {
  return Object.hasOwn(refusals, reason)
}

/** The reasons that stand in a schema instead of messages: see `because` in fields.ts. */
function reasonsOfField(schema: z.core.$ZodType): Reason[] {
  const { def } = (schema as z.core.$ZodTypes)._zod
  const checks = def.checks?.map(({ _zod }) => _zod.def) ?? []
  const messages = [def, ...checks].map(({ error }) =>
    error?.({ code: 'invalid_type', input: undefined } as never),
  )
  const own = messages.filter((message) => typeof message === 'string' && isReason(message))
  return [...own, ...fieldsIn(def).flatMap(reasonsOfField)]
}

function fieldsIn(def: z.core.$ZodTypes['_zod']['def']): z.core.$ZodType[] {
  switch (def.type) {
    case 'object':
      return Object.values(def.shape)
    case 'array':
      return [def.element]
    case 'union':
      return [...def.options]
    default:
      return 'innerType' in def ? [def.innerType] : []
  }
}
