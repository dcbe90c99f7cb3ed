import type { PaymentMethod, SubscriptionUser } from '#contract/entities.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { useFormat } from '../../format.ts'
import { useT } from '../../i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { cardName } from './card-words.ts'

type ConfirmTransferProps = {
  to: SubscriptionUser
  /** The card that stays. */
  kept: PaymentMethod['card'] | undefined
  onDone: (to: SubscriptionUser) => void
  onClose: () => void
}

export function ConfirmTransfer({ to, kept, onDone, onClose }: ConfirmTransferProps) {
  const t = useT()
  const format = useFormat()
  const { subscriptionId, subscription, name: project } = useProject()
  const { id: newOwnerId, email } = to
  const { renews } = subscription
  const name = to.display_name || email

  function finish() {
    onDone(to)
    return ''
  }

  return (
    <ConfirmDialog
      call="transferSubscriptionOwnership"
      title={t('billing.transfer.confirmTitle', { name })}
      input={() => ({ subscriptionId, newOwnerId, keepCard: kept !== undefined })}
      submit="billing.transfer.makeOwner"
      failed="billing.transfer.failed"
      reasons={{ tooManyProjects: 'billing.transfer.tooManyProjects' }}
      onDone={finish}
      onClose={onClose}
    >
      <p className="text-soft wrap-anywhere">
        {t('billing.transfer.confirm', { name, email, project })}
      </p>
      {renews !== null && (
        <p className="font-medium wrap-anywhere">
          {kept
            ? t('billing.transfer.confirmStays', { card: cardName(kept), name })
            : t('billing.transfer.confirmGone', { name, date: format.date(renews) })}
        </p>
      )}
    </ConfirmDialog>
  )
}
