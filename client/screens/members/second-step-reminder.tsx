import { useAction } from '../../api/call.ts'
import { useCall } from '../../api/queries.ts'
import { Button } from '../../components/button.tsx'
import { LiveProblem, Message } from '../../components/message.tsx'
import { useProject } from '../../layouts/use-project.ts'
import { useT } from '../../platform/i18n.ts'
import { toast } from '../../platform/toasts.ts'

/** Says how many members can't pass the second step that the project asks for. */
export function SecondStepReminder() {
  const t = useT()
  const { subscriptionId } = useProject()
  const { data } = useCall('getSubscriptionUsers', { subscriptionId, hasSecondFactor: false })
  const remind = useAction('remindOfSecondFactor')

  async function send() {
    const output = await remind.run({ subscriptionId })
    if (output) toast(t('users.secondStep.reminded', { count: output.reminded }))
  }

  return (
    <>
      {data && data.total > 0 && (
        <Message
          tone="neutral"
          action={
            <Button busy={remind.busy} onClick={() => void send()}>
              {t('users.secondStep.remind')}
            </Button>
          }
        >
          {t('users.secondStep.count', { count: data.total })}
        </Message>
      )}
      <LiveProblem
        error={remind.error}
        words={{ 'auth/too-many-requests': 'users.secondStep.tooSoon' }}
      />
    </>
  )
}
