import { defaultPermission } from '#contract/access.ts'
import { projectName } from '#contract/project-name.ts'
import type { MessageKey } from '#locales/keys.ts'
import { Check } from 'lucide-react'
import { useState } from 'react'
import { useCall } from '../../api/queries.ts'
import { Ago } from '../../components/ago.tsx'
import { Problem } from '../../components/message.tsx'
import { Bone, Skeleton } from '../../components/skeleton.tsx'
import { firstPage } from '../../components/use-query.ts'
import { useProject } from '../../layouts/use-project.ts'
import { useT } from '../../platform/i18n.ts'
import { WhoDidWhat } from '../activity/who-did-what.tsx'
import { classes } from '../../components/classes.ts'
import { HomeCard, HomeGrid, inColumns } from './home-card.tsx'
import { Card } from '../../components/card.tsx'
import { Button, TextLink } from '../../components/button.tsx'
import { focusMain } from '../../platform/focus-main.ts'
import { remember, remembered } from '../../platform/storage.ts'
import { useSeats } from '../members/seats.tsx'

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
    <HomeGrid key={isReady ? 'loaded' : 'loading'} columns={classes('items-start', inColumns)}>
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

type FirstStepsProps = { steps: Step[]; hide: () => void }

function FirstSteps({ steps, hide }: FirstStepsProps) {
  const t = useT()

  function putAway() {
    hide()
    focusMain()
  }

  return (
    <Card
      title={t('home.steps.title')}
      action={
        <Button variant="quiet" onClick={putAway} className="-me-2">
          {t('home.steps.hide')}
        </Button>
      }
      className="min-w-0"
      flush
    >
      <ul className="grid px-inset py-2">
        {steps.map((step) => (
          <li key={step.says} className="flex min-h-11 items-center gap-3">
            {step.isDone ? (
              <>
                <span className="grid size-5 shrink-0 place-items-center rounded-full bg-good-soft text-good forced-colors:border">
                  <Check className="size-3.5" />
                </span>
                <span className="text-soft">{t(step.says)}</span>
                <span className="sr-only">{t('home.steps.done')}</span>
              </>
            ) : (
              <>
                <span className="size-5 shrink-0 rounded-full border-2 border-line-strong" />
                <TextLink to={step.to} className="py-2.5">
                  {t(step.says)}
                </TextLink>
              </>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

export type Step = { says: MessageKey; to: string; isDone: boolean }

/** The first steps in a project, as far as they concern its plan and the user. */
function useSteps() {
  const { subscriptionId, subscription, plan, closed, isOwner, pathTo } = useProject()
  const storageKey = `steps-hidden-${subscriptionId}`
  const [isHidden, setHidden] = useState(() => remembered(storageKey) === 'true')
  const enabled = !closed && !isHidden
  const paysHere = isOwner && !plan.free
  const { seats, ...users } = useSeats({ enabled })
  const details = useCall('getBillingDetails', { subscriptionId }, { enabled: enabled && paysHere })
  const isAlone = (subscription.permissions[defaultPermission]?.length ?? 0) <= 1
  const steps: Step[] = [
    {
      says: 'home.steps.name',
      to: pathTo('settings'),
      isDone: projectName(subscription.settings) !== '',
    },
    {
      says: 'home.steps.invite',
      to: pathTo('invite'),
      isDone: !isAlone || (seats?.pending ?? 0) > 0,
    },
  ]
  if (paysHere)
    steps.push({
      says: 'home.steps.billing',
      to: pathTo('updateBillingDetails'),
      isDone: Boolean(details.data?.name && details.data.address?.line1),
    })

  function hide() {
    remember(storageKey, 'true')
    setHidden(true)
  }

  return {
    steps,
    isLoading: users.isLoading || details.isLoading,
    // What could not be read is not asked for.
    isShown: enabled && !users.error && !details.error && steps.some(({ isDone }) => !isDone),
    hide,
  }
}
