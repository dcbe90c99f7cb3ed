import type { Activity } from '#contract/entities.ts'
import { useT } from '../../i18n.ts'

/** Who did it, in words. */
export function useActorName() {
  const t = useT()
  return ({ actor }: Pick<Activity, 'actor'>) => (actor ? actor.name || t('activity.deleted') : t('activity.itself'))
}
