import { limits } from '#config/limits.ts'
import { refusals, type Reason } from '#contract/refusals.ts'
import { setTimeout as delay } from 'node:timers/promises'
import type { Services } from '../core/services.ts'
import { orExpires, toRefusal } from '../core/to-refusal.ts'
import { Refusal } from '../platform/refusal.ts'
import { isSealed } from '../platform/secrets.ts'
import { after } from '../platform/time.ts'
import type { Claim, Key } from '../store/idempotency.ts'

type Answer = { result: unknown } | { refusal: Reason; details: Record<string, unknown> }
/** `change`: the transaction that kept the answer, and made the change if the call has only one. */
type Kept = Answer & { change?: string | undefined }
type Work = (services: Services) => Promise<unknown>
type Run = (claim: Claim, services: Services, work: Work) => Promise<Kept | undefined>
type Once = { key: Key; request: unknown; tell: (change: string) => void }

/** Runs a call, or gives it its first answer: docs/decisions/004-requests-keep-their-first-answer.md. */
export async function answerOnce(once: Once, services: Services, work: Work, run: Run) {
  const { key, request, tell } = once
  const claim = { ...key, request: services.keyedHash('idempotency', JSON.stringify(request)) }
  const waitUntil = Date.now() + limits.calls.timeout
  while (Date.now() < waitUntil) {
    const kept = await run(claim, services, work)
    if (kept?.change !== undefined) tell(kept.change)
    const answer = kept && mapSecret(kept, (sealed) => openSecret(sealed, services))
    if (answer && 'refusal' in answer) throw new Refusal(answer.refusal, answer.details)
    if (answer) return answer.result
    await delay(100)
  }
  throw new Refusal('callInProgress')
}

/**
 * Locks the key, does the work and keeps its answer in one transaction. A refusal rolls back and so
 * unlocks the key: before it is kept, a request that waited may do the work. Then both requests get
 * that request's answer.
 */
export const inTransaction: Run = async (claim, services, work) => {
  const withKey = (answer: (services: Services) => Promise<Answer>) =>
    services.transaction(async (services) => {
      const [, kept] = await Promise.all([
        services.store.idempotency.lock(claim),
        findAnswer(claim, services),
      ])
      return kept ?? keep(await answer(services), claim, services)
    })
  return withKey(async (services) => ({ result: await work(services) })).catch((error: unknown) => {
    const refusal = refusalToKeep(error)
    return withKey(async () => refusal)
  })
}

/**
 * Claims the key, does the work and keeps its answer, each in transactions of its own. While another
 * request has the claim, there is no answer.
 */
export const inSteps: Run = async (claim, services, work) => {
  const { idempotency } = services.store
  const taken = { by: services.serverId, now: services.now() }
  const leftBefore = after(taken.now, -limits.calls.claimed)
  if (!(await idempotency.claim({ ...claim, ...taken, leftBefore })))
    return findAnswer(claim, services)
  try {
    const answer = await work(services).then((result) => ({ result }), refusalToKeep)
    return await keep(answer, claim, services)
  } catch (error) {
    await orExpires(idempotency.release(claim, taken))
    throw error
  }
}

async function keep(answer: Answer, claim: Claim, services: Services): Promise<Kept> {
  const { store, secrets, now } = services
  const sealed = mapSecret(answer, (secret) => secrets.seal('payment', secret))
  const kept = await store.idempotency.keep({
    ...claim,
    answer: JSON.stringify(sealed),
    now: now(),
  })
  return { ...((kept?.answer as Answer | undefined) ?? answer), change: kept?.change }
}

/** Changes the one secret that calls with a key answer: see `challenge` in contract/calls.ts. */
function mapSecret(answer: Answer, change: (secret: string) => string): Answer {
  const { result } = answer as { result?: { clientSecret?: string } | null }
  if (result?.clientSecret === undefined) return answer
  return { result: { ...result, clientSecret: change(result.clientSecret) } }
}

/** A server of a former version keeps it as it is. */
function openSecret(kept: string, { secrets }: Services) {
  const secret = isSealed(kept) ? secrets.open('payment', kept) : kept
  if (secret === undefined) throw new Refusal('paymentIncomplete')
  return secret
}

/** Returns the refusal to keep. Throws the error instead if another try may succeed. */
function refusalToKeep(error: unknown): Answer {
  const { reason, details } = toRefusal(error)
  if (refusals[reason].isPassing) throw error
  return { refusal: reason, details }
}

/** The answer kept under the key, or undefined while the first request is in progress. */
async function findAnswer(claim: Claim, { store }: Services): Promise<Kept | undefined> {
  const first = await store.idempotency.find(claim)
  if (first && first.request !== claim.request) throw new Refusal('idempotencyKeyReused')
  return (first?.answer as Answer | null) ?? undefined
}
