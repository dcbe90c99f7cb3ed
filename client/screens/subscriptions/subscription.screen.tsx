import { paths } from '#contract/paths.ts'
import { useSession } from '../../api/session.ts'
import { ButtonLink } from '../../components/button.tsx'
import { CopyId } from '../../components/copy-id.tsx'
import { Message } from '../../components/message.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { Bone } from '../../components/skeleton.tsx'
import { missingPayment } from '../../layouts/needs-user.ts'
import { useProject } from '../../layouts/use-project.ts'
import { useT } from '../../platform/i18n.ts'
import { useCancellation } from '../billing/use-cancellation.ts'
import { ActivityAndSteps } from './activity-and-steps.tsx'
import { HomeGrid } from './home-card.tsx'
import { NextPaymentCard } from './next-payment-card.tsx'
import { PeopleCard } from './people-card.tsx'
import { PlanCard } from './plan-card.tsx'
import { EndBadge, PaymentBadge, StatusBadge } from './status-badge.tsx'
import { UpgradeCard } from './upgrade-card.tsx'

export function ProjectDashboard() {
  const t = useT()
  const { subscriptionId, subscription, plan, name, isActive, isAdmin, isOwner } = useProject()
  const { user } = useSession()
  const missing = missingPayment(subscription, user.uid)
  const isCharged = subscription.renews !== null
  const payment =
    isActive && isAdmin && (missing || isCharged) ? (
      <NextPaymentCard missing={missing} />
    ) : (
      isActive && isOwner && plan.free && <UpgradeCard />
    )
  return (
    <>
      <PageTitle title={name}>
        <div className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-small text-soft">
          <span className="flex flex-wrap gap-1.5">
            <StatusBadge status={subscription.status} />
            <PaymentBadge project={subscription} />
            <EndBadge project={subscription} />
          </span>
          <span className="flex flex-wrap items-center gap-x-2">
            {t('project.id')}
            <CopyId id={subscriptionId} />
          </span>
        </div>
      </PageTitle>
      {!isActive && <CanceledMessage />}
      <HomeGrid>
        {missing && payment}
        <PlanCard className={payment ? besideTwo : undefined} />
        {!missing && payment}
        <PeopleCard />
      </HomeGrid>
      {isAdmin && <ActivityAndSteps />}
    </>
  )
}

/** Where only two of three cards have room in a row, the others stand one above the other. */
const besideTwo = '@max-[47.5rem]:row-span-2'

/** Administrators also read when and why. */
function CanceledMessage() {
  const t = useT()
  const { subscriptionId, isAdmin } = useProject()
  const { isLoading, says } = useCancellation()
  return (
    <Message
      tone="neutral"
      action={
        isAdmin && (
          <ButtonLink to={`${paths.createPlan}?again=${subscriptionId}`}>
            {t('home.startAgain')}
          </ButtonLink>
        )
      }
      title={
        isLoading ? (
          <Bone className="my-auto h-5 w-60 animate-late" />
        ) : (
          (says ?? t('home.canceledTitle'))
        )
      }
    >
      {t('common.sentences', {
        first: t('billing.cancel.nothingMore'),
        second: t('home.canceled'),
      })}
    </Message>
  )
}
