import type { OwnPaymentMethod } from '#contract/entities.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { useT } from '../../i18n.ts'
import { cardName } from '../billing/card-words.ts'

type RemoveOwnCardProps = {
  method: OwnPaymentMethod
  onRemoved: () => Promise<unknown>
  /** `done` says what was done, if anything was. */
  onClose: (done: string) => void
}

export function RemoveOwnCard({ method, onRemoved, onClose }: RemoveOwnCardProps) {
  const t = useT()
  const card = cardName(method.card)
  const project = method.subscription_name || t('common.untitledProject')
  const text = method.pays_plan ? 'profile.cards.removePays' : 'profile.cards.removeText'
  return (
    <ConfirmDialog
      call="deleteOwnPaymentMethod"
      title={t('profile.cards.removeTitle', { card })}
      input={() => ({ subscriptionId: method.subscription_id, paymentMethodId: method.id })}
      submit="profile.cards.remove"
      failed="profile.cards.removeFailed"
      reasons={{ paymentMethodNotFound: 'billing.cards.gone' }}
      onDone={() => onRemoved().then(() => t('profile.cards.removed', { card, project }))}
      onClose={onClose}
    >
      <p className="text-soft wrap-anywhere">{t(text, { project })}</p>
    </ConfirmDialog>
  )
}
