import { paths } from '#contract/paths.ts'
import { Navigate } from 'react-router'
import type { NewsOnTheWay } from './news.tsx'

/** Redirects to another screen, which shows `news` as the reason. */
export function LeadAway({ to = paths.dashboard, news }: { to?: string; news: NewsOnTheWay }) {
  return <Navigate to={to} state={{ news }} replace />
}
