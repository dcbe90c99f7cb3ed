import { permissions, type PermissionKey } from '#config/permissions.ts'
import { permissionEntries } from '#contract/access.ts'
import type { SubscriptionUser } from '#contract/entities.ts'
import { ListChecks, X } from 'lucide-react'
import { usePagedCall, listAll } from '../../api/queries.ts'
import { useChoice, usePages, useSearch } from '../../components/use-query.ts'
import { useProject } from '../../layouts/use-project.ts'
import { Button } from '../../components/button.tsx'
import { ListChoice, SearchField } from '../../components/list-tools.tsx'
import { useT } from '../../platform/i18n.ts'
import { useDownload } from '../../components/download-button.tsx'
import { datedFileName, saveFile } from '../../platform/save-file.ts'
import { toCsv } from '../activity/to-csv.ts'

/** The permissions that not everybody holds. */
export const roles = permissionEntries.flatMap(([key, { default: always }]) => (always ? [] : key))

/** The prefix keeps a permission from being taken for a status. */
const roleFilter = (key: PermissionKey) => `role-${key}` as const
const filters = ['active', 'pending', ...roles.map(roleFilter)] as const
const filtersIfAsked = [...filters, 'without-factor'] as const

const orders = {
  name: { sort: 'name' },
  'name-down': { sort: 'name', direction: 'descending' },
  newest: { sort: 'created', direction: 'descending' },
  oldest: { sort: 'created' },
} as const
type Order = keyof typeof orders
const orderNames = Object.keys(orders) as Order[]

/** The order that comes next when the user presses a column's head again. */
const nextByName = { '': 'name', name: 'name-down', 'name-down': '' } as const
const nextByAge = { '': 'newest', newest: 'oldest', oldest: '' } as const

/** The users of the project, with the search, filter, order and page that the URL names. */
export function useUserList() {
  const { subscriptionId, asksForFactor } = useProject()
  const pages = usePages()
  const search = useSearch()
  const [filter, choose] = useChoice('show', asksForFactor ? filtersIfAsked : filters)
  const [order, sortBy] = useChoice('sort', orderNames)
  const status = filter === 'active' || filter === 'pending' ? filter : undefined
  const hasSecondFactor = filter === 'without-factor' ? false : undefined
  const permission = roles.find((key) => roleFilter(key) === filter)
  const narrowed = {
    search: search.search,
    status,
    permission,
    hasSecondFactor,
    ...(order && orders[order]),
  }
  const found = usePagedCall('getSubscriptionUsers', { subscriptionId, ...narrowed }, pages)

  function sortOf<Steps extends Record<string, string>>(steps: Steps, descending: Order) {
    const isShown = order !== undefined && order in steps
    return {
      direction: isShown ? (order === descending ? 'descending' : 'ascending') : undefined,
      change: () => sortBy(steps[isShown ? order : '']!),
    } as const
  }

  function showAll() {
    search.clear()
    choose('')
  }

  return {
    pages,
    search,
    filter,
    choose,
    order,
    sortBy,
    byName: sortOf(nextByName, 'name-down'),
    byAge: sortOf(nextByAge, 'newest'),
    found,
    showAll,
  }
}

export type UserList = ReturnType<typeof useUserList>

/** What an invitation that nobody accepted has become, or else the person's status. */
export function statusOf({ status, is_expired, is_undeliverable }: SubscriptionUser) {
  if (is_expired) return 'expired'
  return is_undeliverable ? 'undeliverable' : status
}

export function nameOf({ display_name, email }: SubscriptionUser) {
  return display_name || email
}

type UserToolsProps = {
  list: UserList
  /** Missing if there is nobody to select. */
  selection: { isSelecting: boolean; toggleSelecting: () => void } | undefined
}

/** The search and filter of the list. A narrow list also has its order and selection here. */
export function UserTools({ list, selection }: UserToolsProps) {
  const t = useT()
  const { asksForFactor } = useProject()
  const { search, filter, choose, order, sortBy } = list
  return (
    <>
      <div className="flex w-full gap-2 wide:w-72">
        <SearchField label={t('users.search')} search={search} className="min-w-0 flex-1" />
        {selection && (
          <Button
            size="icon"
            className="wide:hidden"
            icon={selection.isSelecting ? <X /> : <ListChecks />}
            aria-label={t('users.selection.start')}
            title={t('users.selection.start')}
            aria-pressed={selection.isSelecting}
            onClick={selection.toggleSelecting}
          />
        )}
      </div>
      <ListChoice label={t('users.filter.label')} value={filter} choose={choose}>
        <option value="">{t('users.filter.all')}</option>
        <optgroup label={t('users.status')}>
          <option value="active">{t('users.statuses.active')}</option>
          <option value="pending">{t('users.statuses.pending')}</option>
          {asksForFactor && <option value="without-factor">{t('users.secondStep.filter')}</option>}
        </optgroup>
        {roles.length > 0 && (
          <optgroup label={t('users.role')}>
            {roles.map((key) => (
              <option key={key} value={roleFilter(key)}>
                {t(permissions[key].role)}
              </option>
            ))}
          </optgroup>
        )}
      </ListChoice>
      <ListChoice
        label={t('users.sort.label')}
        value={order}
        choose={sortBy}
        className="wide:hidden"
      >
        <option value="">{t('users.sort.usual')}</option>
        {orderNames.map((name) => (
          <option key={name} value={name}>
            {t(`users.sort.${name}`)}
          </option>
        ))}
      </ListChoice>
    </>
  )
}

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
