import type { Reason } from '#contract/refusals.ts'
import { useEffect, useRef, useState } from 'react'
import { loadAllTexts } from '../platform/i18n.ts'
import { openChannel } from '../platform/tabs.ts'
import { CallError, toCallError } from './post.ts'
import { passSecondStep } from './second-step.ts'
import { enter } from './session.ts'

type Outcome =
  | { outcome: 'signedIn' | 'linked' | 'reauthenticated' | 'closed' }
  | { outcome: 'refused'; reason: Reason; details?: Record<string, unknown> }

type Wanted = {
  /** Finds the URL to open, after the empty window has opened. */
  where: () => Promise<string>
  onDone: () => unknown
  onRefused?: (error: CallError) => void
}

/** Opens a sign-in provider's window on a click. Another click brings the window to the front. */
export function usePopup() {
  const [state, setState] = useState<{ busy: boolean; error?: CallError }>({ busy: false })
  const stop = useRef<() => void>(undefined)
  useEffect(() => () => stop.current?.(), [])

  async function open({ where, onDone, onRefused }: Wanted) {
    stop.current?.()
    const popup = openWindow()
    if (!popup) return attempt(() => Promise.reject(new CallError('auth/popup-blocked')))
    popup.focus()
    setState({ busy: true })
    stop.current = follow(popup, (outcome) => void attempt(() => finish(outcome, onDone)))
    await attempt(async () => {
      try {
        popup.location.replace(await where())
      } catch (error) {
        stop.current?.()
        popup.close()
        generation++
        if (error instanceof CallError) onRefused?.(error)
        throw error
      }
    })
  }

  async function finish(end: Outcome, onDone: () => unknown) {
    if (end.outcome === 'closed') throw new CallError('auth/popup-closed-by-user')
    stop.current?.()
    generation++
    if (end.outcome === 'refused')
      enter(await passSecondStep(new CallError(end.reason, end.details)))
    else await onDone()
    setState({ busy: false })
  }

  async function attempt(work: () => Promise<void>) {
    try {
      await work()
    } catch (error) {
      // The texts for visitors have no words for what goes wrong at a provider.
      await loadAllTexts().catch(() => undefined)
      setState({ busy: false, error: toCallError(error) })
    }
  }

  return { ...state, open, reset: () => setState({ busy: false }) }
}

/** Part of the window's name, because a new window would open inside one that is still closing. */
let generation = 0

/** Returns null if the browser blocks the window. Browsers allow a window only during a click. */
function openWindow() {
  const [width, height] = [500, 680]
  const left = Math.round(screenX + (outerWidth - width) / 2)
  const top = Math.round(screenY + (outerHeight - height) / 2)
  const place = `width=${width},height=${height},left=${left},top=${top}`
  return window.open('about:blank', `sign-in-${generation}`, `popup,${place}`)
}

/**
 * Reports how the sign-in in the window ends, until the returned function is called. A provider may
 * cut the window off from this page: it then looks closed, and reports through a BroadcastChannel.
 */
function follow(popup: Window, tell: (outcome: Outcome) => void) {
  const stopped = new AbortController()
  const { signal } = stopped
  const channel = openChannel('sign-in')
  const listen = ({ origin, source, data }: MessageEvent) => {
    const isFromPopup = origin === location.origin && (source === popup || source === null)
    if (isFromPopup && data?.source === 'sign-in') tell(data as Outcome)
  }
  channel.addEventListener('message', listen, { signal })
  window.addEventListener('message', listen, { signal })

  let wasClosed = false
  const watch = setInterval(() => {
    // The last message of a closed window may still be on its way, so wait for one more interval.
    if (wasClosed) {
      clearInterval(watch)
      tell({ outcome: 'closed' })
    }
    wasClosed = popup.closed
  }, 400)
  return () => {
    clearInterval(watch)
    stopped.abort()
    channel.close()
  }
}
