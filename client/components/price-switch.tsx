import { intervalName } from '#contract/price-words.ts'
import { keyOf, type choiceOf } from '#contract/price-choice.ts'
import { isSameInterval, soldCurrencies } from '#contract/prices.ts'
import { useLanguage, useT } from '../platform/i18n.ts'
import { classes } from './classes.ts'
import { Select } from './fields.tsx'
import { useQuery } from './use-query.ts'

type PriceSwitchProps = {
  choice: ReturnType<typeof choiceOf>
  isCurrencyFixed: boolean
  isCentered: boolean
}

/** Chooses interval and currency, kept in the URL. Draws nothing where there is no choice. */
export function PriceSwitch({ choice, isCurrencyFixed, isCentered }: PriceSwitchProps) {
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
