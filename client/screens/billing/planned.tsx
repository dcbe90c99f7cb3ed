import { findPlan } from '#contract/access.ts'
import type { Subscription } from '#contract/entities.ts'
import { paths } from '#contract/paths.ts'
import { isSameInterval } from '#contract/prices.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { LiveProblem, LiveRegion, Message } from '../../components/message.tsx'
import { useProject } from '../../layouts/use-project.ts'
import { useTakeBack } from '../../layouts/use-take-back.ts'
import { useFormat } from '../../platform/format.ts'
import { useT } from '../../platform/i18n.ts'
import type { Offer } from './plans.ts'
import { useCall } from '../../api/queries.ts'
import { firstPage } from '../../components/use-query.ts'

/** When the project ends or changes its plan. Its owner can take back what they have planned. */
export function Planned({ look }: { look: string }) {
  const t = useT()
  const format = useFormat()
  const { subscription } = useProject()
  const { offer, busy, error, takeBack } = useTakeBack(subscription)
  const { ends, ends_by: by, next_plan: next } = subscription
  const plan = next && findPlan(next.plan_id)
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 tabular-nums empty:hidden">
        {ends !== null && (
          <p className={look}>
            {t(by === 'owner' ? 'billing.planned.ends' : 'billing.overview.ends', {
              date: format.billingDate(ends),
            })}
          </p>
        )}
        {plan && (
          <p className={look}>
            {t('billing.planned.changes', {
              plan: t(plan.titleKey),
              date: format.billingDate(next.at),
            })}
          </p>
        )}
        {offer && (
          <Button busy={busy} onClick={() => void takeBack()}>
            {t(offer.label)}
          </Button>
        )}
      </div>
      <LiveProblem error={error} failed="billing.planned.failed" />
    </>
  )
}

/** What the owner has planned, on a screen that plans something else. */
export function PlannedCard() {
  const { offer } = useTakeBack(useProject().subscription)
  return (
    offer && (
      <Card>
        <Planned look="font-medium" />
      </Card>
    )
  )
}

type PlannedBefore = Pick<Subscription, 'ends' | 'ends_by' | 'next_plan'>

/** Says that a new plan of the owner takes an earlier one back. `same`: the earlier one, again. */
export function useTakesBack({ ends, ends_by: by, next_plan: next }: PlannedBefore, same?: Offer) {
  const t = useT()
  const format = useFormat()
  if (ends !== null && by === 'owner')
    return t('billing.planned.takesBackEnd', { date: format.billingDate(ends) })
  const plan = next?.by === 'owner' && findPlan(next.plan_id)
  if (!plan) return undefined
  const isSame = !same?.price || !next.price || isSameInterval(same.price, next.price)
  if (same?.plan === plan && isSame) return undefined
  return t('billing.planned.takesBackChange', {
    plan: t(plan.titleKey),
    date: format.billingDate(next.at),
  })
}

/** Says that a change of plan or a cancellation has begun whose end is not known yet. */
export function Unfinished() {
  const t = useT()
  const { changing_to: to } = useProject().subscription
  const plan = to === null || to === 'canceled' ? undefined : findPlan(to)
  return (
    <LiveRegion>
      {to === 'canceled' && <Message tone="neutral">{t('billing.cancel.unfinished')}</Message>}
      {plan && (
        <Message tone="neutral">
          {t('billing.change.unfinished', { plan: t(plan.titleKey) })}
        </Message>
      )}
    </LiveRegion>
  )
}

/** Says when and why a canceled project ended, as its activity has it. Only for administrators. */
export function useCancellation() {
  const t = useT()
  const format = useFormat()
  const { subscriptionId, isAdmin } = useProject()
  const input = { subscriptionId, area: 'project', ...firstPage } as const
  const { data, isLoading } = useCall('listActivity', input, { enabled: isAdmin })
  const end = data?.activity.find(({ kind }) => kind === 'projectCanceled')
  if (!end) return { isLoading, says: undefined }
  const date = format.date(end.created)
  const name = end.actor?.name
  if (end.details['because'] === 'unpaid')
    return { isLoading, says: t('billing.cancel.doneUnpaid', { date }) }
  const says = name
    ? t('billing.cancel.doneBy', { date, name })
    : t('billing.cancel.doneOn', { date })
  return { isLoading, says }
}

/** Leads from a canceled project to a new one with the same name and people. */
export function StartAgain() {
  const t = useT()
  const { subscriptionId, subscription } = useProject()
  return (
    <ButtonLink to={`${paths.createPlan}?again=${subscriptionId}`}>
      {t(subscription.people.length > 1 ? 'home.startAgain' : 'billing.overdue.again')}
    </ButtonLink>
  )
}
