import { permissions, type PermissionKey } from '#config/permissions.ts'
import type { SubscriptionUser } from '#contract/entities.ts'
import { Badge } from '../../components/badge.tsx'
import type { Column } from '../../components/table.tsx'
import { useFormat } from '../../format.ts'
import { useT } from '../../i18n.ts'

export function useUserColumns(): Column<SubscriptionUser>[] {
  const t = useT()
  const format = useFormat()
  const labels = (keys: PermissionKey[]) => format.list(keys.map((key) => t(permissions[key].label)))
  return [
    {
      key: 'name',
      title: t('users.name'),
      cell: ({ display_name, is_owner }) => (
        <span className="flex flex-wrap items-center gap-2">
          <span className="font-semibold wrap-anywhere">{display_name || '–'}</span>
          {is_owner && <Badge tone="accent">{t('users.owner')}</Badge>}
        </span>
      ),
    },
    { key: 'email', title: t('users.email'), cell: ({ email }) => <span className="wrap-anywhere text-soft">{email}</span> },
    {
      key: 'permissions',
      title: t('users.permissions'),
      cell: ({ status, permissions, pending_permissions }) => labels(status === 'pending' ? pending_permissions : permissions),
    },
    {
      key: 'created',
      title: t('users.created'),
      cell: ({ created }) => <span className="whitespace-nowrap text-soft tabular-nums">{format.date(created)}</span>,
    },
    {
      key: 'status',
      title: t('users.status'),
      cell: ({ status }) => (
        <Badge tone={status === 'active' ? 'good' : 'warn'} dot>
          {t(`users.statuses.${status}`)}
        </Badge>
      ),
    },
  ]
}
