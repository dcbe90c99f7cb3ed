import { permissionEntries } from '#contract/access.ts'
import type { SubscriptionUser } from '#contract/entities.ts'
import { ChevronDown, Ellipsis } from 'lucide-react'
import { Unbroken } from '../../components/breakable.tsx'
import { Badge, Chip } from '../../components/card.tsx'
import { MenuButton, type MenuAction, type MenuEntry } from '../../components/menu-button.tsx'
import { RoleChips } from '../../components/permission-boxes.tsx'
import { PersonCell } from './person-cell.tsx'
import { Room, type Column } from '../../components/table.tsx'
import { useFormat } from '../../platform/format.ts'
import { useT } from '../../platform/i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import type { Selection } from './selection.tsx'
import { nameOf, statusOf, type UserList } from './user-list.tsx'

type Parts = {
  /** Nobody else is in the list, so there is nobody to select or to change. */
  isAlone: boolean
  list: Pick<UserList, 'byName' | 'byAge'>
  selection: Selection
  actionsOf: (user: SubscriptionUser) => MenuEntry[]
  rolesOf: (user: SubscriptionUser) => MenuAction[]
}

/**
 * On a phone, role and state stand at the end of the person's lines. Screen readers read them in
 * their columns.
 */
const onPhone = { 'aria-hidden': true, className: 'flex wide:hidden' }

/** A day with two digits in a month of some year. */
const dayIn = (month: number) => new Date(Date.UTC(2026, month, 28)).toISOString()

const tones = { active: 'good', pending: 'warn', expired: 'neutral', undeliverable: 'bad' } as const

