import { paths, projectPath } from '#contract/paths.ts'
import type { MessageKey } from '#locales/keys.ts'
import { useState } from 'react'
import { matchPath, useLocation } from 'react-router'
import { Message } from '../components/message.tsx'
import { TextLink } from '../components/button.tsx'
import { useFormat, useT } from '../platform/i18n.ts'
import { News, Notice } from './news.tsx'
import { useProject } from './use-project.ts'

export function ProjectNotices() {
  const t = useT()
  const canceled = useCanceled()
  return (
    <>
      <PaymentBanner />
      <News />
      {canceled.isNews && (
        <Notice tone="warn" onDismiss={canceled.putAway}>
          {t('live.canceled')}
        </Notice>
      )}
    </>
  )
}

/** `isNews`: the project was canceled while it was open, but not on the cancellation screen. */
function useCanceled() {
  const { isActive } = useProject()
  const { pathname } = useLocation()
  const [{ wasActive, isNews }, setState] = useState({ wasActive: isActive, isNews: false })
  if (wasActive !== isActive)
    setState({
      wasActive: isActive,
      isNews: !isActive && !matchPath(paths.cancelSubscription, pathname),
    })
  return { isNews, putAway: () => setState({ wasActive, isNews: false }) }
}

/** Tells administrators that a payment failed or will fail, except where they fix it. */
function PaymentBanner() {
  const t = useT()
  const format = useFormat()
  const { pathname } = useLocation()
  const { subscription, isActive, isAdmin, isOwner } = useProject()
  const { id, payment, renews, needs_card: needsCard } = subscription
  const billing = projectPath('billing', id)
  const cards = projectPath('managePaymentMethods', id)
  if (!isAdmin || !isActive) return null
  if (payment !== 'ok') {
    if (pathname === billing) return null
    const says = payment === 'past_due' ? 'billing.pastDue' : 'billing.actionRequired'
    return <Banner says={t(says)} to={billing} link="billing.overdue.toBilling" />
  }
  if (!needsCard || renews === null || pathname === cards) return null
  const date = format.date(renews)
  if (!isOwner) return <Banner says={t('billing.ownerNeedsCard', { date })} />
  return (
    <Banner says={t('billing.needsCard', { date })} to={`${cards}?add`} link="billing.cards.add" />
  )
}

function Banner({ says, to, link }: { says: string; to?: string; link?: MessageKey }) {
  const t = useT()
  const action = to && link && (
    <TextLink to={to} className="underline">
      {t(link)}
    </TextLink>
  )
  return (
    <Message tone="warn" action={action}>
      {says}
    </Message>
  )
}
