import type { Invite } from '#contract/entities.ts'
import { useT } from '../../i18n.ts'
import { usePermissionLabels } from '../use-permission-labels.ts'

/** The general words of these refusals tell an administrator what to do. */
export const forInvitees = { seatsFull: 'invites.noSeat', alreadyMember: 'invites.member' } as const

/** A sentence that names the inviter and the permissions. The inviter's account may be deleted. */
export function useInvitedAs() {
  const t = useT()
  const labelsOf = usePermissionLabels()
  return ({ host_name: host, permissions }: Invite) => {
    const roles = labelsOf(permissions)
    return host ? t('invites.from', { host, roles }) : t('invites.fromNobody', { roles })
  }
}
