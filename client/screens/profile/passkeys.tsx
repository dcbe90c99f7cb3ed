import { deviceName } from '#contract/device.ts'
import { useId, useRef } from 'react'
import { useAction } from '../../api/call.ts'
import { useCall } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { LiveRegion, Problem } from '../../components/message.tsx'
import { TableSkeleton } from '../../components/table.tsx'
import { useT } from '../../platform/i18n.ts'
import { offersPasskeys } from '../../platform/runtime.ts'
import { toast } from '../../platform/toasts.ts'
import { FactorList } from './factor-list.tsx'

/** The user's passkeys. Where none can be made, those that there are can still be removed. */
export function Passkeys() {
  const t = useT()
  const { data, error, refetch } = useCall('listFactors', {})
  const { emailVerified, claimed } = useSession().user
  const start = useAction('startFactorEnrollment')
  const finish = useAction('finishFactorEnrollment')
  const list = useRef<HTMLUListElement>(null)
  const noteId = useId()
  const passkeys = data?.factors.filter(({ type }) => type === 'passkey') ?? []
  const isOffered = offersPasskeys && error?.reason !== 'auth/factor-not-offered'
  if (!isOffered && passkeys.length === 0) return null

  // Waits for the reload that the change has already started.
  const reload = () => refetch({ cancelRefetch: false })

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
    <Card
      title={t('profile.passkeys.title')}
      flush
      action={
        data &&
        isOffered && (
          <Button
            onClick={() => void add()}
            busy={start.busy || finish.busy}
            disabled={!claimed}
            aria-describedby={claimed ? undefined : noteId}
          >
            {t('profile.passkeys.add')}
          </Button>
        )
      }
    >
      <div className="px-inset py-3 text-soft">
        <p>{t('profile.passkeys.text')}</p>
        {!claimed && (
          <p id={noteId}>{t(emailVerified ? 'errors.claimRequired' : 'errors.emailNotVerified')}</p>
        )}
      </div>
      <LiveRegion className="px-inset pb-4">
        <Problem error={error} failed="profile.passkeys.loadFailed" retry={refetch} />
        <Problem error={start.error ?? finish.error} failed="profile.passkeys.addFailed" />
      </LiveRegion>
      {!data && !error && <TableSkeleton />}
      <FactorList
        ref={list}
        of="passkeys"
        factors={passkeys}
        removeText={t('profile.passkeys.removeText')}
        reload={reload}
      />
    </Card>
  )
}
