import type { Invite } from '#contract/entities.ts'
import { projectPath } from '#contract/paths.ts'
import { useCall } from '../../api/queries.tsx'
import { useAction } from '../../api/call.ts'
import { Avatar } from '../../components/avatar.tsx'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { LiveRegion } from '../../components/message.tsx'
import { LiveProblem, Problem } from '../../components/problem.tsx'
import { useT } from '../../i18n.ts'
import { toast } from '../../toasts.ts'
import { forInvitees, useInvitedAs } from './words.ts'

/** Draws nothing while there are no invitations. */
export function PendingInvitations() {
  const t = useT()
  const { data, error, refetch } = useCall('listInvites', {})
  const open = data?.invites ?? []
  return (
    <>
      <LiveProblem error={error} failed="invites.loadFailed" retry={refetch} />
      {open.length > 0 && (
        <Card title={t('invites.pending')} flush>
          <ul className="divide-y divide-line">
            {open.map((invite) => (
              <InvitationRow key={invite.id} invite={invite} />
            ))}
          </ul>
        </Card>
      )}
    </>
  )
}

function InvitationRow({ invite }: { invite: Invite }) {
  const t = useT()
  const invitedAs = useInvitedAs()
  const accept = useAction('acceptInvite')
  const reject = useAction('rejectInvite')
  const name = invite.subscription_name || t('common.untitledProject')

  async function join() {
    if (!(await accept.run({ inviteId: invite.id }))) return
    toast(t('invites.accepted', { project: name }), {
      to: projectPath('subscription', invite.subscription_id),
      label: t('project.open'),
    })
    leaveRow()
  }

  async function decline() {
    if (!(await reject.run({ inviteId: invite.id }))) return
    toast(t('invites.rejectedFor', { project: name }))
    leaveRow()
  }

  return (
    <li className="grid gap-3 p-4 sm:px-5">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="flex min-w-0 items-center gap-3">
          <Avatar name={name} />
          <div className="min-w-0">
            <p className="font-semibold wrap-anywhere">{name}</p>
            <p className="text-small text-soft wrap-anywhere">{invitedAs(invite)}</p>
          </div>
        </div>
        <div className="flex gap-3">
          <Button
            busy={reject.busy}
            onClick={() => void decline()}
            aria-label={t('invites.rejectFor', { project: name })}
          >
            {t('invites.reject')}
          </Button>
          <Button
            variant="primary"
            busy={accept.busy}
            onClick={() => void join()}
            aria-label={t('invites.acceptFor', { project: name })}
          >
            {t('invites.accept')}
          </Button>
        </div>
      </div>
      <LiveRegion>
        {accept.error && (
          <Problem error={accept.error} failed="invites.acceptFailed" words={forInvitees} />
        )}
        {reject.error && <Problem error={reject.error} failed="invites.rejectFailed" />}
      </LiveRegion>
    </li>
  )
}

/** Moves the focus, whose button goes with its row. */
function leaveRow() {
  document.getElementById('main')?.focus({ preventScroll: true })
}
