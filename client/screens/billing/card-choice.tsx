import type { PaymentMethod } from '#contract/entities.ts'
import { useId } from 'react'
import { Badge } from '../../components/badge.tsx'
import { classes } from '../../components/classes.ts'
import { useT } from '../../i18n.ts'
import { cardName, expiry, lifeOf } from './card-words.ts'

/** Chooses one of the project's cards, first the default card. */
export function CardChoice({ cards }: { cards: PaymentMethod[] }) {
  const t = useT()
  const hintId = useId()
  const first = cards.find(({ isDefault }) => isDefault) ?? cards[0]
  return (
    <fieldset aria-describedby={cards.length > 1 ? hintId : undefined}>
      <legend className="mb-1.5 text-small font-strong">{t('billing.overdue.payWith')}</legend>
      <div className="grid divide-y divide-line rounded-notice border border-line">
        {cards.map(({ id, isDefault, card }) => (
          <label
            key={id}
            className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5 has-checked:font-medium"
          >
            <input
              type="radio"
              name="paymentMethodId"
              value={id}
              defaultChecked={id === first?.id}
              className="size-4.5 shrink-0 accent-accent"
            />
            <span>{cardName(card)}</span>
            {isDefault && <Badge tone="accent">{t('billing.cards.default')}</Badge>}
            <span
              className={classes(
                'ms-auto text-small font-normal tabular-nums',
                lifeOf(card) === 'long' ? 'text-soft' : 'text-warn',
              )}
            >
              {t(`billing.overview.life.${lifeOf(card)}`, { expiry: expiry(card) })}
            </span>
          </label>
        ))}
      </div>
      {cards.length > 1 && (
        <p id={hintId} className="mt-1.5 text-small text-soft">
          {t('billing.overdue.once')}
        </p>
      )}
    </fieldset>
  )
}
