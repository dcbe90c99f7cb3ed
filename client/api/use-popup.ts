import { useEffect, useRef, useState } from 'react'
import { followPopup, openPopup, retirePopup, type PopupOutcome } from './popup.ts'
import { CallError } from './post.ts'

type State = { busy: boolean; error?: CallError }
type Wanted = {
  /** Where the window opens, or how to find out. */
  where: string | (() => Promise<string>)
  /** What comes after it. */
  onDone: () => unknown
  onRefused?: (error: CallError) => void
}

/** The window of a sign-in provider, opened by a click, and what came of it. Another click brings it back. */
export function usePopup() {
  const [state, setState] = useState<State>({ busy: false })
  const stop = useRef<() => void>(undefined)
  useEffect(() => () => stop.current?.(), [])

  async function open({ where, onDone, onRefused }: Wanted) {
    stop.current?.()
    const popup = openPopup(typeof where === 'string' ? where : undefined)
    if (!popup) return setState({ busy: false, error: new CallError('auth/popup-blocked') })
    popup.focus()
    setState({ busy: true })
    stop.current = followPopup(popup, (outcome) => void attempt(() => end(outcome, onDone)))
    if (typeof where === 'string') return
    await attempt(async () => {
      try {
        popup.location.replace(await where())
      } catch (error) {
        stop.current?.()
        popup.close()
        retirePopup()
        if (error instanceof CallError) onRefused?.(error)
        throw error
      }
    })
  }

  async function end(told: PopupOutcome, onDone: () => unknown) {
    if (told.outcome === 'closed') throw new CallError('auth/popup-closed-by-user')
    stop.current?.()
    retirePopup()
    if (told.outcome === 'refused') throw new CallError(told.reason)
    await onDone()
    setState({ busy: false })
  }

  async function attempt(work: () => Promise<void>) {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setState({ busy: false, error })
    }
  }

  return { ...state, open, reset: () => setState({ busy: false }) }
}
