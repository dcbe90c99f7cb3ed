import { paths } from '#contract/paths.ts'
import type { Reason } from '#contract/refusals.ts'
import { useEffect, useEffectEvent, useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import type { CallError } from '../api/post.ts'
import { useQuery } from '../components/use-query.ts'

/**
 * Why somebody was led to another screen, which says it. It travels as `news` in the state of the
 * location.
 */
export type News = {
  /** Why the project that they wanted could not be opened. */
  notLoaded?: CallError['reason']
  /** Why the screen that they wanted is not for them. */
  turnedAway?: Reason
  /** The name of a project that somebody took them out of. */
  removed?: string
  /** They are no longer an administrator of the project that they still look at. */
  demoted?: true
  /** Their bank still works on the payment for a new project. */
  processing?: true
}

/** What the way here has to say, until it is put away or the screen is left. */
export function useNews() {
  const { pathname, state } = useLocation()
  const [, change] = useQuery()
  const [said, setSaid] = useState<{ at: string; news: News }>()
  const arrived = state?.news as News | undefined
  if (arrived && said?.news !== arrived) setSaid({ at: pathname, news: arrived })
  if (said && said.at !== pathname && !arrived) setSaid(undefined)

  // Said once: the address stays as it is, and says nothing more when it is loaded again.
  const clear = useEffectEvent(() => change(() => {}))
  useEffect(() => {
    if (arrived) clear()
  }, [arrived])
  return { news: said?.news ?? {}, putAway: () => setSaid(undefined) }
}

/** Leads to another screen, which says why. */
export function LeadAway({ to = paths.dashboard, news }: { to?: string; news: News }) {
  return <Navigate to={to} state={{ news }} replace />
}
