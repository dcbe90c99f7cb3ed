import { defaultPermission, findPlan, isAdmin } from '#contract/access.ts'
import type { SubscriptionWithPeople } from '#contract/entities.ts'
import { nextCharge } from '#contract/next-charge.ts'
import { priceWords } from '#contract/price-words.ts'
import { projectPath } from '#contract/paths.ts'
import type { Plan } from '#config/plans.ts'
import { Link } from 'react-router'
import { useSession } from '../../api/session.ts'
import { useAction } from '../../api/call.ts'
import { ProjectTile } from '../../components/avatar.tsx'
import { Button, TextLink } from '../../components/button.tsx'
import { cardLook, classes } from '../../components/classes.ts'
import { CopyId } from '../../components/copy-id.tsx'
import { Faces } from './faces.tsx'
import { LiveProblem } from '../../components/message.tsx'
import { useRoles, heldBy } from '../../components/permission-boxes.tsx'
import { Bone, Skeleton } from '../../components/skeleton.tsx'
import { focusMain } from '../../platform/focus-main.ts'
import { missingPayment } from '../../layouts/needs-user.ts'
import { useT } from '../../platform/i18n.ts'
import { projectTitle } from '../../layouts/use-project.ts'
import { ownPrice } from '../billing/plans.ts'
import { MainBadge } from './status-badge.tsx'

export const gridLook = 'grid grid-cols-[repeat(auto-fill,minmax(min(270px,100%),1fr))] gap-5'

type ProjectCardProps = { project: SubscriptionWithPeople }

/** A project as its members find it in their list: what they are there, who is in it, its cost. */
export function ProjectCard({ project }: ProjectCardProps) {
  const t = useT()
  const { user } = useSession()
  const { role } = useRoles()
  const title = projectTitle(project, t)
  const plan = findPlan(project.plan_id)
  const isOwner = project.owner_id === user.uid
  const count = project.permissions[defaultPermission]?.length ?? 0
  return (
    <li
      className={classes(
        cardLook,
        'relative flex flex-col gap-3 p-inset transition-[box-shadow,border-color] hover:border-line-strong hover:shadow-lift',
      )}
    >
      <div className="flex items-start gap-3">
        <ProjectTile id={project.id} name={title} />
        <div className="min-w-0">
          <Link
            to={projectPath('subscription', project.id)}
            className="rounded-control font-semibold wrap-anywhere after:absolute after:inset-0 after:rounded-card"
          >
            {title}
          </Link>
          <p className="text-small text-soft">
            {isOwner ? t('users.owner') : role(heldBy(project, user.uid))}
            {plan && ` · ${t(plan.titleKey)}`}
          </p>
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5">
        <MainBadge project={project} />
        <CopyId id={project.id} className="relative" />
      </div>
      {project.status === 'canceled' && <HideProject project={project} />}
      {!project.is_shut && (
        <div className="mt-auto flex flex-wrap items-center justify-between gap-x-3 gap-y-2 border-t border-line pt-4">
          <span className="sr-only">{t('home.people.count', { count })}</span>
          <Faces people={project.people} count={count} most={3} className="size-7 text-label" />
          <div className="min-w-0 text-small text-soft tabular-nums wrap-anywhere">
            <Fact project={project} plan={plan} count={count} />
          </div>
        </div>
      )}
    </li>
  )
}

/** Puts a canceled project out of the user's sight, or back into it. */
function HideProject({ project: { id, is_hidden: isHidden } }: ProjectCardProps) {
  const t = useT()
  const { busy, error, run } = useAction('hideSubscription')
  return (
    <>
      <Button
        busy={busy}
        className="relative z-1 justify-self-start"
        onClick={() => void run({ subscriptionId: id, hidden: !isHidden }, focusMain)}
      >
        {t(isHidden ? 'dashboard.showAgain' : 'dashboard.hide')}
      </Button>
      <LiveProblem error={error} />
    </>
  )
}

type FactProps = ProjectCardProps & { plan: Plan | undefined; count: number }

/**
 * The way to pay what is owed, or else the price, which administrators see: only the provider knows
 * the next payment, with tax and after credit. Without either, members read the owner's name, and
 * the owner reads the number of people.
 */
function Fact({ project, plan, count }: FactProps) {
  const t = useT()
  const { user } = useSession()
  if (missingPayment(project, user.uid) && project.owner_id === user.uid)
    return (
      <TextLink to={projectPath('billing', project.id)} className="relative z-1">
        {t('home.payment.pay')}
      </TextLink>
    )
  if (nextCharge(project) !== undefined && plan && isAdmin(project, user.uid))
    return priceWords(ownPrice(project, plan), t)
  const owner = project.people.find(({ id }) => id === project.owner_id)
  if (owner && owner.id !== user.uid) return t('dashboard.ownedBy', { name: owner.name })
  return <span aria-hidden>{t('home.people.count', { count })}</span>
}

export function ProjectGridSkeleton({ count }: { count: number }) {
  return (
    <Skeleton className={gridLook}>
      {Array.from({ length: count }, (_, key) => (
        <div key={key} className={classes(cardLook, 'grid content-start gap-3 p-inset')}>
          <span className="flex h-10 items-center gap-3">
            <Bone className="size-8.5" />
            <span className="grid flex-1 gap-2">
              <Bone className="h-4 w-3/5" />
              <Bone className="h-3 w-2/5" />
            </span>
          </span>
          <span className="flex items-center gap-3">
            <Bone className="h-5 w-16 rounded-full!" />
            <Bone className="h-3.5 w-36" />
          </span>
          <Bone className="mt-4 h-9 w-16" />
        </div>
      ))}
    </Skeleton>
  )
}
