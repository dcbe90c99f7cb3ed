import { permissions } from '#config/permissions.ts'
import { makesAdmin, tellingPermissions } from '#contract/access.ts'
import type { Invite } from '#contract/entities.ts'
import { useAction } from '../../api/call.ts'
import type { CallError } from '../../api/post.ts'
import { useRoles } from '../../components/permission-boxes.tsx'
import { Problem } from '../../components/message.tsx'
import { sentences, useFormat } from '../../platform/format.ts'
import { useT } from '../../platform/i18n.ts'
import type { NewsOnTheWay } from '../../layouts/news.tsx'

/** Texts for the invited person. The general ones tell an administrator what to do. */
const forInvitees = { seatsFull: 'invites.noSeat', alreadyMember: 'invites.member' } as const

type Told = {
  /** Why an earlier attempt to accept was refused. */
  refusal?: CallError | undefined
  onRefused?: (error: CallError) => void
}

export function useAnswer({ id }: Invite, { refusal, onRefused }: Told = {}) {
  const accept = useAction('acceptInvite', onRefused)
  const reject = useAction('rejectInvite', onRefused)
  const isFirst = !accept.busy && !reject.busy && !reject.error && !reject.done

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
      <Problem
        error={accept.error ?? (isFirst ? refusal : undefined)}
        failed="invites.acceptFailed"
        words={forInvitees}
      />
      <Problem error={reject.error} failed="invites.rejectFailed" />
    </>
  )
  return {
    accept: { ...accept, run: acceptInvite },
    reject: { ...reject, run: rejectInvite },
    problem,
  }
}

/** What an invitation or a join link promises. */
export type Promised = Pick<Invite, 'host_name' | 'subscription_name' | 'permissions'> &
  Partial<Pick<Invite, 'second_factor_from'>>

/** Says who invited the user to what, and what that role may do. */
export function useInvitedAs(invite: Promised) {
  const t = useT()
  const format = useFormat()
  const { as } = useRoles()
  const { host_name: host, permissions: held, second_factor_from: from } = invite
  const project = invite.subscription_name || t('common.untitledProject')
  const words = { host, project, role: as(held) }
  return {
    sentence: sentences(
      t,
      // The inviter is missing if their account was deleted.
      t(host ? 'invites.from' : 'invites.fromNobody', words),
      from && t('invites.asksForStep', { date: format.dateTime(from) }),
    ),
    meaning: sentences(t, ...tellingPermissions(held).map((key) => t(permissions[key].text))),
  }
}

/** The message for the project's screen that opens when the user has joined. */
export function useWelcome(invite: Invite): NewsOnTheWay {
  const t = useT()
  const { as } = useRoles()
  const { meaning } = useInvitedAs(invite)
  const project = invite.subscription_name || t('common.untitledProject')
  return {
    tone: 'good',
    says: makesAdmin(invite.permissions) ? 'people.welcomeAdmin' : 'people.welcome',
    words: { project, role: as(invite.permissions), meaning },
  }
}
