import type { Effect } from '#contract/calls.ts'
import { limits } from '#config/limits.ts'
import type { Reason } from '#contract/refusals.ts'
import { setTimeout as delay } from 'node:timers/promises'
import { Refusal } from './refusal.ts'
import type { Services } from './services.ts'
import { hashOf } from './store/ids.ts'
import type { Key } from './store/idempotency.ts'

type Answer = { result: unknown } | { refusal: Reason; details: Record<string, unknown> }
type Work = (services: Services) => Promise<unknown>
type Once = { key: Key | undefined; effect: Effect; request: unknown }

/** Refusals that another try may well turn into an answer, so they are not kept. */
const passing: ReadonlySet<Reason> = new Set([
  'unavailable',
  'paymentsUnavailable',
  'billingBusy',
  'callInProgress',
  'inviteeBusy',
  'auth/too-many-requests',
  'timeout',
])

/** Runs a changing call. With a key, the first answer is given again to whoever repeats the request. */
export async function answerOnce({ key, effect, request }: Once, services: Services, work: Work): Promise<unknown> {
  const run: Work = effect === 'write' ? (services) => services.transaction(work) : work
  if (!key) return run(services)
  const hash = hashOf(JSON.stringify(request))
  try {
    return effect === 'write'
      ? await services.transaction((services) => claimAndRun(key, hash, services, work))
      : await claimAndRun(key, hash, services, work)
  } catch (error) {
    await settle(key, hash, effect, error, services)
    throw error
  }
}

async function claimAndRun(key: Key, hash: string, services: Services, work: Work) {
  const { store, now } = services
  if (!(await store.idempotency.claim(key, hash, now()))) return replay(key, hash, services, work)
  const result = await work(services)
  await store.idempotency.keep(key, { result } satisfies Answer)
  return result
}

/** The answer of the call that holds the key; waits for it if it is still being worked on. */
async function replay(key: Key, hash: string, services: Services, work: Work): Promise<unknown> {
  const { store, now } = services
  const waitUntil = Date.now() + limits.calls.timeout
  while (Date.now() < waitUntil) {
    const first = await store.idempotency.find(key)
    if (!first) return claimAndRun(key, hash, services, work)
    if (first.request !== hash) throw new Refusal('idempotencyKeyReused')
    const answer = first.answer as Answer | null
    if (answer && 'refusal' in answer) throw new Replayed(answer.refusal, answer.details)
    if (answer) return answer.result
    // A server that died in the middle left its claim behind.
    if (now().getTime() - first.createdAt.getTime() > limits.calls.timeout) await store.idempotency.release(key)
    else await delay(100)
  }
  throw new Refusal('callInProgress')
}

/** A refusal given again: there is nothing new to keep. */
class Replayed extends Refusal {}

async function settle(key: Key, hash: string, effect: Effect, error: unknown, { store, now }: Services) {
  if (error instanceof Replayed || (error instanceof Refusal && error.reason === 'idempotencyKeyReused')) return
  if (error instanceof Refusal && !passing.has(error.reason)) {
    // The transaction took its claim back with it.
    if (effect === 'write') await store.idempotency.claim(key, hash, now())
    await store.idempotency.keep(key, { refusal: error.reason, details: error.details } satisfies Answer)
  } else if (effect !== 'write') {
    await store.idempotency.release(key)
  }
}
