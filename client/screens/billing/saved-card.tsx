import type { PaymentMethod } from '#contract/entities.ts'
import { Trash2 } from 'lucide-react'
import { useId } from 'react'
import { useAction } from '../../api/call.ts'
import { useSession } from '../../api/use-session.tsx'
import { useShowAtOnce } from '../../api/use-show-at-once.ts'
import { Button } from '../../components/button.tsx'
import { LiveProblem } from '../../components/problem.tsx'
import { useT, type Translate } from '../../i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { CardTile } from './card-tile.tsx'
import { cardName } from './card-words.ts'

type SavedCardProps = {
  method: PaymentMethod
  onStart: () => void
  onDefault: (name: string) => Promise<void>
  onDelete: () => void
}

export function SavedCard({ method, onStart, onDefault, onDelete }: SavedCardProps) {
  const t = useT()
  const { user } = useSession()
  const { subscriptionId, plan } = useProject()
  const showAtOnce = useShowAtOnce(subscriptionId)
  const setDefault = useAction('setDefaultPaymentMethod')
  const reasonId = useId()
  const name = cardName(method.card)
  const paysPlan = method.isDefault && !plan.free

  async function makeDefault() {
    onStart()
    const input = { subscriptionId, paymentMethodId: method.id }
    let end: ((isDone: boolean) => void) | undefined
    const start = async () => {
      end = await showAtOnce('getPaymentMethods', ({ paymentMethods }) => ({
        paymentMethods: paymentMethods.map((other) => ({
          ...other,
          isDefault: other.id === method.id,
        })),
      }))
      return input
    }
    const output = await setDefault.run(start, () => onDefault(name))
    end?.(output !== undefined)
  }

  return (
    <li className="grid max-w-80 content-start gap-3">
      <CardTile method={method} />
      {method.added_by && (
        <p className="text-small text-soft wrap-anywhere">
          {addedBy(method.added_by, user.uid, t)}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {(!method.isDefault || setDefault.busy) && (
          <Button
            busy={setDefault.busy}
            onClick={() => void makeDefault()}
            aria-label={t('billing.cards.makeDefaultOf', { card: name })}
          >
            {t('billing.cards.makeDefault')}
          </Button>
        )}
        <Button
          variant="danger"
          icon={<Trash2 aria-hidden />}
          disabled={paysPlan}
          onClick={onDelete}
          aria-label={t('billing.cards.deleteOf', { card: name })}
          aria-describedby={paysPlan ? reasonId : undefined}
        >
          {t('billing.cards.delete')}
        </Button>
      </div>
      {paysPlan && (
        <p id={reasonId} className="text-small text-soft">
          {t('errors.defaultPaymentMethod')}
        </p>
      )}
      <LiveProblem
        error={setDefault.error}
        failed="billing.cards.defaultFailed"
        words={{ paymentMethodNotFound: 'billing.cards.gone' }}
      />
    </li>
  )
}

function addedBy({ id, name }: NonNullable<PaymentMethod['added_by']>, uid: string, t: Translate) {
  return id === uid ? t('billing.cards.addedByYou') : t('billing.cards.addedBy', { name })
}
