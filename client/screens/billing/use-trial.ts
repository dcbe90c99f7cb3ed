import type { Plan } from '#config/plans.ts'
import type { PlanChangePreview } from '#contract/entities.ts'
import { useState } from 'react'
import type { CallError } from '../../api/post.ts'

/**
 * Whether to begin with the plan's trial. Once the server has said that it is used, previews show
 * what is charged without it, before anything is.
 */
export function useTrial({ trial }: Plan) {
  const [isUsed, setUsed] = useState(false)
  const isLater = trial?.card === 'later' && !isUsed
  return {
    asked: isUsed ? { trial: false } : {},
    chosen: (preview: PlanChangePreview | undefined) =>
      trial && preview ? { trial: preview.trial_ends !== null } : {},
    isCardLater: (preview: PlanChangePreview | undefined) =>
      isLater && (!preview || preview.trial_ends !== null),
    onRefused: ({ reason }: CallError) => {
      if (reason === 'trialUsed') setUsed(true)
    },
  }
}
