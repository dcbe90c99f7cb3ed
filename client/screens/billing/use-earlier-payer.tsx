import { useEffect, useEffectEvent, useId, useState, type ReactNode } from 'react'
import type { PayerPlace } from '#contract/entities.ts'
import { useCall } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { Select } from '../../components/fields.tsx'
import { LiveProblem } from '../../components/message.tsx'
import { projectTitle } from '../../layouts/use-project.ts'
import { useT } from '../../platform/i18n.ts'

/** Offers the payers of the user's own projects for another one. Never without the choice. */
export function useEarlierPayer(onAddress: (address: Required<PayerPlace>) => void) {
  const t = useT()
  const id = useId()
  const { user } = useSession()
  const [from, setFrom] = useState('')
  const { data } = useCall('listSubscriptions', {})
  const own = data?.subscriptions.filter(
    ({ owner_id: owner, price }) => owner === user.uid && price !== null,
  )
  const input = { subscriptionId: from }
  const { data: known, error } = useCall('getBillingDetails', input, { enabled: from !== '' })
  const tellAddress = useEffectEvent(onAddress)
  useEffect(() => {
    if (known) tellAddress(known.address)
  }, [known])

  const choice: ReactNode = own && own.length > 0 && (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-small font-strong">
        {t('billing.earlierPayer.label')}
      </label>
      <Select id={id} value={from} onChange={({ target }) => setFrom(target.value)}>
        <option value="">{t('billing.earlierPayer.new')}</option>
        {own.map((project) => (
          <option key={project.id} value={project.id}>
            {t('billing.earlierPayer.asFor', { project: projectTitle(project, t) })}
          </option>
        ))}
      </Select>
      <LiveProblem error={error} failed="billing.details.loadFailed" />
    </div>
  )
  return { choice, known }
}
