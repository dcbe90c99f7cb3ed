import { permissions, type PermissionKey } from '#config/permissions.ts'
import { useFormat } from '../format.ts'
import { useT } from '../i18n.ts'

export function usePermissionLabels() {
  const t = useT()
  const format = useFormat()
  return (keys: readonly PermissionKey[]) =>
    format.list(keys.map((key) => t(permissions[key].label)))
}
