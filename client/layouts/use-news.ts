import { useLocation } from 'react-router'
import { useQuery } from '../components/use-query.ts'

/** Why somebody was led to another screen. The screen that they come to says it. */
export type News = {
  /** The name of a project that somebody took them out of. */
  removed?: string
  /** They are no longer an administrator of the project that they still look at. */
  demoted?: true
}

/** What the way here has to say, until it is put away. */
export function useNews() {
  const { state } = useLocation()
  const [, change] = useQuery()
  // The address stays as it is, and says nothing more.
  return { news: (state ?? {}) as News, putAway: () => change(() => {}) }
}
