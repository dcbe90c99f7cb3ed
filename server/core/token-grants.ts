import type { PermissionKey } from '#config/permissions.ts'
import { makesAdmin } from '#contract/access.ts'
import { Refusal } from '../platform/refusal.ts'
import type { CurrentUser } from './services.ts'

/** No access token makes an administrator, not even in an administrator's name. */
export function refuseGrant(
  { accessToken }: CurrentUser,
  permissions: readonly PermissionKey[],
  held: readonly PermissionKey[] = [],
) {
  const given = permissions.filter((key) => !held.includes(key))
  if (accessToken && makesAdmin(given)) throw new Refusal('tokenNotAllowed')
}
