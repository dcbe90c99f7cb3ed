import type { PaymentMethod } from '#contract/entities.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { useT } from '../../i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { cardName } from './card-words.ts'

type DeleteCardProps = {
  method: PaymentMethod
  onDeleted: () => Promise<unknown>
  /** `deleted` is the card's name, if it was deleted. */
  onClose: (deleted: string) => void
}

export function DeleteCard({ method, onDeleted, onClose }: DeleteCardProps) {
  const t = useT()
  const { subscriptionId } = useProject()
  const card = cardName(method.card)
  return (
    <ConfirmDialog
      call="deletePaymentMethod"
      title={t('billing.cards.deleteTitle', { card })}
      input={() => ({ subscriptionId, paymentMethodId: method.id })}
      submit="billing.cards.delete"
      failed="billing.cards.deleteFailed"
      reasons={{ paymentMethodNotFound: 'billing.cards.gone' }}
      onDone={() => onDeleted().then(() => card)}
      onClose={onClose}
    >
      <p className="text-soft">{t('billing.cards.deleteText')}</p>
    </ConfirmDialog>
  )
}
