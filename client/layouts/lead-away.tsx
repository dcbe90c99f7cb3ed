import { paths } from '#contract/paths.ts'
import { Navigate } from 'react-router'
import type { News } from './use-news.ts'

/** Leads to another screen, which says why. */
export function LeadAway({ to = paths.dashboard, news }: { to?: string; news: News }) {
  return <Navigate to={to} state={{ news }} replace />
}
