import { paths } from '#contract/paths.ts'
import { useState } from 'react'
import { useCall } from '../../api/queries.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { CallForm } from '../../components/call-form.tsx'
import { Card } from '../../components/card.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { TextField, textOf } from '../../components/fields.tsx'
import { useProject } from '../../layouts/use-project.ts'
import { useFormat } from '../../platform/format.ts'
import { useT } from '../../platform/i18n.ts'
import { toast } from '../../platform/toasts.ts'

/** Whether the project asks for two-step sign-in, which its owner decides. */
export function SecondFactor() {
  const t = useT()
  const format = useFormat()
  const { subscriptionId, subscription, isActive, isOwner } = useProject()
  const factors = useCall('listFactors', {})
  const without = useCall('getSubscriptionUsers', {
    subscriptionId,
    hasSecondFactor: false,
    status: 'active',
  })
  const [isStopping, setStopping] = useState(false)
  const from = subscription.second_factor_from
  if (!isActive || !factors.data || (from === null && !isOwner)) return null
  // A device's clock may be behind the server's.
  const isInForce = from !== null && from * 1000 - factors.dataUpdatedAt < 60_000
  const state = isInForce ? 'on' : from === null ? 'off' : 'later'
  const date = from === null ? '' : format.dateTime(from)
  const count = without.data?.total ?? 0
  return (
    <Card title={t('project.secondFactor.title')}>
      <div className="grid gap-4">
        <div className="text-soft">
          <p>{t(`project.secondFactor.${state}`, { date })}</p>
          {count > 0 && <p>{t('project.secondFactor.without', { count })}</p>}
        </div>
        {isOwner && factors.data.factors.length === 0 && (
          <>
            <p>{t('project.secondFactor.ownFirst')}</p>
            <ButtonLink to={paths.profile} className="justify-self-start">
              {t('project.shut.setUp')}
            </ButtonLink>
          </>
        )}
        {isOwner && factors.data.factors.length > 0 && !isInForce && <Ask key={from} />}
        {isOwner && from !== null && (
          <Button className="justify-self-start" onClick={() => setStopping(true)}>
            {t('project.secondFactor.stop')}
          </Button>
        )}
      </div>
      {isStopping && (
        <ConfirmDialog
          call="updateSubscriptionSecurity"
          title={t('project.secondFactor.stopTitle')}
          input={() => ({ subscriptionId, requireSecondFactor: false })}
          submit="project.secondFactor.stop"
          failed="project.secondFactor.failed"
          said={t('project.secondFactor.stopped')}
          onClose={() => setStopping(false)}
        >
          <p className="text-soft">{t('project.secondFactor.stopText')}</p>
        </ConfirmDialog>
      )}
    </Card>
  )
}

/** Without a date, the project asks at once. */
function Ask() {
  const t = useT()
  const [now] = useState(Date.now)
  const { subscriptionId, subscription } = useProject()
  const from = subscription.second_factor_from

  function input(values: FormData) {
    const day = textOf(values, 'from')
    return {
      subscriptionId,
      requireSecondFactor: true,
      ...(day && { from: new Date(`${day}T00:00`).getTime() / 1000 }),
    }
  }

  return (
    <CallForm
      call="updateSubscriptionSecurity"
      input={input}
      submit="project.secondFactor.ask"
      onDone={() => toast(t('project.secondFactor.asked'))}
      failed="project.secondFactor.failed"
    >
      <TextField
        name="from"
        type="date"
        label="project.secondFactor.from"
        hint="project.secondFactor.fromHint"
        min={dayOf(now)}
        defaultValue={from === null ? '' : dayOf(from * 1000)}
      />
    </CallForm>
  )
}

/** The day on this device's calendar, as a date field has it. */
function dayOf(time: number) {
  const at = new Date(time)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}
