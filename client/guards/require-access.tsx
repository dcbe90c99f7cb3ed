import { isInvalid, whyNot } from '#contract/access.ts'
import type { Needs } from '#contract/rows.ts'
import { paths } from '#contract/paths.ts'
import { Ban } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router'
import { ButtonLink } from '../components/button.tsx'
import { EmptyState } from '../components/card.tsx'
import { PageTitle } from '../components/page-title.tsx'
import { screenAt } from '../components/screen-at.ts'
import { useT } from '../platform/i18n.ts'
import { logError } from '../platform/log.ts'
import { LeadAway } from '../layouts/news.tsx'
import { useProject } from '../layouts/use-project.ts'

/**
 * Shows a project's screens only to people who may open them. Others go to the dashboard, which
 * says why. People who lose a permission while its screen is open go to the project's own page, or
 * home. This only spares users refusals: the server checks every call.
 */
export function RequireAccess({ needs }: { needs: Needs }) {
  const { pathname } = useLocation()
  // A screen on which an owner gives up the ownership stays open and leaves by itself.
  if (needs === 'owner') return <AtEntry key={pathname} />
  // What a person may open at first is asked anew for screens with other needs.
  return <Throughout key={JSON.stringify(needs)} needs={needs} />
}

function AtEntry() {
  const { isOwner } = useProject()
  const [wasOwner] = useState(isOwner)
  return wasOwner ? <Outlet /> : <Throughout needs="owner" />
}

function Throughout({ needs }: { needs: Needs }) {
  const { user, subscription, name: project, pathTo } = useProject()
  const refusal = whyNot({ needs }, user.uid, subscription)
  const [atFirst] = useState(refusal)
  useEffect(() => {
    if (typeof needs === 'object' && isInvalid(needs))
      logError('invalid permission requested', needs)
  }, [needs])
  if (!refusal) return <Outlet />
  if (atFirst) return <LeadAway news={{ tone: 'warn', says: `errors.${atFirst}` }} />
  if (whyNot({ needs: 'member' }, user.uid, subscription))
    return <Navigate to={paths.home} replace />
  const news = { tone: 'warn', says: 'live.demoted', words: { project } } as const
  return <LeadAway to={pathTo('subscription')} news={news} />
}

/** Hides its screen in a canceled project, but not the open screen that has just canceled it. */
export function OnlyActive({ children }: { children: ReactNode }) {
  const { isActive } = useProject()
  const [wasActive] = useState(isActive)
  return wasActive ? children : <Canceled />
}

function Canceled() {
  const t = useT()
  const { pathname } = useLocation()
  return (
    <>
      <PageTitle title={t(screenAt(pathname)?.title ?? 'billing.title')} />
      <EmptyState
        icon={<Ban />}
        title={t('errors.subscriptionCanceled')}
        action={<ButtonLink to={paths.profile}>{t('billing.cancel.toCards')}</ButtonLink>}
      >
        {t('billing.cancel.over')}
      </EmptyState>
    </>
  )
}
