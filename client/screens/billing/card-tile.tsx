import { brandName } from '#contract/card-brands.ts'
import type { PaymentMethod } from '#contract/entities.ts'
import { Badge } from '../../components/badge.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useT } from '../../i18n.ts'
import { expiry, lifeOf } from './card-words.ts'

const shape = 'aspect-[1.65] w-full max-w-80 rounded-card'

/** A payment card, drawn as one. */
export function CardTile({ method: { card, isDefault } }: { method: PaymentMethod }) {
  const t = useT()
  const life = lifeOf(card)
  const date = expiry(card)
  return (
    <div
      className={`${shape} flex flex-col justify-between bg-linear-135 from-tile to-tile-deep p-4.5 text-on-tile shadow-low forced-colors:border`}
    >
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1.5">
        <span className="font-semibold">{brandName(card.brand)}</span>
        <span className="flex flex-wrap gap-1.5">
          {life === 'over' && <Badge tone="bad">{t('billing.cards.expired')}</Badge>}
          {life === 'short' && <Badge tone="warn">{t('billing.cards.expiresSoon')}</Badge>}
          {isDefault && (
            <span className="inline-flex min-h-5.5 items-center rounded-full bg-on-tile/16 px-2 text-label font-strong forced-colors:border">
              {t('billing.cards.default')}
            </span>
          )}
        </span>
      </div>
      <div>
        <p className="text-lead tracking-[0.08em] tabular-nums">
          <span aria-hidden>•••• </span>
          <span className="sr-only">{t('billing.cards.endingIn')} </span>
          {card.last4}
        </p>
        <p className="text-small text-on-tile/80 tabular-nums">
          {t(life === 'over' ? 'billing.cards.expiredOn' : 'billing.cards.expires', { date })}
        </p>
      </div>
    </div>
  )
}

export function CardTileSkeleton() {
  return <Skeleton className="grid gap-3" bones={[`${shape} rounded-card!`, 'h-9 w-32']} />
}