/** The columns of the users table. In a canceled project there is nothing to select or to do. */
export function useUserColumns({ isAlone, list, selection, actionsOf, rolesOf }: Parts) {
  const t = useT()
  const format = useFormat()
  const { user: self, isActive, asksForFactor } = useProject()
  const { isSelecting, isAll, selected, selectable } = selection

  /** Who invited, and until when the invitation is valid, or that its mail did not arrive. */
  function invitation({
    host_name: host,
    expires,
    is_expired,
    is_undeliverable,
  }: SubscriptionUser) {
    if (is_undeliverable && !is_expired) return t('users.undeliverable')
    const date = format.date(expires ?? 0)
    const key = is_expired ? 'users.expiredOn' : host ? 'users.invitedBy' : 'users.validUntil'
    return <Unbroken text={t(key, { host: host ?? '', date })} parts={[date]} />
  }

  const role = ({ status, permissions, pending_permissions, is_owner }: SubscriptionUser) => (
    <RoleChips
      permissions={status === 'pending' ? pending_permissions : permissions}
      isOwner={is_owner}
    />
  )

  const lacksFactor = (user: SubscriptionUser) => asksForFactor && user.has_second_factor === false

  function state(user: SubscriptionUser) {
    const status = statusOf(user)
    const isLacking = lacksFactor(user)
    return (
      <Badge tone={isLacking ? 'warn' : tones[status]} dot>
        {t(isLacking ? 'users.secondStep.missing' : `users.statuses.${status}`)}
      </Badge>
    )
  }

  const select: Column<SubscriptionUser> = {
    title: 'users.selection.column',
    unnamed: true,
    head: selectable.length > 0 && (
      <label className="touch-target relative grid">
        <input
          type="checkbox"
          checked={isAll}
          ref={(input) => void (input && (input.indeterminate = selected.length > 0 && !isAll))}
          onChange={({ target }) => selection.selectAll(target.checked)}
          aria-label={t('users.selection.all')}
          className="tick"
        />
      </label>
    ),
    folded: isSelecting ? undefined : 'narrow:hidden',
    cell: (user) =>
      selection.canSelect(user) ? (
        <label className="touch-target relative grid">
          <input
            type="checkbox"
            name="select"
            checked={selection.isSelected(user)}
            onChange={({ target }) => selection.select(user.id, target.checked)}
            aria-label={t('users.selection.person', { name: nameOf(user) })}
            className="tick"
          />
        </label>
      ) : (
        <span className="block size-4.5" />
      ),
  }
  const columns: Column<SubscriptionUser>[] = [
    {
      title: 'users.person',
      ...(!isAlone && { sort: list.byName }),
      // The other columns are as wide as their content, this one has the rest.
      look: 'wide:w-full wide:max-w-0',
      cell: (user) => (
        <PersonCell
          id={user.id}
          email={user.email}
          name={user.display_name}
          className={isSelecting ? 'narrow:hidden' : undefined}
          note={user.status === 'pending' ? invitation(user) : undefined}
          role={<span {...onPhone}>{role(user)}</span>}
          state={
            (user.status === 'pending' || lacksFactor(user)) && (
              <span {...onPhone}>{state(user)}</span>
            )
          }
        >
          {user.id === self.uid && <Badge>{t('users.you')}</Badge>}
        </PersonCell>
      ),
    },
    {
      title: 'users.role',
      widest: [t('users.owner'), ...permissionEntries.map(([, { role }]) => t(role))].map(
        (text) => (
          <span key={text} className="me-6.5">
            <Chip>
              <Room of={text} />
            </Chip>
          </span>
        ),
      ),
      folded: 'narrow:sr-only',
      cell: (user) => {
        const actions = isActive ? rolesOf(user) : []
        if (actions.length === 0) return role(user)
        return (
          <>
            <span className="wide:hidden">{role(user)}</span>
            <MenuButton
              label={t('users.roleOf', { name: nameOf(user) })}
              isNamed
              shortcut="edit"
              from="start"
              actions={actions}
              className="touch-target relative -ms-1.5 inline-flex items-center gap-1 rounded-control px-1.5 py-1 transition-colors narrow:hidden hover:bg-tint aria-expanded:bg-tint"
            >
              {role(user)}
              <span className="sr-only">{t('users.roleOf', { name: nameOf(user) })}</span>
              <ChevronDown className="size-4 shrink-0 text-faint" />
            </MenuButton>
          </>
        )
      },
    },
    {
      title: 'users.joined',
      ...(!isAlone && { sort: list.byAge }),
      look: 'text-soft tabular-nums break-keep @min-[52rem]:whitespace-nowrap',
      widest: Array.from({ length: 12 }, (_, month) => (
        <Room key={month} of={t('users.invitedOn', { date: format.date(dayIn(month)) })} />
      )),
      folded: 'narrow:sr-only',
      cell: ({ status, created }) => {
        const date = format.date(created)
        // “Invited” can be two words, which stay together where the date has a line of its own.
        const parts = [date, t('users.invitedOn', { date: '' }).trim()]
        return (
          <Unbroken
            text={status === 'active' ? date : t('users.invitedOn', { date })}
            parts={parts}
          />
        )
      },
    },
    {
      title: 'users.status',
      widest: [
        ...Object.keys(tones).map((status) => t(`users.statuses.${status as keyof typeof tones}`)),
        ...(asksForFactor ? [t('users.secondStep.missing')] : []),
      ].map((text) => (
        <Badge key={text} dot>
          <Room of={text} />
        </Badge>
      )),
      folded: 'narrow:sr-only',
      cell: state,
    },
  ]
  const actions: Column<SubscriptionUser> = {
    title: 'users.actions',
    unnamed: true,
    end: true,
    folded: isSelecting ? 'narrow:hidden' : 'narrow:-me-2',
    cell: (user) =>
      actionsOf(user).length > 0 ? (
        <MenuButton
          label={t('users.actionsFor', { name: nameOf(user) })}
          actions={actionsOf(user)}
          className="touch-target relative grid size-9 place-items-center rounded-control text-soft transition-colors hover:bg-tint hover:text-ink aria-expanded:bg-tint"
        >
          <Ellipsis className="size-4.5" />
        </MenuButton>
      ) : (
        <span className="block size-9" />
      ),
  }
  return isActive && !isAlone ? [select, ...columns, actions] : columns
}
