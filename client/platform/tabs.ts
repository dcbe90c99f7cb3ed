/**
 * Runs `work` while this tab alone holds a lock. Browsers have locks only on HTTPS, and refuse them
 * where site data is blocked: then `work` runs at once.
 */
export async function withLock<Result>(
  name: string,
  work: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  let hasBegun = false
  const begin = async () => {
    hasBegun = true
    return work()
  }
  try {
    return await navigator.locks.request(name, signal ? { signal } : {}, begin)
  } catch (error) {
    if (hasBegun || signal?.aborted) throw error
    return work()
  }
}

/** A channel to the other tabs. Where site data is blocked, nobody hears. */
export function openChannel(name: string): BroadcastChannel {
  try {
    return new BroadcastChannel(name)
  } catch {
    return new MessageChannel().port1 as EventTarget as BroadcastChannel
  }
}
