import { billing } from '#config/billing.ts'
import { limits } from '#config/limits.ts'
import type { Plan } from '#config/plans.ts'
import type { Subscription } from '#contract/entities.ts'
import type { At } from '#contract/plan.ts'
import { cancelTiming, changeTiming, resolveAt } from '#contract/timing.ts'
import { useState } from 'react'
import { useLocation } from 'react-router'
import type { CallError } from '../../api/post.ts'
import { useCall } from '../../api/queries.ts'
import { ButtonLink } from '../../components/button.tsx'
import { CallForm } from '../../components/call-form.tsx'
import { FormPage } from '../../components/form-page.tsx'
import { Card } from '../../components/card.tsx'
import { ConfirmByTyping, confirmationOf } from '../../components/confirm-by-typing.tsx'
import { LiveProblem, Message, problemText } from '../../components/message.tsx'
import { Bone } from '../../components/skeleton.tsx'
import { useFormat } from '../../platform/format.ts'
import { useT } from '../../platform/i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { returnPath } from '../../platform/return-path.ts'
import { mayPass } from './change-problem.tsx'
import { PlannedCard, useTakesBack } from './planned.tsx'
import { freePlan } from './plans.ts'
import { When } from './when.tsx'

export function CancelSubscription() {
  const t = useT()
  const format = useFormat()
  const { subscriptionId, subscription, plan, name, isActive, pathTo } = useProject()
  const [chosen, setChosen] = useState<At>('periodEnd')
  const [isConfirmed, setConfirmed] = useState(false)
  const [isDone, setDone] = useState(false)
  // Once the cancellation is sent, the user can't choose the free plan instead, and what was asked
  // stays on screen.
  const [sent, setSent] = useState<Subscription>()
  const isOpen = isActive && !sent
  const { isKnown, rest, ...preview } = useRest(isOpen)
  const back = returnPath(useLocation().search, pathTo('billing'))
  const known = sent ?? subscription
  const timing = cancelTiming(known)
  const isSet = known.ends_by === 'owner'
  const takesBack = useTakesBack(known)
  const isChoice = timing === 'choice' && !isSet
  const at = isSet ? 'now' : isChoice ? chosen : resolveAt(timing, undefined)!
  const isNow = at === 'now'
  const words = { project: name, date: known.renews ? format.billingDate(known.renews) : '' }

  function input(values: FormData) {
    setSent(subscription)
    return {
      subscriptionId,
      confirmationId: isNow ? confirmationOf(values) : subscriptionId,
      ...(timing === 'choice' && { at }),
    }
  }

  function choose(at: At) {
    setChosen(at)
    setConfirmed(false)
  }

  const nowSubmit = isSet ? 'billing.cancel.endNow' : 'billing.cancel.title'
  return (
    <FormPage
      title="billing.cancel.title"
      above={
        <>
          {isSet && <PlannedCard />}
          {freePlan && !plan.free && <KeepOnFree plan={freePlan} isOpen={isOpen} />}
        </>
      }
    >
      <CallForm
        call="cancelSubscription"
        input={input}
        submit={isNow ? nowSubmit : 'billing.cancel.submitOn'}
        words={words}
        {...(!isNow && { done: 'billing.cancel.doneOnDate' as const })}
        failed="billing.cancel.failed"
        onDone={() => setDone(true)}
        onRefused={() => setSent(undefined)}
        // Another screen would show the cancellation as news, so this one stays until it knows.
        then={isNow && isActive ? undefined : back}
        after={isNow ? 0 : limits.screens.returnAfterSave}
        disabled={isDone || (isNow && !(isConfirmed && isKnown))}
        cancel={back}
        cancelLabel={isSet ? 'common.cancel' : 'billing.cancel.keep'}
        danger
      >
        {isChoice && (
          <When
            legend="billing.cancel.when"
            date={words.date}
            loss={rest}
            chosen={at}
            disabled={sent !== undefined}
            onChoose={choose}
          />
        )}
        <Message
          tone={isNow ? 'bad' : 'warn'}
          title={t(isNow ? 'billing.cancel.warningTitle' : 'billing.cancel.until', words)}
        >
          {t(isNow ? 'billing.cancel.warning' : 'billing.cancel.untilText', words)}
        </Message>
        <ul className="grid list-disc gap-1.5 ps-5 text-soft">
          {isNow && !isChoice && rest && <li>{rest}</li>}
          {isNow && <li>{t('billing.cancel.atOnce')}</li>}
          {!isNow && takesBack && <li>{takesBack}</li>}
          <li>{t('billing.cancel.members')}</li>
          <li>{t('billing.cancel.invites')}</li>
        </ul>
        {isNow && <LiveProblem {...preview} />}
        {isNow && (
          <ConfirmByTyping
            id={subscriptionId}
            title="project.id"
            label="billing.cancel.typeId"
            onMatch={setConfirmed}
          />
        )}
      </CallForm>
    </FormPage>
  )
}

/** What becomes of the rest of the paid time if the project ends today. */
function useRest(isOpen: boolean) {
  const t = useT()
  const format = useFormat()
  const { subscriptionId, plan } = useProject()
  const enabled = isOpen && billing.refundUnused && !plan.free
  const { data, error, refetch } = useCall('previewCancellation', { subscriptionId }, { enabled })
  const isKnown = plan.free || !billing.refundUnused || data !== undefined
  const says =
    data?.refund && data.currency
      ? t('billing.cancel.refund', { amount: format.money(data.refund, data.currency) })
      : t('billing.cancel.noRefund')
  const rest = isKnown ? !plan.free && says : <Bone className="my-1 h-3.5 w-48 animate-late" />
  return { isKnown, rest, error: isKnown ? null : error, retry: refetch }
}

type KeepOnFreeProps = { plan: Plan; isOpen: boolean }

/** Offers the free plan instead of a cancellation, or says why the project can't have it. */
function KeepOnFree({ plan: { id: planId, titleKey, seats }, isOpen }: KeepOnFreeProps) {
  const t = useT()
  const format = useFormat()
  const { subscriptionId, subscription, pathTo } = useProject()
  const asked = { subscriptionId, planId }
  const { data, error } = useCall('previewPlanChange', asked, { enabled: isOpen })
  // A refusal stays while the app asks again, so that no link changes under the pointer.
  const [hindrance, setHindrance] = useState<CallError>()
  const refusal = error && !mayPass(error) ? error : undefined
  const known = data || error ? refusal : hindrance
  if (known !== hindrance) setHindrance(known)
  const isFull = hindrance?.reason === 'tooManyMembers'
  const plan = t(titleKey)
  const isLater = changeTiming(subscription, null) !== 'now'
  const later = isLater && subscription.renews ? format.billingDate(subscription.renews) : ''
  return (
    <Card title={t('billing.cancel.keepFree', { plan })}>
      <div className="grid justify-items-start gap-4">
        <div>
          <p className="text-soft">
            {t(later ? 'billing.cancel.keepFreeLater' : 'billing.cancel.keepFreeText', {
              seats,
              date: later,
            })}
          </p>
          {hindrance && <p className="mt-1.5 font-medium text-warn">{problemText(hindrance, t)}</p>}
        </div>
        <ButtonLink
          key={isFull ? 'users' : 'plan'}
          to={isFull ? pathTo('users') : `${pathTo('changePlan')}?plan=${planId}`}
          disabled={!isFull && (!isOpen || hindrance !== undefined)}
          className="max-sm:w-full"
        >
          {t(isFull ? 'billing.change.makeRoom' : 'billing.change.submit', { plan })}
        </ButtonLink>
      </div>
    </Card>
  )
}
