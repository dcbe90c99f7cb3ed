import { nulls } from './new-object.ts'
import { invalid } from '../rules/errors.ts'
import type { CurrencyOption, Interval, Plan, Price, Product, Recurring } from './wire.ts'

export type SandboxPrice = {
  id: string
  product: { id: string; name: string }
  interval: Interval
  intervalCount: number
  /** Minor units by currency, in lower case. The first currency is the price's own. */
  amounts: Record<string, number>
}
type Option = { unit_amount: number; tax_behavior?: NonNullable<Price['tax_behavior']> }
export type NewPrice = Pick<
  Price,
  'id' | 'currency' | 'lookup_key' | 'metadata' | 'nickname' | 'product'
> &
  Option & { options: Record<string, Option>; recurring: Recurring }

export function newPrice({ options, recurring, ...given }: NewPrice, now: number): Price {
  const { currency, unit_amount, tax_behavior = 'unspecified' } = given
  return {
    object: 'price',
    active: true,
    billing_scheme: 'per_unit',
    created: now,
    currency_options: currencyOptions({
      [currency]: { unit_amount, tax_behavior },
      ...options,
    }),
    custom_unit_amount: null,
    livemode: false,
    recurring: { ...recurring, meter: null, trial_period_days: null, usage_type: 'licensed' },
    tax_behavior,
    tiers_mode: null,
    transform_quantity: null,
    type: 'recurring',
    unit_amount_decimal: String(unit_amount),
    ...given,
  }
}

function currencyOptions(options: Record<string, Option>): Record<string, CurrencyOption> {
  return Object.fromEntries(
    Object.entries(options).map(([currency, { unit_amount, tax_behavior = 'unspecified' }]) => [
      currency,
      {
        custom_unit_amount: null,
        tax_behavior,
        unit_amount,
        unit_amount_decimal: String(unit_amount),
      },
    ]),
  )
}

/** The price's amount in a currency that it has. */
export function unitAmountIn(price: Price, currency: string): number {
  return amountsOf(price)[currency]!
}

/** Refuses a price that lacks the currency. */
export function refuseOtherCurrency(price: Price, expected: string, param: string) {
  const [own, ...others] = Object.keys(amountsOf(price)).map((each) => `\`${each}\``)
  if (expected in amountsOf(price)) return
  const has = others.length
    ? `supports currencies of ${[own, ...others].join(', ').replace(/, (?=[^,]*$)/, ' and ')}`
    : `only supports ${own}`
  throw invalid(
    `The price specified ${has}. This doesn't match the expected currency: \`${expected}\`.`,
    { param },
  )
}

/** Prices of an older sandbox have no options. */
function amountsOf({ currency, unit_amount, currency_options }: Price): Record<string, number> {
  const options = Object.entries(currency_options ?? {})
  const amounts = Object.fromEntries(options.map(([each, option]) => [each, option.unit_amount]))
  // The own currency comes first.
  return Object.assign({ [currency]: unit_amount }, amounts, { [currency]: unit_amount })
}

/** The price as a plan, Stripe's older format, which subscription items still contain. */
export function planOf(price: Price): Plan {
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: price.billing_scheme,
    created: price.created,
    currency: price.currency,
    interval: price.recurring.interval,
    interval_count: price.recurring.interval_count,
    livemode: false,
    metadata: price.metadata,
    ...nulls('meter tiers_mode transform_usage trial_period_days'),
    nickname: price.nickname,
    product: price.product,
    usage_type: 'licensed',
  }
}

export type NewProduct = Pick<Product, 'id' | 'name'> &
  Partial<Pick<Product, 'description' | 'metadata' | 'tax_code'>>

export function newProduct(given: NewProduct, now: number): Product {
  return {
    object: 'product',
    active: true,
    created: now,
    ...nulls(
      'default_price description package_dimensions shippable statement_descriptor tax_code',
      'tax_details unit_label url',
    ),
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: {},
    type: 'service',
    updated: now,
    ...given,
  }
}
