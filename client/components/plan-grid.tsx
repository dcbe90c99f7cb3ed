import { plans, type Plan } from '#config/plans.ts'
import { numbersOf } from '#contract/entitlements.ts'
import type { Seats, Subscription } from '#contract/entities.ts'
import { formatMoney } from '#contract/money.ts'
import { projectPath } from '#contract/paths.ts'
import { choiceOf, keyOf } from '#contract/price-choice.ts'
import { perInterval, planWords, priceWords, intervalName } from '#contract/price-words.ts'
import {
  isLower,
  isSameInterval,
  nearestPrice,
  savedAYear,
  soldCurrencies,
  type Price,
} from '#contract/prices.ts'
import { Check } from 'lucide-react'
import { useSearchParams, type LinkProps } from 'react-router'
import { useLanguage, useT } from '../platform/i18n.ts'
import { Badge } from './card.tsx'
import { Button, ButtonLink, TextLink } from './button.tsx'
import { cardLook, classes } from './classes.ts'
import { Select } from './fields.tsx'
import { useQuery } from './use-query.ts'

type PlanGridProps = {
  /** The project whose plan is to change. */
  current?: Pick<Subscription, 'id' | 'plan_id' | 'price' | 'currency'>
  seats?: Seats | undefined
  busy?: string | undefined
  isCentered?: boolean
} & (
  | { onChoose: (plan: OfferedPlan) => void; linkTo?: never }
  /** Where each plan's button leads. */
  | { linkTo: (plan: OfferedPlan) => Pick<LinkProps, 'to' | 'state'>; onChoose?: never }
)
type OfferedPlan = (typeof plans)[number]

/** The plans to choose from, without legacy plans, which only existing subscriptions keep. */
export function PlanGrid({ current, seats, busy, isCentered, onChoose, linkTo }: PlanGridProps) {
  const t = useT()
  const [query] = useSearchParams()
  const choice = choiceOf(query, navigator.languages, current)
  const own = current?.price
  const users = current && projectPath('users', current.id)
  const taken = seats ? seats.members + seats.pending : 0
  const fixed = current?.currency
  return (
    <div className="grid gap-5">
      <PriceSwitch choice={choice} isCurrencyFixed={Boolean(fixed)} isCentered={isCentered} />
      <ul className="grid gap-5 min-[46rem]:grid-cols-3 print:grid-cols-3">
        {plans
          .filter((plan: Plan) => !plan.legacy)
          .map((plan: OfferedPlan & Plan) => {
            const title = t(plan.titleKey)
            const price = nearestPrice(plan, choice.interval, choice.currency)
            const isOwnPlan = plan.id === current?.plan_id
            const isCurrent = isOwnPlan && (!own || isSameInterval(own, price))
            const isSold = !fixed || fixed === price.currency
            const saved = savedAYear(plan, price)
            const name = isOwnPlan && !isCurrent ? planWords(title, price, t) : title
            const isTooSmall = !isCurrent && plan.seats < taken
            // Who pays as much already, or more, would be led to less.
            const isMore = !isOwnPlan && (!own || isLower(own, price))
            const isAdvised = plan.popular && isMore && !isTooSmall
            const look = {
              variant: isTooSmall ? 'quiet' : isAdvised ? 'primary' : 'plain',
              size: 'large',
              className: 'mt-auto w-full',
            } as const
            return (
              <li
                key={plan.id}
                className={classes(
                  cardLook,
                  'flex flex-col p-6',
                  isAdvised && 'border-accent shadow-lift ring-1 ring-accent',
                )}
              >
                <div className="flex min-h-5.5 items-center justify-between gap-3">
                  <h2 className="text-card">{title}</h2>
                  {isAdvised && <Badge tone="accent">{t('plans.popular')}</Badge>}
                  {isCurrent && <Badge>{t('plans.yours')}</Badge>}
                </div>
                <p className="mt-2.5">
                  <span className="text-price tabular-nums">
                    {formatMoney(price.amount, price.currency)}
                  </span>{' '}
                  <span className="inline-block text-soft">{perInterval(price, t)}</span>
                </p>
                {plan.trial && !isOwnPlan && (
                  <p className="text-small font-medium text-good">
                    {t('plans.trial', { count: plan.trial.days, price: priceWords(price, t) })}
                  </p>
                )}
                {isCurrent && own && !isSameAmount(own, price) && (
                  <p className="text-small font-medium tabular-nums">
                    {t('plans.ownPrice', { price: priceWords(own, t) })}
                  </p>
                )}
                {choice.intervals.length > 1 && (
                  <p className="mt-1 text-small font-medium text-good tabular-nums min-[46rem]:min-h-5">
                    {saved > 0 && t('plans.saves', { amount: formatMoney(saved, price.currency) })}
                  </p>
                )}
                <PlanFeatures plan={plan} className="mt-4.5 mb-5.5" />
                {users && isTooSmall && (
                  <p className="mb-4 text-small text-warn">
                    {t('errors.tooManyMembers', { seats: plan.seats, taken })}{' '}
                    <TextLink to={users}>{t('billing.change.makeRoom')}</TextLink>
                  </p>
                )}
                {linkTo ? (
                  <ButtonLink {...linkTo(plan)} {...look}>
                    {t('plans.choose', { plan: title })}
                  </ButtonLink>
                ) : (
                  <Button
                    {...look}
                    disabled={isCurrent || !isSold}
                    busy={plan.id === busy}
                    onClick={() => onChoose(plan)}
                  >
                    {isCurrent && t('plans.current')}
                    {!isCurrent && isSold && t('plans.choose', { plan: name })}
                    {!isSold && t('plans.notSold', { currency: fixed.toUpperCase() })}
                  </Button>
                )}
              </li>
            )
          })}
      </ul>
    </div>
  )
}

