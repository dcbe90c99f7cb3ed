import { useCallback, useEffect, useRef } from 'react'

/** Has something done as soon as what asks for it is no longer on screen; at once, if it isn't. */
export function useWhenGone() {
  const state = useRef<{ isGone: boolean; act?: () => void }>({ isGone: false })
  useEffect(() => {
    const kept = state.current
    kept.isGone = false
    return () => {
      kept.isGone = true
      kept.act?.()
    }
  }, [])
  return useCallback((act: () => void) => {
    if (state.current.isGone) act()
    else state.current.act = act
  }, [])
}
