import type { Plan } from '#config/plans.ts'
import { stepOf } from '#contract/currencies.ts'
import { currenciesOf, lengthOf, pricesOf } from '#contract/prices.ts'
import type { Timing } from '#contract/plan.ts'
import { StartError } from '../platform/start-error.ts'

type Billing = { cancel: Timing; refundUnused: boolean }

/** What can't be sold as config/plans.ts and config/billing.ts say, in a sentence each. */
export function problemsOf(plans: readonly Plan[], { cancel, refundUnused }: Billing) {
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

/** Refuses plans that can't be sold. */
export function requireSound(plans: readonly Plan[], billing: Billing) {
  const problems = problemsOf(plans, billing)
  if (problems.length > 0) throw new StartError(problems.join('\n'))
}
