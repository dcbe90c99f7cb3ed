import { findPlan } from '#contract/access.ts'
import type { Subscription } from '#contract/entities.ts'
import { paths, projectPath } from '#contract/paths.ts'
import { FolderPlus } from 'lucide-react'
import { Link } from 'react-router'
import { useCall } from '../../api/queries.tsx'
import { useSession } from '../../api/use-session.tsx'
import { ButtonLink } from '../../components/button.tsx'
import { cardLook } from '../../components/card.tsx'
import { classes } from '../../components/classes.ts'
import { CopyId } from '../../components/copy-id.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Problem } from '../../components/problem.tsx'
import { Bone, Skeleton } from '../../components/skeleton.tsx'
import { useT } from '../../i18n.ts'
import { projectName } from '../../layouts/use-project.ts'
import { StatusBadge } from './status-badge.tsx'

const grid = 'grid grid-cols-[repeat(auto-fill,minmax(min(270px,100%),1fr))] gap-5'

export function ProjectGrid() {
  const { user } = useSession()
  const { data, error, refetch } = useCall('listSubscriptions', {})
  const invites = useCall('listInvites', {}, { enabled: user.emailVerified })
  if (error && !data) return <Problem error={error} failed="dashboard.loadFailed" retry={() => void refetch()} />
  // Invitations stand above: coming later, they would push the projects down.
  if (!data || invites.isLoading) return <ProjectGridSkeleton />
  if (data.subscriptions.length === 0) return <FirstProject />
  return (
    <ul className={grid}>
      {data.subscriptions.map((subscription) => (
        <ProjectCard key={subscription.id} subscription={subscription} />
      ))}
    </ul>
  )
}

function ProjectCard({ subscription }: { subscription: Subscription }) {
  const t = useT()
  const plan = findPlan(subscription.plan_id)
  return (
    <li
      className={classes(cardLook, 'relative px-5 py-4.5 transition-[box-shadow,border-color] hover:border-line-strong hover:shadow-lift')}
    >
      <div className="flex items-start justify-between gap-3">
        <Link
          to={projectPath('subscription', subscription.id)}
          className="min-w-0 rounded-control font-semibold wrap-anywhere after:absolute after:inset-0 after:rounded-card"
        >
          {projectName(subscription, t)}
        </Link>
        <StatusBadge status={subscription.status} />
      </div>
      <p className="mt-1 text-soft">{plan && t(plan.titleKey)}</p>
      <CopyId id={subscription.id} className="relative mt-3" />
    </li>
  )
}

function FirstProject() {
  const t = useT()
  return (
    <EmptyState
      icon={<FolderPlus aria-hidden />}
      title={t('dashboard.emptyTitle')}
      action={
        <ButtonLink to={paths.createPlan} variant="primary">
          {t('dashboard.createFirst')}
        </ButtonLink>
      }
    >
      {t('dashboard.empty')}
    </EmptyState>
  )
}

function ProjectGridSkeleton() {
  return (
    <Skeleton className={grid}>
      {[0, 1, 2].map((key) => (
        <div key={key} className={classes(cardLook, 'grid h-31 content-start gap-3 px-5 py-5')}>
          <Bone className="h-4 w-2/5" />
          <Bone className="h-3.5 w-1/4" />
          <Bone className="mt-2 h-3.5 w-3/5" />
        </div>
      ))}
    </Skeleton>
  )
}
