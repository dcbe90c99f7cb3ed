import type { Invite } from '#contract/entities.ts'
import { projectPath } from '#contract/paths.ts'
import { useCall } from '../../api/queries.ts'
import { ProjectTile } from '../../components/avatar.tsx'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { LiveProblem, LiveRegion } from '../../components/message.tsx'
import { focusMain } from '../../platform/focus-main.ts'
import { useT } from '../../platform/i18n.ts'
import { toast } from '../../platform/toasts.ts'
import { useAnswer, useInvitedAs } from './use-answer.tsx'

/** Invitations that the user can accept or reject. Draws nothing while there are none. */
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
  const invitedAs = useInvitedAs(invite)
  const { accept, reject, problem } = useAnswer(invite)
  const name = invite.subscription_name || t('common.untitledProject')

  async function join() {
    if (!(await accept.run())) return
    toast(t('invites.accepted', { project: name }), {
      to: projectPath('subscription', invite.subscription_id),
      label: t('project.open'),
    })
    focusMain()
  }

  async function decline() {
    if (!(await reject.run())) return
    toast(t('invites.rejectedFor', { project: name }))
    focusMain()
  }

  return (
    <li className="grid gap-3 p-inset">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="flex min-w-0 items-center gap-3">
          <ProjectTile id={invite.subscription_id} name={name} />
          <div className="min-w-0">
            <p className="font-semibold wrap-anywhere">{invitedAs.sentence}</p>
            <p className="text-small text-soft">{invitedAs.meaning}</p>
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
      <LiveRegion>{problem}</LiveRegion>
    </li>
  )
}
