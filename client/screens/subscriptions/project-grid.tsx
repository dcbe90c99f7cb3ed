import { findPlan } from '#contract/access.ts'
import type { Subscription, SubscriptionStatus } from '#contract/entities.ts'
import { projectPath } from '#contract/paths.ts'
import type { RefObject } from 'react'
import { Link } from 'react-router'
import { Badge } from '../../components/badge.tsx'
import { cardLook } from '../../components/card.tsx'
import { classes } from '../../components/classes.ts'
import { CopyId } from '../../components/copy-id.tsx'
import { Bone, Skeleton } from '../../components/skeleton.tsx'
import { useT } from '../../platform/i18n.ts'
import { projectTitle } from '../../layouts/use-project.ts'

const grid = 'grid grid-cols-[repeat(auto-fill,minmax(min(270px,100%),1fr))] gap-5'

type ProjectGridProps = { projects: Subscription[]; list: RefObject<HTMLElement | null> }

export function ProjectGrid({ projects, list }: ProjectGridProps) {
  return (
    <ul ref={list as RefObject<HTMLUListElement | null>} className={grid}>
      {projects.map((project) => (
        <ProjectCard key={project.id} project={project} />
      ))}
    </ul>
  )
}

function ProjectCard({ project }: { project: Subscription }) {
  const t = useT()
  const plan = findPlan(project.plan_id)
  return (
    <li
      className={classes(
        cardLook,
        'relative px-5 py-4.5 transition-[box-shadow,border-color] hover:border-line-strong hover:shadow-lift',
      )}
    >
      <div className="flex items-start justify-between gap-3">
        <Link
          to={projectPath('subscription', project.id)}
          className="min-w-0 rounded-control font-semibold wrap-anywhere after:absolute after:inset-0 after:rounded-card"
        >
          {projectTitle(project, t)}
        </Link>
        <StatusBadge status={project.status} />
      </div>
      <p className="mt-1 text-soft">{plan && t(plan.titleKey)}</p>
      <CopyId id={project.id} className="relative mt-3" />
    </li>
  )
}

export function ProjectGridSkeleton({ count }: { count: number }) {
  return (
    <Skeleton className={grid}>
      {Array.from({ length: count }, (_, key) => (
        <div key={key} className={classes(cardLook, 'grid h-31 content-start gap-3 px-5 py-5')}>
          <Bone className="h-4 w-2/5" />
          <Bone className="h-3.5 w-1/4" />
          <Bone className="mt-2 h-3.5 w-3/5" />
        </div>
      ))}
    </Skeleton>
  )
}

export function StatusBadge({ status }: { status: SubscriptionStatus }) {
  const t = useT()
  return (
    <Badge tone={status === 'active' ? 'good' : 'neutral'} dot>
      {t(`project.status.${status}`)}
    </Badge>
  )
}
