import { limits } from '#config/limits.ts'
import type { Plan } from '#config/plans.ts'
import { stepOf } from '#contract/currencies.ts'
import { currenciesOf, lengthOf, pricesOf } from '#contract/prices.ts'
import type { Billing } from '#contract/plan.ts'
import type { Logger } from 'pino'
import { StartError } from '../platform/start-error.ts'
import { day } from '../platform/time.ts'

type Sold = Pick<Billing, 'cancel' | 'refundUnused' | 'grace'>

/** What can't be sold as config/plans.ts and config/billing.ts say, in a sentence each. */
export function problemsOf(plans: readonly Plan[], { cancel, refundUnused }: Sold) {
  return plans.flatMap((plan) =>
    pricesOf(plan).flatMap((price) => {
      const [name] = price.priceIds
      const at = `The plan ${plan.id}, price ${name ?? price.frequency}`
      const fractions = currenciesOf(price).filter(
        (currency) => price.amounts[currency]! % stepOf(currency) !== 0,
      )
      return [
        ...(name === undefined ? [`${at}: priceIds names no price.`] : []),
        ...fractions.map(
          (currency) =>
            `${at}: an amount in ${currency} must be a multiple of ${stepOf(currency)}.`,
        ),
        ...(lengthOf(price) > longest && cancel === 'now' && !refundUnused
          ? [
              `${at}: who pays for longer than a month must not lose it. In config/billing.ts, let cancel be 'atPeriodEnd' or 'choice', or set refundUnused.`,
            ]
          : []),
      ]
    }),
  )
}

/** In days. */
const longest = 31
/** Refuses plans that can't be sold, and warns of a grace that no overdue project lives to see. */
export function requireSound(plans: readonly Plan[], billing: Sold, log: Pick<Logger, 'warn'>) {
  const problems = problemsOf(plans, billing)
  if (problems.length > 0) throw new StartError(problems.join('\n'))
  const ends = limits.unpaid.ends / day
  if (billing.grace !== undefined && billing.grace >= ends)
    log.warn(
      { grace: billing.grace, ends },
      'grace in config/billing.ts is not shorter than the provider’s retries: overdue projects end first',
    )
}
