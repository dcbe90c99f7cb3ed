import { limits } from '#config/limits.ts'
import { refusals, type Reason } from '#contract/refusals.ts'
import { setTimeout as delay } from 'node:timers/promises'
import { insist, undoIfLost } from '../core/insist.ts'
import type { Services } from '../core/services.ts'
import { toRefusal } from '../core/to-refusal.ts'
import { Refusal } from '../platform/refusal.ts'
import { isSealed } from '../platform/secrets.ts'
import { after } from '../platform/time.ts'
import type { Claim, Key } from '../store/idempotency.ts'
import type { BegunChange } from '../store/schema.ts'

type Answer = { result: unknown } | { refusal: Reason; details: Record<string, unknown> }
/** `change`: the transaction that kept the answer, and made the change if the call has only one. */
type Kept = Answer & { change?: string | undefined }
type Work = (services: Services) => Promise<unknown>
type Run = (claim: Claim, services: Services, work: Work) => Promise<Kept | undefined>
type Once = { key: Key | undefined; request: unknown; tell: (change: string) => void }

/** Runs a call in one transaction: see docs/decisions/004-requests-keep-their-first-answer.md. */
export function answerInTransaction(once: Once, services: Services, work: Work) {
  return once.key ? answerOnce(once, services, work, runInTransaction) : services.transaction(work)
}

/** Runs a call that opens its own transactions. */
export function answerInSteps(once: Once, services: Services, work: Work) {
  return once.key ? answerOnce(once, services, work, runInSteps) : work(services)
}

async function answerOnce({ key, request, tell }: Once, services: Services, work: Work, run: Run) {
  const hash = services.keyedHash('idempotency', JSON.stringify(request))
  const claim = { ...key!, request: hash }
  const waitUntil = Date.now() + limits.calls.timeout
  while (Date.now() < waitUntil) {
    const answer: Kept | undefined =
      (await run(claim, services, work)) ?? (await findAnswer(claim, services))
    if (answer?.change !== undefined) tell(answer.change)
    if (answer && 'refusal' in answer) throw new Refusal(answer.refusal, answer.details)
    if (answer) return mapSecret(answer.result, (sealed) => openSecret(sealed, services))
    await delay(100)
  }
  throw new Refusal('callInProgress')
}

/**
 * Locks the key, does the work and stores its answer in one transaction. Undefined if the key has
 * an answer already. A refusal rolls back and so unlocks the key: before the refusal is stored, a
 * request that waited may do the work. Then both requests get that request's answer.
 */
async function runInTransaction(claim: Claim, services: Services, work: Work) {
  const withKey = <Outcome>(then: (services: Services) => Promise<Outcome>) =>
    services.transaction(async (services) => {
      await services.store.idempotency.lock(claim)
      return then(services)
    })
  try {
    return await withKey(async (services) => {
      if (await services.store.idempotency.find(claim)) return undefined
      return keep({ result: await work(services) }, claim, services)
    })
  } catch (error) {
    const refusal = refusalToKeep(error)
    return withKey((services) => keep(refusal, claim, services))
  }
}

/**
 * Claims the key, does the work and stores its answer. Undefined if another request has the claim.
 * The claim of a dead server tells what its request had begun.
 */
async function runInSteps(claim: Claim, services: Services, work: Work) {
  const { store, serverId: by } = services
  const now = services.now()
  const leftBefore = after(now, -limits.calls.timeout)
  const release = () => store.idempotency.release(claim, { by, now })
  const claiming = store.idempotency.claim({ ...claim, by, now, leftBefore })
  const claimed = await undoIfLost(claiming, release)
  if (!claimed) return undefined
  try {
    const answer = await work(services).then((result) => ({ result }), refusalToKeep)
    return await keep(doneBefore(claimed.begun, answer) ?? answer, claim, services)
  } catch (error) {
    await insist(release, error)
    throw error
  }
}

/** The result of an earlier request, if this one is refused because that one was carried out. */
function doneBefore(begun: BegunChange | null, answer: Answer) {
  const isCarriedOut = begun && 'refusal' in answer && answer.refusal === begun.refusal
  return isCarriedOut ? { result: begun.result } : undefined
}

async function keep(
  answer: Answer,
  claim: Claim,
  { store, secrets, now }: Services,
): Promise<Kept> {
  const toKeep =
    'refusal' in answer
      ? answer
      : { result: mapSecret(answer.result, (secret) => secrets.seal('payment', secret)) }
  const kept = await store.idempotency.keep(claim, toKeep, now())
  return { ...((kept?.answer as Answer | undefined) ?? answer), change: kept?.change }
}

/** Changes the one secret that calls with a key answer: see `challenge` in contract/calls.ts. */
function mapSecret(result: unknown, change: (secret: string) => string) {
  const { clientSecret } = (result ?? {}) as { clientSecret?: string }
  return clientSecret === undefined ? result : { ...result!, clientSecret: change(clientSecret) }
}

/** A server of a former version keeps it as it is. */
function openSecret(kept: string, { secrets }: Services) {
  const secret = isSealed(kept) ? secrets.open('payment', kept) : kept
  if (secret === undefined) throw new Refusal('paymentIncomplete')
  return secret
}

/** Returns the refusal to store. Throws the error instead if another try may succeed. */
function refusalToKeep(error: unknown): Answer {
  const { reason, details } = toRefusal(error)
  if (refusals[reason].isPassing) throw error
  return { refusal: reason, details }
}

/** Returns the answer stored under the key, or undefined while the first request is in progress. */
async function findAnswer(claim: Claim, { store }: Services) {
  const first = await store.idempotency.find(claim)
  if (first && first.request !== claim.request) throw new Refusal('idempotencyKeyReused')
  return (first?.answer as Answer | null) ?? undefined
}
