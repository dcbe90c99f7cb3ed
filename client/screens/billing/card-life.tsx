import { classes } from '../../components/classes.ts'
import { useT } from '../../platform/i18n.ts'
import { expiry, lifeOf, type Card } from './card-words.ts'

/** `Expires 04/31`, in another colour if that is soon or has been. */
export function CardLife({ card }: { card: Card }) {
  const t = useT()
  const life = lifeOf(card)
  const tone = life === 'long' ? 'text-soft' : 'text-warn'
  return (
    <span className={classes('block text-small font-normal tabular-nums', tone)}>
      {t(`billing.overview.life.${life}`, { expiry: expiry(card) })}
    </span>
  )
}
