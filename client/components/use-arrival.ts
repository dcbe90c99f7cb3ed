import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/** The section that an address names by `hash`. It takes the focus when somebody arrives there. */
export function useArrival(hash: string) {
  const section = useRef<HTMLElement>(null)
  const { hash: asked, key } = useLocation()
  useEffect(() => {
    // After the screen's title, which takes the focus first.
    if (asked === hash) requestAnimationFrame(() => section.current?.focus())
  }, [asked, hash, key])
  return section
}
