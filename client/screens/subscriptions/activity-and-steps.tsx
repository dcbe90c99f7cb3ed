import { useCall } from '../../api/queries.ts'
import { Ago } from '../../components/ago.tsx'
import { Problem } from '../../components/message.tsx'
import { Bone, Skeleton } from '../../components/skeleton.tsx'
import { firstPage } from '../../components/use-query.ts'
import { useProject } from '../../layouts/use-project.ts'
import { useT } from '../../platform/i18n.ts'
import { WhoDidWhat } from '../activity/who-did-what.tsx'
import { FirstSteps } from './first-steps.tsx'
import { HomeCard, HomeGrid } from './home-card.tsx'
import { useSteps } from './use-steps.ts'

const mostEntries = 5

/** What to do first and what happened last, drawn at the same time so that nothing moves. */
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
    // The key makes new elements, because the columns differ from those of the skeleton.
    <HomeGrid key={isReady ? 'loaded' : 'loading'}>
      {isReady && steps.isShown && <FirstSteps {...steps} />}
      <HomeCard
        title={t('home.activity.title')}
        link={{ to: pathTo('activity'), says: t('home.activity.all') }}
        className={isReady && steps.isShown ? '@min-[47.5rem]:col-span-2' : 'col-span-full'}
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
          <ul className="grid grid-cols-1 divide-y divide-line">
            {entries.map((entry) => (
              <li
                key={entry.id}
                className="flex justify-between gap-x-3 px-inset py-3 max-sm:flex-col"
              >
                <div className="min-w-0">
                  <WhoDidWhat entry={entry} own={false} />
                </div>
                <Ago
                  at={entry.created}
                  className="shrink-0 text-small text-faint max-sm:ps-10 sm:pt-1"
                />
              </li>
            ))}
          </ul>
        )}
      </HomeCard>
    </HomeGrid>
  )
}

function ActivitySkeleton() {
  return (
    <Skeleton className="divide-y divide-line">
      {Array.from({ length: mostEntries }, (_, key) => (
        <div key={key} className="flex h-13 items-center gap-3 px-inset">
          <Bone className="size-7 rounded-full!" />
          <Bone className="h-3.5 w-3/5" />
        </div>
      ))}
    </Skeleton>
  )
}
