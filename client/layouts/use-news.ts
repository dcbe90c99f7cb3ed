import { useCallback } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useIsHere } from '../components/use-is-here.ts'

/** Why somebody was led to another screen. The screen that they come to says it. */
export type News = {
  /** The name of a project that somebody took them out of. */
  removed?: string
  /** They are no longer an administrator of the project that they still look at. */
  demoted?: true
}

/** What the way here has to say, until it is put away. */
export function useNews() {
  const { pathname, search, state } = useLocation()
  const navigate = useNavigate()
  const isHere = useIsHere()
  const putAway = useCallback(
    () => isHere() && void navigate({ pathname, search }, { replace: true, preventScrollReset: true }),
    [isHere, navigate, pathname, search],
  )
  return { news: (state ?? {}) as News, putAway }
}
