import type { PaymentMethod, SubscriptionUser } from '#contract/entities.ts'
import { useRef } from 'react'
import type { CallError } from '../../api/post.ts'
import { CallForm } from '../../components/call-form.tsx'
import { DialogCancel } from '../../components/dialog-cancel.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Problem } from '../../components/problem.tsx'
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
  const dialog = useRef<HTMLDialogElement>(null)
  const { id: newOwnerId, email } = to
  const { renews } = subscription
  const name = to.display_name || email

  function finish() {
    onDone(to)
    dialog.current?.close()
  }

  return (
    <Dialog ref={dialog} title={t('billing.transfer.confirmTitle', { name })} onClose={onClose}>
      <div className="grid gap-3">
        <CallForm
          call="transferSubscriptionOwnership"
          input={() => ({
            subscriptionId,
            newOwnerId,
            keepCard: kept !== undefined,
          })}
          submit="billing.transfer.makeOwner"
          failed="billing.transfer.failed"
          explain={explain}
          onDone={finish}
          danger
          wide
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
        </CallForm>
        <DialogCancel dialog={dialog} />
      </div>
    </Dialog>
  )
}

function explain(error: CallError) {
  return (
    <Problem
      error={error}
      failed="billing.transfer.failed"
      words={{ tooManyProjects: 'billing.transfer.tooManyProjects' }}
    />
  )
}
