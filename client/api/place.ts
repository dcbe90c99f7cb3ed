type Options = { onHad: () => void; onLost: () => void }

/**
 * A place that one tab of the browser has at a time: whoever claims it, takes it. Who lost it has it again when the one who took it is
 * gone. Where the browser can't arrange that, every tab has a place of its own.
 */
export function openPlace(name: string, { onHad, onLost }: Options) {
  let isWanted = false
  let release: (() => void) | undefined
  let queue: AbortController | undefined

  function claim() {
    if (isWanted && release) return
    isWanted = true
    queue?.abort()
    void hold({ steal: true })
  }

  function leave() {
    isWanted = false
    queue?.abort()
    lose()
  }

  async function hold(options: LockOptions) {
    try {
      if (navigator.locks) await navigator.locks.request(name, options, have)
      else void have()
    } catch {
      // Another tab has taken it; or it is no longer waited for.
      if (options.signal?.aborted || !isWanted) return
      lose()
      queue = new AbortController()
      await hold({ signal: queue.signal })
    }
  }

  function have() {
    if (!isWanted || release) return undefined
    const { promise, resolve } = Promise.withResolvers<void>()
    release = resolve
    onHad()
    return promise
  }

  function lose() {
    if (!release) return
    release()
    release = undefined
    onLost()
  }

  return { claim, leave }
}
