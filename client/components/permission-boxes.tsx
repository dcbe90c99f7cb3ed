import { permissions, type PermissionKey } from '#config/permissions.ts'
import { permissionEntries } from '#contract/access.ts'
import { useId } from 'react'
import { useFormat } from '../platform/format.ts'
import { useT } from '../platform/i18n.ts'
import { Checkbox } from './fields.tsx'

type PermissionBoxesProps = {
  legend: string
  chosen: PermissionKey[]
  onChoose: (keys: PermissionKey[]) => void
}

/** Checkboxes for permissions. The permission that every member has stays checked and shows why. */
export function PermissionBoxes({ legend, chosen, onChoose }: PermissionBoxesProps) {
  const t = useT()
  const reasonId = useId()

  function choose(key: PermissionKey, isChosen: boolean) {
    onChoose(
      permissionEntries
        .map(([known]) => known)
        .filter((known) => (known === key ? isChosen : chosen.includes(known))),
    )
  }

  return (
    <fieldset>
      <legend className="mb-1 text-small font-strong">{legend}</legend>
      {permissionEntries.map(([key, { label, default: always }]) => (
        <div key={key}>
          <Checkbox
            name="permissions"
            value={key}
            checked={always || chosen.includes(key)}
            disabled={always}
            onChange={({ target }) => choose(key, target.checked)}
            {...(always && { 'aria-describedby': reasonId })}
          >
            {t(label)}
          </Checkbox>
          {always && (
            <p id={reasonId} className="-mt-1 mb-1 ps-7 text-small text-soft">
              {t('users.always')}
            </p>
          )}
        </div>
      ))}
    </fieldset>
  )
}

export function usePermissionLabels() {
  const t = useT()
  const format = useFormat()
  return (keys: readonly PermissionKey[]) =>
    format.list(keys.map((key) => t(permissions[key].label)))
}
