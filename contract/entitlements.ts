import { plans, type Plan } from '#config/plans.ts'
import { memoize } from './memoize.ts'
import { ofModules, type Feature, type Limit } from './modules.ts'

const features = ofModules('features')
const limits = ofModules('limits')

export type FeatureName = keyof typeof features
export type LimitName = keyof typeof limits

/** A name in config/plans.ts that no module has does not compile here. */
type Entitled = Plan & {
  features?: readonly FeatureName[] | 'all'
  limits?: { [Name in LimitName]?: number }
}
const entitled: readonly Entitled[] = plans

export const limitNames = Object.keys(limits) as LimitName[]

type OfPlan = { plan_id: string }

/** Whether the plan of a subscription includes a feature. */
export function allows({ plan_id }: OfPlan, feature: FeatureName) {
  return includes(findEntitled(plan_id), feature)
}

/** Whether any plan includes a feature. */
export function isSold(feature: FeatureName) {
  return entitled.some((plan) => includes(plan, feature))
}

/** How much the plan of a subscription allows; null if it names no such limit. */
export function limitOf({ plan_id }: OfPlan, limit: LimitName) {
  return findEntitled(plan_id)?.limits?.[limit] ?? null
}

export const findLimit = (limit: LimitName): Limit => limits[limit]
export const findFeature = (feature: FeatureName): Feature => features[feature]

/** The numbers of a plan for its texts: its seats and limits, by their names. */
export function numbersOf({ seats, limits: ofPlan = {} }: Plan, language: string) {
  const named = Object.entries(ofPlan).map(([name, most]) => {
    const unit = (limits as Partial<Record<string, Limit>>)[name]?.unit
    return [name, unit === 'bytes' ? formatSize(most, language) : most] as const
  })
  return { seats, ...Object.fromEntries(named) }
}

/** Like `2 GB`: of a thousand million bytes, as disks are sold. A few bytes are 0.1 kB. */
export function formatSize(bytes: number, language: string) {
  const [unit, size] = bytes < 1e6 ? units[0] : bytes < 1e9 ? units[1] : units[2]
  return sizeFormat(language, unit).format(bytes / size)
}

const units = [
  ['kilobyte', 1e3],
  ['megabyte', 1e6],
  ['gigabyte', 1e9],
] as const

const sizeFormat = memoize(
  (language: string, unit: string) =>
    new Intl.NumberFormat(language, {
      style: 'unit',
      unit,
      maximumFractionDigits: 1,
      roundingMode: 'ceil',
    }),
)

function includes({ features = [] }: Partial<Entitled> = {}, feature: FeatureName) {
  return features === 'all' || features.includes(feature)
}

function findEntitled(id: string) {
  return entitled.find((plan) => plan.id === id)
}
