import { useCall } from '../../api/queries.ts'
import { firstPage } from '../../components/use-query.ts'
import { useProject } from '../../layouts/use-project.ts'
import { useFormat } from '../../platform/format.ts'
import { useT } from '../../platform/i18n.ts'

/** Says when and why a canceled project ended, as its activity has it. Only for administrators. */
export function useCancellation() {
  const t = useT()
  const format = useFormat()
  const { subscriptionId, isAdmin } = useProject()
  const input = { subscriptionId, area: 'project', ...firstPage } as const
  const { data, isLoading } = useCall('listActivity', input, { enabled: isAdmin })
  const end = data?.activity.find(({ kind }) => kind === 'projectCanceled')
  if (!end) return { isLoading, says: undefined }
  const date = format.date(end.created)
  const name = end.actor?.name
  if (end.details['because'] === 'unpaid')
    return { isLoading, says: t('billing.cancel.doneUnpaid', { date }) }
  const says = name
    ? t('billing.cancel.doneBy', { date, name })
    : t('billing.cancel.doneOn', { date })
  return { isLoading, says }
}
