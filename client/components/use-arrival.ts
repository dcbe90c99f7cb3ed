import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/** The section that an address names by `hash`. It takes the focus when somebody arrives there. */
export function useArrival(hash: string) {
  const section = useRef<HTMLElement>(null)
  const location = useLocation()
  useEffect(() => {
    // After the screen's title, which takes the focus first.
    if (location.hash === hash) requestAnimationFrame(() => section.current?.focus())
  }, [location, hash])
  return section
}
