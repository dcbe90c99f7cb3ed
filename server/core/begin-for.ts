import type { Key } from '../store/idempotency.ts'
import type { BegunChange } from '../store/schema.ts'
import type { Services } from './services.ts'

/**
 * Notes under the request's idempotency key that it now makes its change. If the server dies before
 * it answers, a repeated request that is refused for `refusal` gets `result`.
 */
export async function beginFor(key: Key | undefined, begun: BegunChange, { store }: Services) {
  if (key) await store.idempotency.begin({ ...key, begun: JSON.stringify(begun) })
}
