import { brandName } from '#contract/card-brands.ts'
import type { PaymentMethod } from '#contract/entities.ts'
import { useAction } from '../../api/call.ts'
import { useShowAtOnce } from '../../api/queries.ts'
import { Badge } from '../../components/card.tsx'
import { CardMark } from '../../components/card-mark.tsx'
import { Button } from '../../components/button.tsx'
import { cardLook, classes } from '../../components/classes.ts'
import { LiveProblem } from '../../components/message.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useT } from '../../platform/i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { cardName, expiry, lifeOf } from './card-words.ts'

type SavedCardProps = {
  /** `isDeclined`: by the bank, for what is overdue. */
  method: PaymentMethod & { isDeclined: boolean }
  onStart: () => void
  onDefault: (name: string) => void
  onDelete: () => void
}

export function SavedCard({ method, onStart, onDefault, onDelete }: SavedCardProps) {
  const t = useT()
  const { user, subscriptionId } = useProject()
  const showAtOnce = useShowAtOnce(subscriptionId)
  const setDefault = useAction('setDefaultPaymentMethod')
  const name = cardName(method.card)
  const { added_by: addedBy } = method

  async function makeDefault() {
    onStart()
    let end: ((isDone: boolean) => void) | undefined
    const input = async () => {
      end = await showAtOnce('getPaymentMethods', ({ paymentMethods }) => ({
        paymentMethods: paymentMethods.map((other) => ({
          ...other,
          isDefault: other.id === method.id,
        })),
      }))
      return { subscriptionId, paymentMethodId: method.id }
    }
    const output = await setDefault.run(input, () => onDefault(name))
    end?.(output !== undefined)
  }

  return (
    <li className={classes(cardLook, 'flex flex-col')}>
      <CardTile method={method} />
      <div className="grid content-start gap-3 px-inset py-4">
        {addedBy && addedBy.id !== user.uid && (
          <p className="text-small text-soft wrap-break-word">
            {t('billing.cards.addedBy', { name: addedBy.name })}
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
          <Button onClick={onDelete} aria-label={t('billing.cards.deleteOf', { card: name })}>
            {t('billing.cards.delete')}
          </Button>
        </div>
        <LiveProblem
          error={setDefault.error}
          failed="billing.cards.defaultFailed"
          words={{ paymentMethodNotFound: 'billing.cards.gone' }}
        />
      </div>
    </li>
  )
}

const shape = 'rounded-card'

function CardTile({ method: { card, isDefault, isDeclined } }: Pick<SavedCardProps, 'method'>) {
  const t = useT()
  const life = lifeOf(card)
  const date = expiry(card)
  return (
    <div
      className={`${shape} flex flex-col gap-8 deepening p-inset text-on-tile forced-colors:border`}
    >
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1.5">
        <span className="flex items-center gap-2 font-semibold">
          <CardMark brand={card.brand} className="w-9" />
          {brandName(card.brand)}
        </span>
        <span className="flex flex-wrap gap-1.5">
          {life === 'over' && <Badge tone="bad">{t('billing.cards.expired')}</Badge>}
          {life === 'short' && <Badge tone="warn">{t('billing.cards.expiresSoon')}</Badge>}
          {isDeclined && <Badge tone="warn">{t('billing.overdue.cardDeclined')}</Badge>}
          {isDefault && (
            <span className="inline-flex min-h-5.5 items-center rounded-full bg-on-tile/16 px-2 text-label font-strong forced-colors:border">
              {t('billing.cards.default')}
            </span>
          )}
        </span>
      </div>
      <div>
        <p className="text-lead tracking-[0.08em] tabular-nums">
          <span className="sr-only">{t('billing.cards.endingIn')} </span>
          <span dir="ltr">
            <span aria-hidden>•••• </span>
            {card.last4}
          </span>
        </p>
        <p className="text-small text-on-tile/80 tabular-nums">
          {t(life === 'over' ? 'billing.cards.expiredOn' : 'billing.cards.expires', { date })}
        </p>
      </div>
    </div>
  )
}

export function CardTileSkeleton() {
  return (
    <li className={classes(cardLook, 'pb-4')}>
      <Skeleton className="grid gap-3" bones={[shape, 'h-3 w-24', 'h-4 w-36']} />
    </li>
  )
}
