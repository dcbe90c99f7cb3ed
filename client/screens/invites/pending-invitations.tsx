import type { Invite } from '#contract/entities.ts'
import { projectPath } from '#contract/paths.ts'
import { useState } from 'react'
import { useCall } from '../../api/queries.tsx'
import { useAction } from '../../api/use-action.ts'
import { Avatar } from '../../components/avatar.tsx'
import { Button, ButtonLink } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { LiveRegion, Message } from '../../components/message.tsx'
import { Problem } from '../../components/problem.tsx'
import { useT } from '../../i18n.ts'
import { forInvitees } from './for-invitees.ts'
import { useInvitedAs } from './use-invited-as.ts'

type Answered = { invite: Invite; accepted: boolean }

/** Nothing at all while there are none. What became of an answer stays in view when its row has gone. */
export function PendingInvitations() {
  const t = useT()
  const { data, error, refetch } = useCall('listInvites', {})
  const [answered, setAnswered] = useState<Answered>()
  const open = data?.invites ?? []
  return (
    <>
      <LiveRegion>
        {answered && <AnswerGiven {...answered} />}
        {error && <Problem error={error} failed="invites.loadFailed" retry={() => void refetch()} />}
      </LiveRegion>
      {open.length > 0 && (
        <Card title={t('invites.pending')} flush>
          <ul className="divide-y divide-line">
            {open.map((invite) => (
              <InvitationRow key={invite.id} invite={invite} onAnswered={(accepted) => setAnswered({ invite, accepted })} />
            ))}
          </ul>
        </Card>
      )}
    </>
  )
}

function InvitationRow({ invite, onAnswered }: { invite: Invite; onAnswered: (accepted: boolean) => void }) {
  const t = useT()
  const invitedAs = useInvitedAs()
  const accept = useAction('acceptInvite')
  const reject = useAction('rejectInvite')
  const name = invite.subscription_name || t('common.untitledProject')

  async function answer(accepted: boolean) {
    const action = accepted ? accept : reject
    if (await action.run({ inviteId: invite.id })) onAnswered(accepted)
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
          <Button busy={reject.busy} onClick={() => void answer(false)} aria-label={t('invites.rejectFor', { project: name })}>
            {t('invites.reject')}
          </Button>
          <Button
            variant="primary"
            busy={accept.busy}
            onClick={() => void answer(true)}
            aria-label={t('invites.acceptFor', { project: name })}
          >
            {t('invites.accept')}
          </Button>
        </div>
      </div>
      <LiveRegion>
        {accept.error && <Problem error={accept.error} failed="invites.acceptFailed" words={forInvitees} />}
        {reject.error && <Problem error={reject.error} failed="invites.rejectFailed" />}
      </LiveRegion>
    </li>
  )
}

function AnswerGiven({ invite, accepted }: Answered) {
  const t = useT()
  const project = invite.subscription_name || t('common.untitledProject')
  if (!accepted) return <Message tone="neutral">{t('invites.rejectedFor', { project })}</Message>
  return (
    <Message tone="good" action={<ButtonLink to={projectPath('subscription', invite.subscription_id)}>{t('project.open')}</ButtonLink>}>
      {t('invites.accepted', { project })}
    </Message>
  )
}
