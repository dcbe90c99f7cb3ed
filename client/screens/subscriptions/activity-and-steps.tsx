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
import { HomeCard, inColumns } from './home-card.tsx'
import { Card } from '../../components/card.tsx'
import { Button, TextLink } from '../../components/button.tsx'
import { focusMain } from '../../platform/focus-main.ts'
import { remember, remembered } from '../../platform/storage.ts'
import { useSeats } from '../members/seats.tsx'

/** What fills the height of the cards beside it on a wide screen. Elsewhere five are enough. */
const mostEntries = 9
const onWideOnly = '@max-[75rem]:nth-[n+6]:hidden'

export function LatestActivity() {
  const t = useT()
  const { subscriptionId, pathTo } = useProject()
  const { data, error, isLoading, refetch } = useCall('listActivity', {
    subscriptionId,
    ...firstPage,
  })
  const entries = data?.activity.slice(0, mostEntries) ?? []
  return (
    <HomeCard
      title={t('home.activity.title')}
      link={{ to: pathTo('activity'), says: t('home.activity.all') }}
      flush
    >
      {isLoading && <ActivitySkeleton />}
      {error && !data && (
        <div className="p-inset">
          <Problem error={error} failed="activity.loadFailed" retry={refetch} />
        </div>
      )}
      {data && entries.length === 0 && (
        <p className="p-inset text-soft">{t('activity.emptyTitle')}</p>
      )}
      {entries.length > 0 && (
        <ul className="grid grid-cols-1 divide-y divide-line">
          {entries.map((entry) => (
            <li
              key={entry.id}
              className={classes(
                'flex justify-between gap-x-3 px-inset py-3 max-sm:flex-col',
                onWideOnly,
              )}
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
  )
}

function ActivitySkeleton() {
  return (
    <Skeleton className="divide-y divide-line">
      {Array.from({ length: mostEntries }, (_, key) => (
        <div key={key} className={classes('flex h-13 items-center gap-3 px-inset', onWideOnly)}>
          <Bone className="size-7 rounded-full!" />
          <Bone className="h-3.5 w-3/5" />
        </div>
      ))}
    </Skeleton>
  )
}

/** What the user can do first. It is above the rest of the home until it is done or put away. */
export function FirstSteps() {
  const t = useT()
  const { steps, isShown, hide } = useSteps()
  if (!isShown) return null

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
      flush
    >
      <ul className={classes('grid gap-x-5 px-inset py-2', inColumns)}>
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

type Step = { says: MessageKey; to: string; isDone: boolean }

/** The first steps in a project, as far as they concern its plan and the user. */
function useSteps() {
  const { subscriptionId, subscription, plan, closed, isAdmin, isOwner, pathTo } = useProject()
  const storageKey = `steps-hidden-${subscriptionId}`
  const [isHidden, setHidden] = useState(() => remembered(storageKey) === 'true')
  const enabled = isAdmin && !closed && !isHidden && subscription.payment === 'ok'
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
      isDone: details.isLoading || Boolean(details.data?.name && details.data.address?.line1),
    })

  function hide() {
    remember(storageKey, 'true')
    setHidden(true)
  }

  return {
    steps,
    // What could not be read is not asked for.
    isShown: enabled && !users.error && !details.error && steps.some(({ isDone }) => !isDone),
    hide,
  }
}
