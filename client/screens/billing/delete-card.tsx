import type { PaymentMethod } from '#contract/entities.ts'
import { useRef } from 'react'
import type { CallError } from '../../api/post.ts'
import { CallForm } from '../../components/call-form.tsx'
import { closeWith } from '../../components/close-with.ts'
import { DialogCancel } from '../../components/dialog-cancel.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Problem } from '../../components/problem.tsx'
import { useT } from '../../i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { cardName } from './card-words.ts'
import { gone } from './saved-card.tsx'

type DeleteCardProps = {
  method: PaymentMethod
  onDeleted: () => Promise<unknown>
  /** With the card's name if it is gone. */
  onClose: (deleted: string) => void
}

export function DeleteCard({ method, onDeleted, onClose }: DeleteCardProps) {
  const t = useT()
  const { subscriptionId } = useProject()
  const dialog = useRef<HTMLDialogElement>(null)
  const card = cardName(method.card)

  async function finish() {
    await onDeleted()
    closeWith(card, dialog, onClose)
  }

  return (
    <Dialog ref={dialog} title={t('billing.cards.deleteTitle', { card })} onClose={onClose}>
      <div className="grid gap-3">
        <CallForm
          call="deletePaymentMethod"
          input={() => ({ subscriptionId, paymentMethodId: method.id })}
          submit="billing.cards.delete"
          explain={explain}
          onDone={finish}
          danger
          wide
        >
          <p className="text-soft">{t('billing.cards.deleteText')}</p>
        </CallForm>
        <DialogCancel dialog={dialog} />
      </div>
    </Dialog>
  )
}

function explain(error: CallError) {
  return <Problem error={error} failed="billing.cards.deleteFailed" words={gone} />
}
