import type { SubscriptionUser } from '#contract/entities.ts'
import { listAll } from '../../api/queries.ts'
import { useDownload } from '../../components/download-button.tsx'
import { useT } from '../../platform/i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { datedFileName, saveFile } from '../../platform/save-file.ts'
import { toCsv } from '../activity/to-csv.ts'
import { statusOf } from './user-list.tsx'

/** The column names of the CSV. They are for programs, so they are not translated. */
const heads =
  'id name email status owner permissions created invited_by expires has_second_factor'.split(' ')

/** Downloads all members and pending invitations, whatever the filter or search. */
export function useUserCsv() {
  const t = useT()
  const { subscriptionId, asksForFactor, name: project } = useProject()

  return useDownload(async () => {
    const users = await listAll('getSubscriptionUsers', { subscriptionId })
    const file = datedFileName(`${project} ${t('users.title')}`, 'csv')
    // Only a project that asks for a second step has the last column.
    const end = asksForFactor ? undefined : -1
    const rows = [heads, ...users.map(toRow)].map((row) => row.slice(0, end))
    saveFile(file, toCsv(rows), 'text/csv')
  })
}

function toRow(user: SubscriptionUser) {
  return [
    user.id,
    user.display_name,
    user.email,
    statusOf(user),
    String(user.is_owner),
    (user.status === 'pending' ? user.pending_permissions : user.permissions).join(' '),
    asTime(user.created),
    user.host_name ?? '',
    user.expires === null ? '' : asTime(user.expires),
    String(user.has_second_factor ?? ''),
  ]
}

function asTime(seconds: number) {
  return new Date(seconds * 1000).toISOString()
}
