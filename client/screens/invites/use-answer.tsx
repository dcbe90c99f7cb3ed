import { permissions } from '#config/permissions.ts'
import { tellingPermissions } from '#contract/access.ts'
import type { Invite } from '#contract/entities.ts'
import { useAction } from '../../api/call.ts'
import { useRoles } from '../../components/permission-boxes.tsx'
import { Problem } from '../../components/message.tsx'
import { useT } from '../../platform/i18n.ts'

/** Texts for the invited person. The general ones tell an administrator what to do. */
const forInvitees = { seatsFull: 'invites.noSeat', alreadyMember: 'invites.member' } as const

export function useAnswer({ id }: Invite) {
  const accept = useAction('acceptInvite')
  const reject = useAction('rejectInvite')

  function acceptInvite() {
    reject.reset()
    return accept.run({ inviteId: id })
  }

  function rejectInvite() {
    accept.reset()
    return reject.run({ inviteId: id })
  }

  const problem = (
    <>
      <Problem error={accept.error} failed="invites.acceptFailed" words={forInvitees} />
      <Problem error={reject.error} failed="invites.rejectFailed" />
    </>
  )
  return {
    accept: { ...accept, run: acceptInvite },
    reject: { ...reject, run: rejectInvite },
    problem,
  }
}

/** Says who invited the user to what, and what that role may do. */
export function useInvitedAs() {
  const t = useT()
  const { as } = useRoles()
  return ({ host_name: host, subscription_name, permissions: held }: Invite) => {
    const project = subscription_name || t('common.untitledProject')
    const words = { host, project, role: as(held) }
    return {
      // The inviter is missing if their account was deleted.
      sentence: t(host ? 'invites.from' : 'invites.fromNobody', words),
      meaning: tellingPermissions(held)
        .map((key) => t(permissions[key].text))
        .join(' '),
    }
  }
}
