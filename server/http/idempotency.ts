import type { Effect } from '#contract/calls.ts'
import { limits } from '#config/limits.ts'
import { refusals, type Reason } from '#contract/refusals.ts'
import { setTimeout as delay } from 'node:timers/promises'
import { Refusal } from '../platform/refusal.ts'
import { toRefusal } from '../core/to-refusal.ts'
import type { Services } from '../core/services.ts'
import type { Claim, Key } from '../store/idempotency.ts'

type Answer = { result: unknown } | { refusal: Reason; details: Record<string, unknown> }
type Work = (services: Services) => Promise<unknown>
type Once = { key: Key | undefined; effect: Effect; request: unknown }

/** Runs a changing call. With a key, everybody who makes the same request is given the answer that was kept first. */
export async function answerOnce(
  { key, effect, request }: Once,
  services: Services,
  work: Work,
): Promise<unknown> {
  if (!key) return effect === 'write' ? services.transaction(work) : work(services)
  const run = effect === 'write' ? runAtOnce : runInSteps
  const claim = { ...key, request: services.keyedHash('idempotency', JSON.stringify(request)) }
  const waitUntil = Date.now() + limits.calls.timeout
  while (Date.now() < waitUntil) {
    const answer = (await run(claim, services, work)) ?? (await findAnswer(claim, services))
    if (answer && 'refusal' in answer) throw new Refusal(answer.refusal, answer.details)
    if (answer) return answer.result
    await delay(100)
  }
  throw new Refusal('callInProgress')
}

/**
 * Work and answer in one transaction, which holds the key, unless something is kept under it. A refusal gives the key up with the rest:
 * another request, which waited for it, may have done the work before the refusal is kept, and then its answer stands.
 */
async function runAtOnce(
  claim: Claim,
  services: Services,
  work: Work,
): Promise<Answer | undefined> {
  try {
    return await holding(claim, services, async (services) => {
      if (await services.store.idempotency.find(claim)) return undefined
      return keep({ result: await work(services) }, claim, services)
    })
  } catch (error) {
    const refusal = refusalOf(error)
    return holding(claim, services, (services) => keep(refusal, claim, services))
  }
}

function holding<Outcome>(
  claim: Claim,
  { transaction }: Services,
  work: (services: Services) => Promise<Outcome>,
) {
  return transaction(async (services) => {
    await services.store.idempotency.lock(claim)
    return work(services)
  })
}

/** Claims the key for everybody to see, unless it is claimed, then works, then keeps the answer. */
async function runInSteps(
  claim: Claim,
  services: Services,
  work: Work,
): Promise<Answer | undefined> {
  const { store, now } = services
  if (!(await store.idempotency.claim(claim, now()))) return undefined
  try {
    return await keep(
      await work(services).then((result) => ({ result }), refusalOf),
      claim,
      services,
    )
  } catch (error) {
    await store.idempotency.release(claim)
    throw error
  }
}

async function keep(answer: Answer, claim: Claim, { store, now }: Services) {
  return ((await store.idempotency.keep(claim, answer, now())) as Answer | undefined) ?? answer
}

/** As it is kept. An error that may pass is thrown on. */
function refusalOf(error: unknown): Answer {
  const { reason, details } = toRefusal(error)
  if (refusals[reason].flags.includes('passing')) throw error
  return { refusal: reason, details }
}

/** The answer of the request that holds the key; nothing as long as it is being worked on. */
async function findAnswer(claim: Claim, { store, now }: Services) {
  const first = await store.idempotency.find(claim)
  if (!first) return undefined
  if (first.request !== claim.request) throw new Refusal('idempotencyKeyReused')
  // A server that died in the middle left its claim behind.
  const isLeft = now().getTime() - first.createdAt.getTime() > limits.calls.timeout
  if (!first.answer && isLeft) await store.idempotency.release(claim)
  return (first.answer as Answer | null) ?? undefined
}
