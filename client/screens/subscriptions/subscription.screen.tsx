import { plans, type Plan } from '#config/plans.ts'
import { priceWords } from '#contract/price-words.ts'
import { nearestPrice, perDay } from '#contract/prices.ts'
import { ButtonLink } from '../../components/button.tsx'
import { classes } from '../../components/classes.ts'
import { CopyId } from '../../components/copy-id.tsx'
import { Message } from '../../components/message.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { Bone } from '../../components/skeleton.tsx'
import { missingPayment } from '../../layouts/needs-user.ts'
import { useProject } from '../../layouts/use-project.ts'
import { sentences } from '../../platform/format.ts'
import { useT } from '../../platform/i18n.ts'
import { StartAgain, useCancellation } from '../billing/planned.tsx'
import { FirstSteps, LatestActivity } from './activity-and-steps.tsx'
import { HomeCard, inColumns, inNarrowColumns } from './home-card.tsx'
import { NextPaymentCard } from './next-payment-card.tsx'
import { PeopleCard } from './people-card.tsx'
import { MainBadge } from './status-badge.tsx'
import { PlanFeatures } from '../../components/plan-grid.tsx'
import { UsageMeters } from '../../layouts/usage.tsx'
import { PlanLine } from '../billing/plan-line.tsx'
import { SeatsTaken } from '../members/seats.tsx'

export function ProjectDashboard() {
  const t = useT()
  const { user, subscriptionId, subscription, plan, name, isActive, isAdmin, isOwner } =
    useProject()
  const missing = missingPayment(subscription, user.uid)
  const isCharged = isActive && isAdmin && (missing !== undefined || subscription.renews !== null)
  return (
    <>
      <PageTitle title={name}>
        <div className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-small text-soft">
          <MainBadge project={subscription} />
          <span className="flex flex-wrap items-center gap-x-2">
            {t('project.id')}
            <CopyId id={subscriptionId} />
          </span>
        </div>
      </PageTitle>
      {!isActive && <CanceledMessage />}
      <FirstSteps />
      <div className="@container">
        <div className={classes('grid gap-5', isAdmin && '@min-[75rem]:grid-cols-2')}>
          <div className="grid gap-5">
            <div className={classes('grid gap-5', inColumns)}>
              {isCharged && <NextPaymentCard missing={missing} />}
              {!isCharged && isActive && isOwner && plan.free && <UpgradeCard />}
              <PeopleCard />
            </div>
            <PlanCard />
          </div>
          {isAdmin && <LatestActivity />}
        </div>
      </div>
    </>
  )
}

/** Administrators also read when and why. */
function CanceledMessage() {
  const t = useT()
  const { isAdmin } = useProject()
  const { isLoading, says } = useCancellation()
  return (
    <Message
      tone="neutral"
      action={isAdmin && <StartAgain />}
      title={
        isLoading ? (
          <Bone className="my-auto h-5 w-60 animate-late" />
        ) : (
          (says ?? t('home.canceledTitle'))
        )
      }
    >
      {sentences(t, t('billing.cancel.nothingMore'), t('home.canceled'))}
    </Message>
  )
}

function PlanCard() {
  const t = useT()
  const { plan, isActive, isOwner, pathTo } = useProject()
  return (
    <HomeCard
      title={t('project.plan')}
      link={
        // Beside a free plan, another card leads to all plans.
        isOwner &&
        isActive &&
        !plan.free && { to: pathTo('changePlan'), says: t('billing.overview.changePlan') }
      }
    >
      <div className="grid gap-4">
        <div className={classes('grid items-center gap-5', inNarrowColumns)}>
          <PlanLine look="text-title" />
          {isActive && <SeatsTaken />}
          {isActive && <UsageMeters />}
        </div>
        <div>
          <h3 className="mb-2.5 text-small font-strong">{t('project.features')}</h3>
          <PlanFeatures
            plan={plan}
            isOver={!isActive}
            className={classes(inNarrowColumns, 'gap-x-5')}
          />
        </div>
      </div>
    </HomeCard>
  )
}

const sold: readonly Plan[] = plans.filter((plan: Plan) => !plan.legacy && !plan.free)

/** Tells the owner of a free project what the next plan gives. Empty if no plan costs anything. */
function UpgradeCard() {
  const t = useT()
  const { subscription, pathTo } = useProject()
  const [cheapest] = sold
    .map((plan) => ({ plan, price: nearestPrice(plan, null, subscription.currency) }))
    .toSorted((one, other) => perDay(one.price) - perDay(other.price))
  if (!cheapest) return null
  const { plan, price } = cheapest
  const words = { plan: t(plan.titleKey), seats: plan.seats, price: priceWords(price, t) }
  return (
    <HomeCard title={t('home.payment.title')}>
      <div className="flex h-full flex-col gap-4">
        <p className="text-title">{t('home.payment.none')}</p>
        <p className="text-soft">{t('home.payment.upgradeHint', words)}</p>
        <p className="mt-auto">
          <ButtonLink to={pathTo('changePlan')}>{t('home.payment.upgrade')}</ButtonLink>
        </p>
      </div>
    </HomeCard>
  )
}
