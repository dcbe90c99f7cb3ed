import type { SubscriptionUser } from '#contract/entities.ts'
import { Ellipsis } from 'lucide-react'
import { useSession } from '../../api/session.ts'
import { Badge } from '../../components/card.tsx'
import { MenuButton, type MenuAction } from '../../components/menu-button.tsx'
import { RoleChips } from '../../components/permission-boxes.tsx'
import { PersonCell } from '../../components/person-cell.tsx'
import type { Column } from '../../components/table.tsx'
import { useFormat } from '../../platform/format.ts'
import { useT } from '../../platform/i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import type { Selection } from './use-selection.ts'
import { nameOf } from './use-user-actions.tsx'
import type { UserList } from './use-user-list.ts'

type Parts = {
  list: Pick<UserList, 'byName' | 'byAge'>
  selection: Selection
  actionsOf: (user: SubscriptionUser) => MenuAction[]
}

const box = 'size-4.5 shrink-0 accent-accent'

/** The columns of the users table. In a canceled project there is nothing to select or to do. */
export function useUserColumns({ list, selection, actionsOf }: Parts) {
  const t = useT()
  const format = useFormat()
  const { user: self } = useSession()
  const { isActive } = useProject()
  const { isSelecting, isAll, selected, selectable } = selection

  /** Who invited, and until when the invitation is valid. */
  function invitation({ host_name: host, expires, is_expired }: SubscriptionUser) {
    const date = format.date(expires ?? 0)
    const key = is_expired ? 'users.expiredOn' : host ? 'users.invitedBy' : 'users.validUntil'
    return t(key, { host: host ?? '', date })
  }

  const select: Column<SubscriptionUser> = {
    title: 'users.selection.column',
    unnamed: true,
    head: selectable.length > 0 && (
      <label className="-m-2.5 grid size-10 place-items-center pointer-coarse:size-11">
        <input
          type="checkbox"
          checked={isAll}
          ref={(input) => void (input && (input.indeterminate = selected.length > 0 && !isAll))}
          onChange={({ target }) => selection.selectAll(target.checked)}
          aria-label={t('users.selection.all')}
          className={box}
        />
      </label>
    ),
    look: 'wide:w-px wide:pe-1!',
    folded: isSelecting ? 'narrow:row-span-2 narrow:-ms-2' : 'narrow:hidden',
    cell: (user) =>
      selection.canSelect(user) && (
        <label className="-m-2.5 grid size-10 place-items-center narrow:m-0 narrow:size-11 pointer-coarse:size-11">
          <input
            type="checkbox"
            name="select"
            checked={selection.isSelected(user)}
            onChange={({ target }) => selection.select(user.id, target.checked)}
            aria-label={t('users.selection.person', { name: nameOf(user) })}
            className={box}
          />
        </label>
      ),
  }
  const columns: Column<SubscriptionUser>[] = [
    {
      title: 'users.person',
      sort: list.byName,
      // The other columns are as wide as their content, this one has the rest.
      look: 'wide:w-full wide:max-w-0',
      folded: isSelecting ? 'narrow:col-start-2 narrow:row-span-2' : 'narrow:row-span-2',
      cell: (user) => (
        <PersonCell
          id={user.id}
          email={user.email}
          name={user.display_name}
          className={isSelecting ? 'narrow:hidden' : undefined}
          note={
            user.status === 'pending' && (
              // Screen readers get it with the date in the next column but one.
              <p aria-hidden className="truncate text-small text-soft wide:hidden">
                {invitation(user)}
              </p>
            )
          }
        >
          {user.id === self.uid && <Badge>{t('users.you')}</Badge>}
        </PersonCell>
      ),
    },
    {
      title: 'users.role',
      folded: `narrow:row-start-1 narrow:justify-self-end ${isSelecting ? 'narrow:col-start-3' : 'narrow:col-start-2'}`,
      cell: ({ status, permissions, pending_permissions, is_owner }) => (
        <div className="@max-[48rem]:max-w-28">
          <RoleChips
            permissions={status === 'pending' ? pending_permissions : permissions}
            isOwner={is_owner}
          />
        </div>
      ),
    },
    {
      title: 'users.joined',
      sort: list.byAge,
      look: 'whitespace-nowrap text-soft tabular-nums',
      folded: 'narrow:sr-only',
      cell: (user) => (
        <>
          {user.status === 'active'
            ? format.date(user.created)
            : t('users.invitedOn', { date: format.date(user.created) })}
          {user.status === 'pending' && (
            <p
              title={invitation(user)}
              className="max-w-56 truncate text-small @max-[52rem]:max-w-36"
            >
              {invitation(user)}
            </p>
          )}
        </>
      ),
    },
    {
      title: 'users.status',
      folded: `narrow:row-start-2 narrow:justify-self-end ${isSelecting ? 'narrow:col-start-3' : 'narrow:col-start-2'}`,
      // On a phone, only a state that is not the usual one has room.
      cell: ({ status, is_expired }) => (
        <span className={status === 'active' ? 'narrow:sr-only' : undefined}>
          <Badge tone={is_expired ? 'neutral' : status === 'active' ? 'good' : 'warn'} dot>
            {t(`users.statuses.${is_expired ? 'expired' : status}`)}
          </Badge>
        </span>
      ),
    },
  ]
  const actions: Column<SubscriptionUser> = {
    title: 'users.actions',
    unnamed: true,
    end: true,
    folded: isSelecting
      ? 'narrow:hidden'
      : 'narrow:col-start-3 narrow:row-span-2 narrow:row-start-1 narrow:-me-3',
    cell: (user) =>
      actionsOf(user).length > 0 ? (
        <MenuButton
          label={t('users.actionsFor', { name: nameOf(user) })}
          actions={actionsOf(user)}
          className="grid size-9 place-items-center rounded-control text-soft transition-colors hover:bg-sunken hover:text-ink aria-expanded:bg-sunken aria-expanded:text-ink narrow:size-11 pointer-coarse:size-11"
        >
          <Ellipsis className="size-4.5" />
        </MenuButton>
      ) : (
        <span className="block size-9 narrow:size-11" />
      ),
  }
  return isActive ? [select, ...columns, actions] : columns
}
