import { plans, type Plan } from '#config/plans.ts'
import {
  findFeature,
  findLimit,
  limitNames,
  limitOf,
  type FeatureName,
  type LimitName,
} from '#contract/entitlements.ts'
import type { Use } from '#contract/entries.ts'
import type { CallError } from '../api/post.ts'
import { useCall } from '../api/queries.ts'
import { ButtonLink } from '../components/button.tsx'
import { Message, Problem } from '../components/message.tsx'
import { Meter, MeterSkeleton } from '../components/meter.tsx'
import { useFormat } from '../platform/format.ts'
import { useT } from '../platform/i18n.ts'
import { useProject } from './use-project.ts'

type UsageMetersProps = { of?: readonly LimitName[] }

/** How much the project uses of what its plan limits. Draws nothing if the plan limits nothing. */
export function UsageMeters({ of = limitNames }: UsageMetersProps) {
  const t = useT()
  const { subscription, subscriptionId } = useProject()
  const { inWords, plain } = useAmounts()
  const limited = of.filter((limit) => limitOf(subscription, limit) !== null)
  const { data, error } = useCall('getUsage', { subscriptionId }, { enabled: limited.length > 0 })
  if (error && !data) return null
  return limited.map((name) => {
    const use = data?.usage.find(({ limit }) => limit === name)
    // The plan has changed meanwhile if it limits nothing here.
    if (!use || use.most === null) return <MeterSkeleton key={name} />
    const { used, most } = use
    const words = t('usage.meter', { used: plain(name, used), most: inWords(name, most) })
    return <Meter key={name} {...{ words, most, used }} />
  })
}

const byPlan = new Set<CallError['reason']>(['limitReached', 'notInPlan', 'planTooSmall'])

/** For `explain` of a form whose call the plan may refuse. */
export function explainByPlan(error: CallError) {
  return byPlan.has(error.reason) ? <PlanProblem error={error} /> : undefined
}

/** A refusal for what the plan allows or includes, with the way to more. Others as usual. */
export function PlanProblem({ error }: { error: CallError }) {
  const t = useT()
  const format = useFormat()
  const { inWords } = useAmounts()
  const { limit, most, feature, beyond } = error.details as {
    limit: LimitName
    most: number
    feature: FeatureName
    beyond: (Use & { most: number })[]
  }
  switch (error.reason) {
    case 'limitReached': {
      const isLargest = !plans.some(
        ({ id, legacy }: Plan) => !legacy && allowsMore({ plan_id: id }, limit, most),
      )
      return (
        <MoreByPlan isLargest={isLargest} title={t('usage.full', { most: inWords(limit, most) })} />
      )
    }
    case 'notInPlan':
      return (
        <MoreByPlan title={t('usage.notIncluded', { feature: t(findFeature(feature).label) })} />
      )
    case 'planTooSmall':
      return (
        <Message tone="bad">
          {t('usage.tooSmall', {
            used: format.list(beyond.map(({ limit, used }) => inWords(limit, used))),
            most: format.list(beyond.map(({ limit, most }) => inWords(limit, most))),
          })}
        </Message>
      )
    default:
      return <Problem error={error} />
  }
}

function allowsMore(plan: { plan_id: string }, limit: LimitName, than: number) {
  const most = limitOf(plan, limit)
  return most === null || most > than
}

type MoreByPlanProps = { title: string; isLargest?: boolean; tone?: 'warn' | 'neutral' }

/** Says what the plan lacks, and leads those to another plan who may change it. */
export function MoreByPlan({ title, isLargest = false, tone = 'warn' }: MoreByPlanProps) {
  const t = useT()
  const { to, says } = useWayToMore(isLargest)
  const action = to && <ButtonLink to={to}>{t('users.full.upgrade')}</ButtonLink>
  return (
    <Message tone={tone} title={title} action={action}>
      {says}
    </Message>
  )
}

/** How a project gets more: the place for who may change its plan, a sentence for others. */
export function useWayToMore(isLargest: boolean): { to?: string; says?: string } {
  const t = useT()
  const { isOwner, owner, pathTo } = useProject()
  if (isLargest) return { says: t('users.full.largest') }
  if (isOwner) return { to: pathTo('changePlan') }
  return owner ? { says: t('users.full.askOwner', { owner: owner.name }) } : {}
}

function useAmounts() {
  const t = useT()
  const { size } = useFormat()
  return {
    /** `5 documents` */
    inWords: (limit: LimitName, amount: number) => {
      const { label, unit } = findLimit(limit)
      return t(label, unit === 'bytes' ? { size: size(amount) } : { count: amount })
    },
    /** Before the most, in words, that it is used of. */
    plain: (limit: LimitName, amount: number) =>
      findLimit(limit).unit === 'bytes' ? size(amount) : amount,
  }
}
