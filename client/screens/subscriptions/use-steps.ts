import { defaultPermission } from '#contract/access.ts'
import { projectName } from '#contract/project-name.ts'
import type { MessageKey } from '#locales/keys.ts'
import { useState } from 'react'
import { useCall } from '../../api/queries.ts'
import { useProject } from '../../layouts/use-project.ts'
import { remember, remembered } from '../../platform/storage.ts'
import { useSeats } from '../members/seats.tsx'

export type Step = { says: MessageKey; to: string; isDone: boolean }

/** The first steps in a project, as far as they concern its plan and the user. */
export function useSteps() {
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
    ...(paysHere
      ? [
          {
            says: 'home.steps.billing',
            to: pathTo('updateBillingDetails'),
            isDone: Boolean(details.data?.name && details.data.address?.line1),
          } as const,
        ]
      : []),
  ]

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
