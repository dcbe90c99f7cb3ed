import type { OwnPaymentMethod } from '#contract/entities.ts'
import { useRef } from 'react'
import type { CallError } from '../../api/post.ts'
import { CallForm } from '../../components/call-form.tsx'
import { closeWith } from '../../components/close-with.ts'
import { DialogCancel } from '../../components/dialog-cancel.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Problem } from '../../components/problem.tsx'
import { useT } from '../../i18n.ts'
import { cardName } from '../billing/card-words.ts'

type RemoveOwnCardProps = {
  method: OwnPaymentMethod
  onRemoved: () => Promise<unknown>
  /** With what is to be said if it is gone. */
  onClose: (removed: string) => void
}

export function RemoveOwnCard({ method, onRemoved, onClose }: RemoveOwnCardProps) {
  const t = useT()
  const dialog = useRef<HTMLDialogElement>(null)
  const card = cardName(method.card)
  const project = method.subscription_name || t('common.untitledProject')

  async function finish() {
    await onRemoved()
    closeWith(t('profile.cards.removed', { card, project }), dialog, onClose)
  }

  return (
    <Dialog ref={dialog} title={t('profile.cards.removeTitle', { card })} onClose={onClose}>
      <div className="grid gap-3">
        <CallForm
          call="deleteOwnPaymentMethod"
          input={() => ({ subscriptionId: method.subscription_id, paymentMethodId: method.id })}
          submit="profile.cards.remove"
          explain={explain}
          onDone={finish}
          danger
          wide
        >
          <p className="text-soft wrap-anywhere">
            {t(method.pays_plan ? 'profile.cards.removePays' : 'profile.cards.removeText', {
              project,
            })}
          </p>
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
      failed="profile.cards.removeFailed"
      words={{ paymentMethodNotFound: 'billing.cards.gone' }}
    />
  )
}
