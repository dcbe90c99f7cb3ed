import { useState } from 'react'
import { useLocation } from 'react-router'
import { CallForm } from '../../components/call-form.tsx'
import { ConfirmByTyping, confirmationOf } from '../../components/confirm-by-typing.tsx'
import { FormPage } from '../../components/form-page.tsx'
import { Message } from '../../components/message.tsx'
import { useT } from '../../i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { returnPath } from '../../return-path.ts'
import { KeepOnFree } from './keep-on-free.tsx'

const consequences = [
  'billing.cancel.atOnce',
  'billing.cancel.members',
  'billing.cancel.invites',
] as const
const ofPaid = ['billing.cancel.noRefund', ...consequences] as const

export function CancelSubscription() {
  const t = useT()
  const { subscriptionId, plan, name, isActive, pathTo } = useProject()
  const [isConfirmed, setConfirmed] = useState(false)
  const [isDone, setDone] = useState(false)
  // After the cancellation no plan can be kept.
  const [isSent, setSent] = useState(false)
  const back = returnPath(useLocation().search, pathTo('billing'))

  function input(values: FormData) {
    setSent(true)
    return { subscriptionId, confirmationId: confirmationOf(values) }
  }

  return (
    <FormPage title="billing.cancel.title" above={<KeepOnFree isOpen={isActive && !isSent} />}>
      <CallForm
        call="cancelSubscription"
        input={input}
        submit="billing.cancel.title"
        failed="billing.cancel.failed"
        onDone={() => setDone(true)}
        onRefused={() => setSent(false)}
        // Waits until this screen knows: other screens would report the cancellation as news.
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
          {(plan.free ? consequences : ofPaid).map((key) => (
            <li key={key}>{t(key)}</li>
          ))}
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
