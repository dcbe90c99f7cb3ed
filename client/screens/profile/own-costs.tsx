import { findPlan } from '#contract/access.ts'
import { nextCharge } from '#contract/next-charge.ts'
import { priceWords } from '#contract/price-words.ts'
import type { Price } from '#contract/prices.ts'
import { projectPath } from '#contract/paths.ts'
import { useCall } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { TextLink } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { projectTitle } from '../../layouts/use-project.ts'
import { useFormat } from '../../platform/format.ts'
import { useT } from '../../platform/i18n.ts'
import { ownPrice } from '../billing/plans.ts'

/** What the user's own projects cost, before tax, credit and discounts. Nothing without any. */
export function OwnCosts() {
  const t = useT()
  const format = useFormat()
  const { user } = useSession()
  const { data } = useCall('listSubscriptions', {})
  const paid = (data?.subscriptions ?? []).flatMap((project) => {
    const plan = findPlan(project.plan_id)
    const next = nextCharge(project)
    if (project.owner_id !== user.uid || !plan || next === undefined) return []
    return { project, next, price: ownPrice(project, plan) }
  })
  if (paid.length === 0) return null
  return (
    <Card title={t('profile.costs.title')} flush>
      <ul className="divide-y divide-line">
        {paid.map(({ project, next, price }) => (
          <li
            key={project.id}
            className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 px-inset py-3"
          >
            <TextLink to={projectPath('billing', project.id)} className="min-w-0 wrap-anywhere">
              {projectTitle(project, t)}
            </TextLink>
            <span className="text-soft tabular-nums">
              {t('frame.facts', { first: priceWords(price, t), second: format.billingDate(next) })}
            </span>
          </li>
        ))}
        <li className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 px-inset py-3 font-strong">
          {t('profile.costs.total')}
          <span className="tabular-nums">
            {format.list(totalsOf(paid.map(({ price }) => price)).map((sum) => priceWords(sum, t)))}
          </span>
        </li>
      </ul>
      <p className="border-t border-line px-inset py-3 text-small text-soft">
        {t('profile.costs.before')}
      </p>
    </Card>
  )
}

/** One sum for each currency and interval. */
function totalsOf(prices: Price[]): Price[] {
  const groups = Object.groupBy(prices, (price) =>
    [price.currency, price.frequency, price.every].join(' '),
  )
  return Object.values(groups).map((group) => ({
    ...group![0]!,
    amount: group!.reduce((sum, { amount }) => sum + amount, 0),
  }))
}
