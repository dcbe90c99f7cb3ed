import type { Activity } from '#contract/entities.ts'
import { useCall } from '../../api/queries.tsx'
import { useSession } from '../../api/session.ts'
import { Ago } from '../../components/ago.tsx'
import { Avatar } from '../../components/avatar.tsx'
import { Problem } from '../../components/message.tsx'
import { Bone, Skeleton } from '../../components/skeleton.tsx'
import { firstPage } from '../../components/use-query.ts'
import { useProject } from '../../layouts/use-project.ts'
import { useT } from '../../platform/i18n.ts'
import { useActivityWords } from '../activity/use-activity-words.ts'
import { FirstSteps } from './first-steps.tsx'
import { HomeCard } from './home-card.tsx'
import { useSteps } from './use-steps.ts'

const mostEntries = 5

/** What happened last and what to do first, drawn at the same time so that nothing moves. */
export function ActivityAndSteps() {
  const t = useT()
  const { subscriptionId, pathTo } = useProject()
  const { data, error, isLoading, refetch } = useCall('listActivity', {
    subscriptionId,
    ...firstPage,
  })
  const steps = useSteps()
  const isReady = !isLoading && !steps.isLoading
  const entries = data?.activity.slice(0, mostEntries) ?? []
  return (
    <div
      // The key makes new elements, because the columns differ from those of the skeleton.
      key={isReady ? 'loaded' : 'loading'}
      className="flex flex-wrap gap-5"
    >
      <HomeCard
        title={t('home.activity.title')}
        link={{ to: pathTo('activity'), says: t('home.activity.all') }}
        className="flex-[2_1_20rem]"
        flush
      >
        {!isReady && <ActivitySkeleton />}
        {isReady && error && !data && (
          <div className="p-inset">
            <Problem error={error} failed="activity.loadFailed" retry={refetch} />
          </div>
        )}
        {isReady && data && entries.length === 0 && (
          <p className="p-inset text-soft">{t('activity.emptyTitle')}</p>
        )}
        {isReady && entries.length > 0 && (
          <ul className="divide-y divide-line">
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </ul>
        )}
      </HomeCard>
      {isReady && steps.isShown && <FirstSteps {...steps} />}
    </div>
  )
}

function Entry({ entry }: { entry: Activity }) {
  const t = useT()
  const { user } = useSession()
  const { nameOf, sentence } = useActivityWords()
  const { actor, created } = entry
  const name = actor?.id === user.uid ? t('users.you') : nameOf(entry)
  return (
    <li className="flex gap-3 px-inset py-3">
      <Avatar
        id={actor?.id ?? ''}
        name={actor?.name || '–'}
        className="mt-0.75 size-8 text-small"
      />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className="min-w-0 font-strong wrap-anywhere">{name}</span>
          <Ago at={created} className="text-small text-faint" />
        </p>
        <p className="text-soft wrap-anywhere">{sentence(entry)}</p>
      </div>
    </li>
  )
}

function ActivitySkeleton() {
  return (
    <Skeleton className="divide-y divide-line">
      {Array.from({ length: mostEntries }, (_, key) => (
        <div key={key} className="flex h-16 items-center gap-3 px-inset">
          <Bone className="size-8 rounded-full!" />
          <span className="grid flex-1 gap-2">
            <Bone className="h-3.5 w-28" />
            <Bone className="h-3.5 w-3/5" />
          </span>
        </div>
      ))}
    </Skeleton>
  )
}
