import { useCall } from '../../api/queries.ts'
import { ButtonLink } from '../../components/button.tsx'
import { LiveRegion, Message } from '../../components/message.tsx'
import { useT } from '../../platform/i18n.ts'
import { useProject } from '../../layouts/use-project.ts'

/** Tells the owner that a mail about the project did not reach the address for receipts. */
export function ReceiptsRefused() {
  const t = useT()
  const { subscriptionId, pathTo } = useProject()
  const { data } = useCall('getBillingDetails', { subscriptionId })
  return (
    <LiveRegion>
      {data?.billing_email_refused && (
        <Message
          tone="warn"
          action={
            <ButtonLink to={pathTo('updateBillingDetails')}>
              {t('billing.details.title')}
            </ButtonLink>
          }
        >
          {t('billing.details.emailRefused')}
        </Message>
      )}
    </LiveRegion>
  )
}
