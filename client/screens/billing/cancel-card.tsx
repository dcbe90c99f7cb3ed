import { ButtonLink } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { useT } from '../../i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { useBillingAccess } from './use-billing-access.ts'

/** The element `reasonId` says why the user can't cancel. */
export function CancelCard({ reasonId }: { reasonId: string }) {
  const t = useT()
  const { pathTo } = useProject()
  const reason = useBillingAccess()
  return (
    <Card title={t('billing.cancel.title')} className="print:hidden">
      <fieldset
        aria-label={t('billing.cancel.title')}
        aria-describedby={reason && reasonId}
        className="flex min-w-0 flex-wrap items-center justify-between gap-x-4 gap-y-3"
      >
        <p className="min-w-0 flex-1 basis-64 text-soft">{t('billing.cancel.hint')}</p>
        <ButtonLink
          variant="danger"
          to={pathTo('cancelSubscription')}
          disabled={reason !== undefined}
          className="max-sm:w-full"
        >
          {t('billing.cancel.title')}
        </ButtonLink>
      </fieldset>
    </Card>
  )
}
