import { useEffect, useEffectEvent } from 'react'

/** Calls `press` for every key that the user presses, wherever the focus is. */
export function useKeydown(press: (event: KeyboardEvent) => void) {
  const hear = useEffectEvent(press)
  useEffect(() => {
    const listen = (event: KeyboardEvent) => hear(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}