function isSameAmount(one: Price, other: Price) {
  return one.amount === other.amount && one.currency === other.currency
}

type PlanFeaturesProps = { plan: Plan; isOver?: boolean; className?: string }

/** `isOver`: the subscription has ended, and these are its former features. */
export function PlanFeatures({ plan, isOver = false, className }: PlanFeaturesProps) {
  const t = useT()
  const numbers = numbersOf(plan, useLanguage())
  return (
    <ul className={classes('grid gap-2.5', className)}>
      {plan.descriptionKeys.map((key) => (
        <li key={key} className="flex gap-2.5 text-soft">
          {!isOver && <Check className="mt-0.75 size-4 shrink-0 text-good" />}
          {t(key, numbers)}
        </li>
      ))}
    </ul>
  )
}

type PriceSwitchProps = {
  choice: ReturnType<typeof choiceOf>
  isCurrencyFixed: boolean
  isCentered: boolean | undefined
}

/** Chooses interval and currency, kept in the URL. Draws nothing where there is no choice. */
function PriceSwitch({ choice, isCurrencyFixed, isCentered }: PriceSwitchProps) {
  const t = useT()
  const language = useLanguage()
  const [, change] = useQuery()
  const { intervals, interval, currency } = choice
  const hasCurrencies = soldCurrencies.length > 1 && !isCurrencyFixed
  if (intervals.length < 2 && !hasCurrencies) return null
  const names = new Intl.DisplayNames(language, { type: 'currency' })
  return (
    <div
      className={classes(
        'flex flex-wrap items-center gap-x-5 gap-y-3 print:hidden',
        isCentered && 'justify-center',
      )}
    >
      {intervals.length > 1 && (
        <fieldset
          aria-label={t('plans.howOften')}
          className="flex flex-wrap gap-0.5 rounded-control bg-sunken p-0.5"
        >
          {intervals.map((one) => (
            <label
              key={keyOf(one)}
              className="relative grid min-h-9 grow cursor-pointer place-items-center rounded-control border border-transparent px-3 font-medium text-soft max-sm:px-2 max-sm:text-small transition-colors hover:text-ink has-checked:border-line-strong has-checked:bg-surface has-checked:text-ink has-checked:shadow-low has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ring pointer-coarse:min-h-11 forced-colors:has-checked:border-[Highlight]"
            >
              <input
                type="radio"
                name="interval"
                value={keyOf(one)}
                checked={interval !== undefined && isSameInterval(one, interval)}
                onChange={({ target }) => change((query) => query.set('interval', target.value))}
                className="absolute inset-0 size-full cursor-pointer opacity-0"
              />
              <span className="inline-block first-letter:uppercase">{intervalName(one, t)}</span>
            </label>
          ))}
        </fieldset>
      )}
      {hasCurrencies && (
        <div>
          <Select
            name="currency"
            aria-label={t('plans.currency')}
            value={currency ?? soldCurrencies[0]}
            onChange={({ target }) => change((query) => query.set('currency', target.value))}
            className="cursor-pointer"
          >
            {soldCurrencies.map((code) => (
              <option key={code} value={code}>
                {`${code.toUpperCase()} – ${names.of(code.toUpperCase())}`}
              </option>
            ))}
          </Select>
        </div>
      )}
    </div>
  )
}
