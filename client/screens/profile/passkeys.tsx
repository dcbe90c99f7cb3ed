import { deviceName } from '#contract/device.ts'
import { useRef } from 'react'
import { useAction } from '../../api/call.ts'
import { awaitReload, useCall } from '../../api/queries.ts'
import { LiveProblem } from '../../components/message.tsx'
import { useT } from '../../platform/i18n.ts'
import { offersPasskeys } from '../../platform/runtime.ts'
import { toast } from '../../platform/toasts.ts'
import { FactorCard } from './factor-list.tsx'

/** The user's passkeys. Where none can be made, those that there are can still be removed. */
export function Passkeys() {
  const t = useT()
  const { data, error, refetch } = useCall('listFactors', {})
  const start = useAction('startFactorEnrollment')
  const finish = useAction('finishFactorEnrollment')
  const list = useRef<HTMLUListElement>(null)
  const passkeys = data?.factors.filter(({ type }) => type === 'passkey')
  const isOffered = offersPasskeys && error?.reason !== 'auth/factor-not-offered'
  if (!isOffered && !passkeys?.length) return null

  const reload = () => awaitReload(refetch)

  async function add() {
    finish.reset()
    const displayName = deviceName(navigator.userAgent, t) ?? t('profile.passkeys.defaultName')
    const begun = await start.run({ type: 'passkey', displayName })
    if (!begun) return
    const added = await finish.run(async () => {
      const { makePasskey } = await import('../../api/passkeys.ts')
      return { enrollmentId: begun.enrollmentId, credential: await makePasskey(begun.options!) }
    }, reload)
    if (added) toast(t('profile.twoStep.done', { name: displayName }))
  }

  return (
    <FactorCard
      ref={list}
      of="passkeys"
      factors={passkeys}
      text={t('profile.passkeys.text')}
      onAdd={isOffered ? () => void add() : undefined}
      isAdding={start.busy || finish.busy}
      problem={
        <LiveProblem
          error={start.error ?? finish.error}
          failed="profile.passkeys.addFailed"
          className="px-inset pb-4"
        />
      }
      removeText={t('profile.passkeys.removeText')}
    />
  )
}
