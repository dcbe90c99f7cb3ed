import { projectPath } from '#contract/paths.ts'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { CallForm } from '../../components/call-form.tsx'
import { CopyId } from '../../components/copy-id.tsx'
import { FormPage } from '../../components/form-page.tsx'
import { Message } from '../../components/message.tsx'
import { TextField } from '../../components/text-field.tsx'
import { useT } from '../../i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { returnPath } from '../../return-path.ts'

const consequences = ['billing.cancel.atOnce', 'billing.cancel.members', 'billing.cancel.invites'] as const
const ofPaid = ['billing.cancel.noRefund', ...consequences] as const

export function CancelSubscription() {
  const t = useT()
  const navigate = useNavigate()
  const { subscription, plan, name } = useProject()
  const [typed, setTyped] = useState('')
  const { id: subscriptionId } = subscription
  const confirmationId = typed.trim()
  const back = returnPath(useLocation().search, projectPath('billing', subscriptionId))
  return (
    <FormPage title="billing.cancel.title">
      <CallForm
        call="cancelSubscription"
        input={() => ({ subscriptionId, confirmationId })}
        submit="billing.cancel.title"
        failed="billing.cancel.failed"
        onDone={() => navigate(back)}
        cancel={back}
        cancelLabel="billing.cancel.keep"
        disabled={confirmationId !== subscriptionId}
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
        <div>
          <p className="text-small font-strong">{t('project.id')}</p>
          <CopyId id={subscriptionId} />
        </div>
        <TextField
          name="confirmationId"
          data-secret
          label="billing.cancel.typeId"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          className="id-text"
          required
        />
      </CallForm>
    </FormPage>
  )
}
