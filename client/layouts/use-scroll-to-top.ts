import { useEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router'

/** New screens and steps start at the top; browsers restore the place when one goes back. */
export function useScrollToTop() {
  const { pathname, key } = useLocation()
  const type = useNavigationType()
  const last = useRef({ pathname, key })
  useEffect(() => {
    const isNew =
      type === NavigationType.Push ? last.current.key !== key : last.current.pathname !== pathname
    last.current = { pathname, key }
    if (isNew && type !== NavigationType.Pop) window.scrollTo(0, 0)
  }, [pathname, key, type])
}
