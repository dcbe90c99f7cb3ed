import type { Activity } from '#contract/entities.ts'
import { useT } from '../../i18n.ts'

export function useActorName() {
  const t = useT()
  return ({ actor, kind }: Pick<Activity, 'actor' | 'kind'>) => {
    if (actor) return actor.name || t('activity.deleted')
    return t(kind === 'signInFailed' ? 'activity.somebody' : 'activity.itself')
  }
}
