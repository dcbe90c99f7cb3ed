import type { Plan } from '#config/plans.ts'
import { useState } from 'react'
import { useLocation } from 'react-router'
import type { CallError } from '../../api/post.ts'
import { useCall } from '../../api/queries.ts'
import { ButtonLink } from '../../components/button.tsx'
import { CallForm } from '../../components/call-form.tsx'
import { FormPage } from '../../components/form-page.tsx'
import { Card } from '../../components/card.tsx'
import { ConfirmByTyping, confirmationOf } from '../../components/confirm-by-typing.tsx'
import { Message, problemText } from '../../components/message.tsx'
import { useT } from '../../platform/i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { returnPath } from '../../platform/return-path.ts'
import { mayPass } from './change-problem.tsx'
import { freePlan } from './plans.ts'

export function CancelSubscription() {
  const t = useT()
  const { subscriptionId, plan, name, isActive, pathTo } = useProject()
  const [isConfirmed, setConfirmed] = useState(false)
  const [isDone, setDone] = useState(false)
  // Once the cancellation is sent, the user can't choose the free plan instead.
  const [isSent, setSent] = useState(false)
  const back = returnPath(useLocation().search, pathTo('billing'))

  function input(values: FormData) {
    setSent(true)
    return { subscriptionId, confirmationId: confirmationOf(values) }
  }

  const isOpen = isActive && !isSent
  const offer = freePlan && !plan.free && <KeepOnFree plan={freePlan} isOpen={isOpen} />
  return (
    <FormPage title="billing.cancel.title" above={offer}>
      <CallForm
        call="cancelSubscription"
        input={input}
        submit="billing.cancel.title"
        failed="billing.cancel.failed"
        onDone={() => setDone(true)}
        onRefused={() => setSent(false)}
        // Another screen would show the cancellation as news, so this one stays until it knows.
        then={isActive ? undefined : back}
        after={0}
        cancel={back}
        cancelLabel="billing.cancel.keep"
        disabled={!isConfirmed || isDone}
        danger
      >
        <Message tone="bad" title={t('billing.cancel.warningTitle')}>
          {t('billing.cancel.warning', { project: name })}
        </Message>
        <ul className="grid list-disc gap-1.5 ps-5 text-soft">
          {!plan.free && <li>{t('billing.cancel.noRefund')}</li>}
          <li>{t('billing.cancel.atOnce')}</li>
          <li>{t('billing.cancel.members')}</li>
          <li>{t('billing.cancel.invites')}</li>
        </ul>
        <ConfirmByTyping
          id={subscriptionId}
          title="project.id"
          label="billing.cancel.typeId"
          onMatch={setConfirmed}
        />
      </CallForm>
    </FormPage>
  )
}

type KeepOnFreeProps = { plan: Plan; isOpen: boolean }

/** Offers the free plan instead of a cancellation, or says why the project can't have it. */
function KeepOnFree({ plan: { id: planId, titleKey, seats }, isOpen }: KeepOnFreeProps) {
  const t = useT()
  const { subscriptionId, pathTo } = useProject()
  const asked = { subscriptionId, planId }
  const { data, error } = useCall('previewPlanChange', asked, { enabled: isOpen })
  // A refusal stays while the app asks again, so that no link changes under the pointer.
  const [hindrance, setHindrance] = useState<CallError>()
  const refusal = error && !mayPass(error) ? error : undefined
  const known = data || error ? refusal : hindrance
  if (known !== hindrance) setHindrance(known)
  const plan = t(titleKey)
  return (
    <Card title={t('billing.cancel.keepFree', { plan })}>
      <div className="grid justify-items-start gap-4">
        <div>
          <p className="text-soft">{t('billing.cancel.keepFreeText', { seats })}</p>
          {hindrance && <p className="mt-1.5 font-medium text-warn">{problemText(hindrance, t)}</p>}
        </div>
        {hindrance?.reason === 'tooManyMembers' ? (
          <ButtonLink key="users" to={pathTo('users')} className="max-sm:w-full">
            {t('billing.change.makeRoom')}
          </ButtonLink>
        ) : (
          <ButtonLink
            key="plan"
            to={`${pathTo('changePlan')}?plan=${planId}`}
            disabled={!isOpen || hindrance !== undefined}
            className="max-sm:w-full"
          >
            {t('billing.change.submit', { plan })}
          </ButtonLink>
        )}
      </div>
    </Card>
  )
}
