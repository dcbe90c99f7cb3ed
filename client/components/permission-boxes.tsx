import { permissions, type PermissionKey } from '#config/permissions.ts'
import type { MessageKey } from '#locales/keys.ts'
import { permissionEntries, tellingPermissions, allPermissions, holds } from '#contract/access.ts'
import type { Subscription } from '#contract/entities.ts'
import { useId } from 'react'
import { sentences, useFormat } from '../platform/format.ts'
import { useT } from '../platform/i18n.ts'
import { Chip } from './card.tsx'
import { Checkbox } from './fields.tsx'

type PermissionBoxesProps = {
  legend?: MessageKey
  chosen: PermissionKey[]
  onChoose: (keys: PermissionKey[]) => void
  /** Leaves out those that make administrators. */
  withoutAdmin?: boolean
}

/** Checkboxes for permissions, each with what it allows. The one of every member stays checked. */
export function PermissionBoxes(props: PermissionBoxesProps) {
  const { legend = 'users.permissions', chosen, onChoose, withoutAdmin = false } = props
  const offered = permissionEntries.filter(([, { admin }]) => !(admin && withoutAdmin))
  const t = useT()
  const textId = useId()

  function choose(key: PermissionKey, isChosen: boolean) {
    onChoose(
      permissionEntries
        .map(([known]) => known)
        .filter((known) => (known === key ? isChosen : chosen.includes(known))),
    )
  }

  return (
    <fieldset>
      <legend className="mb-1 text-small font-strong">{t(legend)}</legend>
      {offered.map(([key, { label, text, default: always }]) => (
        <div key={key}>
          <Checkbox
            name="permissions"
            value={key}
            checked={always || chosen.includes(key)}
            disabled={always}
            onChange={({ target }) => choose(key, target.checked)}
            aria-describedby={`${textId}-${key}`}
          >
            {t(label)}
          </Checkbox>
          <p id={`${textId}-${key}`} className="-mt-1 mb-1.5 ps-7 text-small text-soft">
            {sentences(t, t(text), always && t('users.always'))}
          </p>
        </div>
      ))}
    </fieldset>
  )
}

/** Says who somebody is: "Administrator", and "an administrator" within a sentence. */
export function useRoles() {
  const t = useT()
  const format = useFormat()
  const list = (keys: readonly PermissionKey[], word: 'role' | 'as' | 'text') =>
    format.list(tellingPermissions(keys).map((key) => t(permissions[key][word])))
  return {
    role: (keys: readonly PermissionKey[]) => list(keys, 'role'),
    as: (keys: readonly PermissionKey[]) => list(keys, 'as'),
    text: (keys: readonly PermissionKey[]) => list(keys, 'text'),
  }
}

type RoleChipsProps = { permissions: readonly PermissionKey[]; isOwner?: boolean }

/** Shows an owner as such, and everybody else by their permissions. */
export function RoleChips({ permissions: held, isOwner = false }: RoleChipsProps) {
  const t = useT()
  return (
    <span className="inline-flex flex-wrap gap-1.5">
      {isOwner ? (
        <Chip tone="accent">{t('users.owner')}</Chip>
      ) : (
        tellingPermissions(held).map((key) => (
          <Chip key={key} tone={permissions[key].admin ? 'accent' : 'neutral'}>
            {t(permissions[key].role)}
          </Chip>
        ))
      )}
    </span>
  )
}

/** The permissions of a member. */
export function heldBy(subscription: Subscription, uid: string) {
  return allPermissions.filter((key) => holds(subscription, uid, key))
}
