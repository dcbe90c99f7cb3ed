import { adminPermissions, defaultPermission } from '#contract/access.ts'
import { useState } from 'react'
import { Button, ButtonLink } from '../../components/button.tsx'
import { Faces } from './faces.tsx'
import { useRoles, heldBy } from '../../components/permission-boxes.tsx'
import { Bone } from '../../components/skeleton.tsx'
import { useProject } from '../../layouts/use-project.ts'
import { sentences, useFormat } from '../../platform/format.ts'
import { useT } from '../../platform/i18n.ts'
import { LeaveProject } from '../members/leave-project.tsx'
import { useSeats } from '../members/seats.tsx'
import { HomeCard } from './home-card.tsx'

/** Who is in the project, who owns it and who administers it. */
export function PeopleCard() {
  const t = useT()
  const { subscription, isActive, closed, isAdmin, isOwner, pathTo } = useProject()
  const [isLeaving, setLeaving] = useState(false)
  const { seats, free, isLoading } = useSeats({ enabled: isAdmin && isActive })
  const { people, permissions, payment, needs_card: needsCard } = subscription
  const count = permissions[defaultPermission]?.length ?? 0
  // Another card has the main action.
  const isSecond = payment !== 'ok' || (needsCard && isOwner)
  return (
    <HomeCard
      title={t('home.people.title')}
      className="first:col-span-full"
      link={isAdmin && { to: pathTo('users'), says: t('home.people.all') }}
    >
      <div className="flex h-full flex-col gap-4">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <Faces people={people} count={count} />
          <p className="font-medium tabular-nums">
            {t('home.people.count', { count })}
            {isLoading && <Bone className="ms-1 inline-block h-3 w-16 animate-late" />}
            {seats && seats.pending > 0 && t('home.people.pending', { count: seats.pending })}
          </p>
        </div>
        <p className="text-soft wrap-anywhere">
          <WhoRunsIt />
        </p>
        <p className="mt-auto flex flex-wrap gap-2 empty:hidden">
          {isAdmin && !closed && (
            <ButtonLink
              to={pathTo('invite')}
              variant={isSecond || free === 0 ? 'plain' : 'primary'}
            >
              {t('home.people.invite')}
            </ButtonLink>
          )}
          {!isOwner && (
            <Button
              variant="quiet"
              onClick={() => setLeaving(true)}
              className={isAdmin && !closed ? undefined : '-ms-3.5'}
            >
              {t('people.leave.action')}
            </Button>
          )}
        </p>
      </div>
      {isLeaving && <LeaveProject onClose={() => setLeaving(false)} />}
    </HomeCard>
  )
}

/** Administrators named before the rest of them is counted. */
const mostNamed = 3

/** Up to three sentences: the owner, the other administrators, and what the user is. */
function WhoRunsIt() {
  const t = useT()
  const format = useFormat()
  const { as } = useRoles()
  const { user, subscription, isAdmin, isOwner, owner } = useProject()
  const { people, permissions, owner_id: ownerId } = subscription
  const admins = new Set(adminPermissions.flatMap((key) => permissions[key] ?? []))
  admins.delete(ownerId)
  admins.delete(user.uid)
  const named = people.filter(({ id }) => admins.has(id)).slice(0, mostNamed)
  const others = admins.size - named.length
  const names = format.list([
    ...named.map(({ name }) => t('home.people.named', { name })),
    ...(others > 0 ? [t('home.people.others', { count: others })] : []),
  ])
  const count = admins.size

  function administration() {
    if (isAdmin && !isOwner)
      return count > 0 ? t('home.people.youWith', { names }) : t('home.people.you')
    if (count === 0) return undefined
    return isOwner
      ? t('home.people.withYou', { names, count })
      : t('home.people.administer', { names, count })
  }

  return sentences(
    t,
    isOwner
      ? t('home.people.youOwn')
      : owner
        ? t('home.people.owns', { name: owner.name })
        : t('home.people.noOwner'),
    administration(),
    !isAdmin && t('home.people.youAre', { role: as(heldBy(subscription, user.uid)) }),
  )
}
