import type { ProjectPathName } from '#contract/paths.ts'
import { projectPath } from '#contract/paths.ts'
import type { MessageKey } from '#locales/keys.ts'
import { ButtonLink } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { useT } from '../../i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { useBillingAccess } from './use-billing-access.ts'

const actions = [
  ['updateBillingDetails', 'billing.overview.updateDetails', 'billing.overview.updateDetailsHint'],
  ['managePaymentMethods', 'billing.overview.manageCards', 'billing.overview.manageCardsHint'],
  ['changePlan', 'billing.overview.changePlan', 'billing.overview.changePlanHint'],
  ['transferOwnership', 'billing.overview.transfer', 'billing.overview.transferHint'],
] as const satisfies [ProjectPathName, MessageKey, MessageKey][]

/** What the owner may do. Everybody else is told why not, once for all of it. */
export function BillingActions({ reasonId }: { reasonId: string }) {
  const t = useT()
  const { subscription } = useProject()
  const reason = useBillingAccess()
  return (
    <Card title={t('billing.overview.manage')} className="print:hidden" flush>
      <fieldset className="min-w-0" aria-label={t('billing.overview.manage')} aria-describedby={reason && reasonId}>
        {reason && (
          <p id={reasonId} className="border-b border-line bg-sunken px-4 py-3 font-medium text-soft sm:px-5">
            {t(`errors.${reason}`)}
          </p>
        )}
        <ul className="divide-y divide-line">
          {actions.map(([name, label, hint]) => (
            <li key={name} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3 sm:px-5">
              <p className="min-w-0 flex-1 basis-64 text-soft">{t(hint)}</p>
              <ButtonLink to={projectPath(name, subscription.id)} disabled={reason !== undefined} className="max-sm:w-full sm:min-w-64">
                {t(label)}
              </ButtonLink>
            </li>
          ))}
        </ul>
      </fieldset>
    </Card>
  )
}
