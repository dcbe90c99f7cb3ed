import { Ellipsis } from 'lucide-react'
import type { SubscriptionUser } from '#contract/entities.ts'
import { useSession } from '../../api/use-session.tsx'
import { Badge } from '../../components/badge.tsx'
import { MenuButton, type MenuAction } from '../../components/menu-button.tsx'
import { usePermissionLabels } from '../../components/permission-boxes.tsx'
import type { Column } from '../../components/table.tsx'
import { useFormat } from '../../format.ts'
import { useT } from '../../i18n.ts'
import { useProject } from '../../layouts/use-project.ts'

export function useUserColumns(
  actionsOf: (user: SubscriptionUser) => MenuAction[],
): Column<SubscriptionUser>[] {
  const t = useT()
  const format = useFormat()
  const labelsOf = usePermissionLabels()
  const { user: self } = useSession()
  const { isActive } = useProject()
  const columns: Column<SubscriptionUser>[] = [
    {
      key: 'name',
      title: t('users.name'),
      cell: ({ id, display_name, is_owner }) => (
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1 max-fold:pe-10 fold:min-w-36">
          <span className="min-w-0 font-semibold wrap-anywhere">{display_name || '–'}</span>
          {id === self.uid && <Badge>{t('users.you')}</Badge>}
          {is_owner && <Badge tone="accent">{t('users.owner')}</Badge>}
        </span>
      ),
    },
    {
      key: 'email',
      title: t('users.email'),
      cell: ({ email }) => (
        <span className="block wrap-anywhere text-soft fold:min-w-40">{email}</span>
      ),
    },
    {
      key: 'permissions',
      title: t('users.permissions'),
      cell: ({ status, permissions, pending_permissions }) => (
        <span className="block fold:min-w-28">
          {labelsOf(status === 'pending' ? pending_permissions : permissions)}
        </span>
      ),
    },
    {
      key: 'created',
      title: t('users.created'),
      cell: ({ created }) => (
        <span className="whitespace-nowrap text-soft tabular-nums">{format.date(created)}</span>
      ),
    },
    {
      key: 'status',
      title: t('users.status'),
      cell: (user) => (
        <Badge tone={user.is_expired ? 'neutral' : user.status === 'active' ? 'good' : 'warn'} dot>
          {t(`users.statuses.${user.is_expired ? 'expired' : user.status}`)}
        </Badge>
      ),
    },
  ]
  if (!isActive) return columns
  return [
    ...columns,
    {
      key: 'actions',
      title: t('users.actions'),
      unnamed: true,
      end: true,
      // On narrow screens, beside the name.
      cell: (user) => (
        <div className="-my-1.5 min-h-9 max-fold:absolute max-fold:end-2 max-fold:top-2 max-fold:m-0">
          {actionsOf(user).length > 0 && (
            <MenuButton
              label={t('users.actionsFor', { name: nameOf(user) })}
              actions={actionsOf(user)}
              className="grid size-9 place-items-center rounded-control text-soft transition-colors hover:bg-sunken hover:text-ink aria-expanded:bg-sunken aria-expanded:text-ink max-fold:size-10"
            >
              <Ellipsis aria-hidden className="size-4.5" />
            </MenuButton>
          )}
        </div>
      ),
    },
  ]
}

/** An invited person may have no name yet. */
export function nameOf({ display_name, email }: SubscriptionUser) {
  return display_name || email
}
