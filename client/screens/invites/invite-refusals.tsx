import type { SubscriptionUser } from '#contract/entities.ts'
import { useAction } from '../../api/call.ts'
import { useCall } from '../../api/queries.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { Message } from '../../components/message.tsx'
import { firstPage } from '../../components/use-query.ts'
import { useT } from '../../platform/i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { ResendProblem } from '../members/resend-problem.tsx'

/** Offers what helps with an invitation that is open already. The field says that it is. */
export function AlreadyInvited({ email }: { email: string }) {
  const t = useT()
  const { subscriptionId } = useProject()
  const found = useCall('getSubscriptionUsers', { subscriptionId, search: email, ...firstPage })
  const invite = found.data?.users.find((user) => isInvite(user, email))
  const resend = useAction('resendInvite')

  if (resend.done) return <Message tone="good">{t('users.resend.done', { email })}</Message>
  return (
    <div className="grid gap-3">
      <ResendProblem error={resend.error} />
      <Message
        tone="neutral"
        action={
          <div className="flex flex-wrap gap-2">
            <ShowInUsers email={email} />
            <Button
              busy={resend.busy}
              disabled={!invite}
              onClick={() => void resend.run({ subscriptionId, inviteId: invite!.id })}
            >
              {t('users.resend.action')}
            </Button>
          </div>
        }
      >
        {t('users.duplicate.invited')}
      </Message>
    </div>
  )
}

export function AlreadyMember({ email }: { email: string }) {
  const t = useT()
  return (
    <Message tone="neutral" action={<ShowInUsers email={email} />}>
      {t('users.duplicate.member')}
    </Message>
  )
}

function ShowInUsers({ email }: { email: string }) {
  const t = useT()
  const { pathTo } = useProject()
  return (
    <ButtonLink to={`${pathTo('users')}?search=${encodeURIComponent(email)}`}>
      {t('users.duplicate.show')}
    </ButtonLink>
  )
}

function isInvite({ status, email }: SubscriptionUser, invited: string) {
  return status === 'pending' && email === invited
}
