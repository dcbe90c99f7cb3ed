import { engineLimits } from '#config/limits.ts'
import type { Logger } from 'pino'
import type { Store } from '../store/store.ts'

export type TokenUses = ReturnType<typeof openTokenUses>
type Use = Parameters<Store['accessTokens']['addUses']>[0]

/**
 * Notes where and how often access tokens are used. The first use of a token is written at once, and
 * those of the next minute at its end, so that no request waits for another one's row.
 */
export function openTokenUses(log: Logger) {
  const gathered = new Map<string, { use: Use; store: Store }>()

  async function put(use: Use, store: Store) {
    await store.accessTokens
      .addUses(use)
      .catch((error: unknown) =>
        log.warn({ err: error }, 'the use of an access token is not noted'),
      )
  }

  async function putGathered(id: string) {
    const { use, store } = gathered.get(id) ?? {}
    gathered.delete(id)
    if (use && use.uses > 0) await put(use, store!)
  }

  return {
    async count(use: Omit<Use, 'uses'>, { store }: { store: Store }) {
      const before = gathered.get(use.id)?.use
      gathered.set(use.id, { use: { ...use, uses: before ? before.uses + 1 : 0 }, store })
      if (before) return
      setTimeout(() => void putGathered(use.id), engineLimits.tokenUse).unref()
      await put({ ...use, uses: 1 }, store)
    },

    /** Before the server stops. */
    async putAll() {
      await Promise.all([...gathered.keys()].map(putGathered))
    },
  }
}
