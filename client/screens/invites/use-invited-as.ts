import { permissions } from '#config/permissions.ts'
import type { Invite } from '#contract/entities.ts'
import { useFormat } from '../../format.ts'
import { useT } from '../../i18n.ts'

/** Who invites, and as what, in a sentence. The inviter may be gone. */
export function useInvitedAs() {
  const t = useT()
  const format = useFormat()
  return ({ host_name: host, permissions: keys }: Invite) => {
    const roles = format.list(keys.map((key) => t(permissions[key].label)))
    return host ? t('invites.from', { host, roles }) : t('invites.fromNobody', { roles })
  }
}
