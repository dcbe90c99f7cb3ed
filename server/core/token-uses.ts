import { engineLimits } from '#config/limits.ts'
import type { Logger } from 'pino'
import type { Store } from '../store/store.ts'

export type TokenUses = ReturnType<typeof openTokenUses>
type Use = Parameters<Store['accessTokens']['addUses']>[0]

/**
 * Notes where and how often access tokens are used. The first use of a token is written at once, and
 * those of the next minute at its end, so that no request waits for another one's row.
 */
export function openTokenUses(write: Store['accessTokens']['addUses'], log: Logger) {
  const gathered = new Map<string, Use>()

  async function put(use: Use) {
    await write(use).catch((error: unknown) =>
      log.warn({ err: error }, 'the use of an access token is not noted'),
    )
  }

  async function writeGathered(id: string) {
    const use = gathered.get(id)
    gathered.delete(id)
    if (use && use.uses > 0) await put(use)
  }

  return {
    async count(use: Omit<Use, 'uses'>) {
      const before = gathered.get(use.id)
      gathered.set(use.id, { ...use, uses: before ? before.uses + 1 : 0 })
      if (before) return
      setTimeout(() => void writeGathered(use.id), engineLimits.tokenUse).unref()
      await put({ ...use, uses: 1 })
    },

    /** Before the server stops. */
    async writeAll() {
      await Promise.all([...gathered.keys()].map(writeGathered))
    },
  }
}
