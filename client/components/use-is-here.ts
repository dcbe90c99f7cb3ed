import { useCallback } from 'react'
import { useLocation } from 'react-router'

/** Whether whoever saw this drawn is still there: where they have gone since may still be on its way, and nothing is to lead them back. */
export function useIsHere() {
  const { pathname, search } = useLocation()
  return useCallback(
    () => window.location.pathname === pathname && window.location.search === search,
    [pathname, search],
  )
}
