import { permissions } from '#config/permissions.ts'
import { ListChecks, X } from 'lucide-react'
import { Button } from '../../components/button.tsx'
import { ListChoice, SearchField } from '../../components/list-tools.tsx'
import { useT } from '../../platform/i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { orderNames, roleFilter, roles, type UserList } from './use-user-list.ts'

type UserToolsProps = {
  list: UserList
  /** Missing if there is nobody to select. */
  selecting: { isOn: boolean; toggle: () => void } | undefined
}

/** The search and filter of the list. A narrow list also has its order and selection here. */
export function UserTools({ list, selecting }: UserToolsProps) {
  const t = useT()
  const { asksForFactor } = useProject()
  const { search, filter, choose, order, sortBy } = list
  return (
    <>
      <div className="flex w-full gap-2 wide:w-72">
        <SearchField label={t('users.search')} search={search} className="min-w-0 flex-1" />
        {selecting && (
          <Button
            size="icon"
            className="wide:hidden"
            icon={selecting.isOn ? <X /> : <ListChecks />}
            aria-label={t('users.selection.start')}
            title={t('users.selection.start')}
            aria-pressed={selecting.isOn}
            onClick={selecting.toggle}
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
