import { paths, projectPath } from '#contract/paths.ts'
import type { MessageKey } from '#locales/keys.ts'
import { useEffect, useEffectEvent, useState } from 'react'
import { matchPath, useLocation, useParams } from 'react-router'
import { useCall } from '../api/queries.ts'
import { useSession } from '../api/session.ts'
import { TextLink } from '../components/button.tsx'
import { Message } from '../components/message.tsx'
import { TitleOf } from '../components/page-title.tsx'
import { sentences, useFormat } from '../platform/format.ts'
import { useT } from '../platform/i18n.ts'
import { forget, remember, remembered } from '../platform/storage.ts'
import { toast } from '../platform/toasts.ts'
import { AccessDenied, ShutProject } from './no-access.tsx'
import { LeadAway, News, Notice } from './news.tsx'
import { useRememberProject } from './project-switcher.tsx'
import { Shell } from './shell.tsx'
import { ProjectProvider, projectTitle, useProject } from './use-project.ts'

/** Timers take no more. Until then the tab reads the project again anyway. */
const longest = 24 * 24 * 3_600_000

/**
 * The frame of one project, which it loads for the screens inside. Users who are removed while it
 * is open, or who can't load it, go to the dashboard, which says why.
 */
export function SubscriptionLayout() {
  const t = useT()
  const { id } = useParams()
  const { user } = useSession()
  const { data, error, isFetching, refetch } = useCall('getSubscription', { subscriptionId: id! })
  const isDenied = error?.reason === 'accessDenied'
  useRememberProject(user.uid, data && !error ? id : undefined)
  const asksFrom = data?.subscription.second_factor_from
  useEffect(() => {
    const left = asksFrom ? asksFrom * 1000 - Date.now() : 0
    if (left <= 0 || left > longest) return undefined
    const timer = setTimeout(() => void refetch(), left)
    return () => clearTimeout(timer)
  }, [asksFrom, refetch])
  if (error?.reason === 'factorRequired')
    return (
      <Shell>
        <ShutProject id={id!} />
      </Shell>
    )
  if (data && (isDenied || error?.reason === 'subscriptionNotFound')) {
    if (isFetching) return <Shell isLoading />
    const project = projectTitle(data.subscription, t)
    return <LeadAway news={{ tone: 'warn', says: 'live.removed', words: { project } }} />
  }
  if (data)
    return (
      <ProjectProvider key={id} value={data.subscription}>
        <TitleOf value={projectTitle(data.subscription, t)}>
          <Shell banner={<ProjectNotices />} />
        </TitleOf>
      </ProjectProvider>
    )
  if (isDenied)
    return (
      <Shell>
        <AccessDenied key={id} id={id!} />
      </Shell>
    )
  if (error)
    return (
      <LeadAway
        news={{ tone: 'bad', title: 'project.loadFailed', says: `errors.${error.reason}` }}
      />
    )
  return <Shell isLoading />
}

function ProjectNotices() {
  const t = useT()
  const canceled = useCanceled()
  useFirstTeammate()
  return (
    <>
      <LookOnlyBanner />
      <PaymentBanner />
      <SecondFactorBanner />
      <News />
      {canceled.isNews && (
        <Notice tone="warn" onDismiss={canceled.putAway}>
          {t('live.canceled')}
        </Notice>
      )}
    </>
  )
}

/** Tells an owner who was alone in the project who is the first to join. */
function useFirstTeammate() {
  const t = useT()
  const { user, subscriptionId, subscription, isActive, isOwner, pathTo } = useProject()
  const count = subscription.people.length
  const first = subscription.people.find(({ id }) => id !== user.uid)?.name
  const storageKey = `alone-${subscriptionId}`
  const greet = useEffectEvent((count: number, name = '') => {
    if (!isOwner || !isActive) return
    if (count === 1) return remember(storageKey, '')
    if (remembered(storageKey) === null) return
    forget(storageKey)
    if (count === 2)
      toast(t('home.people.first', { name }), { label: t('home.people.all'), to: pathTo('users') })
  })
  useEffect(() => greet(count, first), [count, first])
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

/** Tells everybody why they may only look, and until when. */
function LookOnlyBanner() {
  const t = useT()
  const format = useFormat()
  const { pathname } = useLocation()
  const { subscription, isAdmin } = useProject()
  const { id, status, look_only: lookOnly } = subscription
  if (status !== 'active' || !lookOnly) return null
  const { because, until } = lookOnly
  const ends = until && t('project.lookOnly.ends', { date: format.dateTime(until) })
  const says = sentences(t, t(`project.lookOnly.${because}`), ends)
  const billing = projectPath('billing', id)
  if (!isAdmin || pathname === billing) return <Banner says={says} />
  return <Banner says={says} to={billing} link="billing.overdue.toBilling" />
}

/** Tells administrators that a payment failed or will fail, except where the screen itself does. */
function PaymentBanner() {
  const t = useT()
  const format = useFormat()
  const { pathname } = useLocation()
  const { subscription, isActive, isAdmin, isOwner } = useProject()
  const { id, payment, renews, needs_card: needsCard } = subscription
  const home = projectPath('subscription', id)
  const billing = projectPath('billing', id)
  const cards = projectPath('managePaymentMethods', id)
  if (!isAdmin || !isActive || subscription.look_only) return null
  if (payment !== 'ok') {
    if (pathname === billing || pathname === home) return null
    const pastDue = isOwner ? 'billing.pastDueOwn' : 'billing.pastDue'
    const says = payment === 'past_due' ? pastDue : 'billing.actionRequired'
    return <Banner says={t(says)} to={billing} link="billing.overdue.toBilling" />
  }
  if (!needsCard || renews === null || pathname === cards) return null
  const date = format.billingDate(renews)
  if (!isOwner) return <Banner says={t('billing.ownerNeedsCard', { date })} />
  if (pathname === home) return null
  return (
    <Banner says={t('billing.needsCard', { date })} to={`${cards}?add`} link="billing.cards.add" />
  )
}

/** Tells those who have no second factor yet from when on they need one. */
function SecondFactorBanner() {
  const t = useT()
  const format = useFormat()
  const { subscription, isActive } = useProject()
  const { data } = useCall('getUser', {})
  const from = subscription.second_factor_from
  if (from === null || !isActive || data?.user.has_second_factor !== false) return null
  const says = t('project.secondFactor.later', { date: format.dateTime(from) })
  return <Banner says={says} to={paths.profile} link="project.shut.setUp" />
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
