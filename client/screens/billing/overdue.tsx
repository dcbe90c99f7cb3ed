import type { Invoice, PaymentState } from '#contract/entities.ts'
import { useCall } from '../../api/queries.tsx'
import { Badge } from '../../components/badge.tsx'
import { Card } from '../../components/card.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { firstPage } from '../../components/use-pages.ts'
import { useFormat } from '../../platform/format.ts'
import { useT } from '../../platform/i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { PayNow } from './pay-now.tsx'

/** What is overdue and what happens next. The owner can pay it. */
export function Overdue({ onPaid }: { onPaid: () => void }) {
  const t = useT()
  const { subscriptionId, subscription, isOwner } = useProject()
  const isRefused = subscription.payment === 'past_due'
  const invoices = useCall('listInvoices', { subscriptionId, ...firstPage })
  const found = (status: Invoice['status']) =>
    invoices.data?.invoices.find((invoice) => invoice.status === status)
  // An invoice that can't be finalized stays a draft.
  const owing = found('open') ?? found('draft')
  const owed = useCall('previewPayment', { subscriptionId }, { enabled: isOwner })
  return (
    <Card
      title={t('billing.overdue.title')}
      action={
        <Badge tone="warn">
          {t(isRefused ? 'billing.overdue.notPaid' : 'billing.overdue.notConfirmed')}
        </Badge>
      }
    >
      <div className="grid gap-5">
        {invoices.isLoading || owed.isLoading ? (
          <Skeleton
            className="grid h-17 content-evenly"
            bones={['h-4 w-3/5', 'h-3.5 w-2/5', 'h-3.5 w-4/5']}
          />
        ) : (
          <Owed invoice={owing} due={owed.data?.owed?.due} />
        )}
        {isOwner ? (
          <PayNow owed={owed.data?.owed} onPaid={onPaid} />
        ) : (
          <p className="text-soft">{t('billing.overdue.ownerPays')}</p>
        )}
      </div>
    </Card>
  )
}

type OwedProps = { invoice: Invoice | undefined; due: number | undefined }

/** Credit may have paid some of the invoice, which the owner reads. */
function Owed({ invoice, due = invoice?.total }: OwedProps) {
  const t = useT()
  const format = useFormat()
  const { subscription } = useProject()
  const next = invoice?.next_payment_attempt
  return (
    <div className="grid gap-1">
      {invoice && due !== undefined && (
        <p className="text-lead font-semibold tabular-nums">
          {t('billing.overdue.owed', {
            amount: format.money(due, invoice.currency),
            date: format.date(invoice.created),
          })}
        </p>
      )}
      <p className="text-soft">{t(whyNotPaid(invoice, subscription.payment))}</p>
      {invoice?.status === 'open' && (
        <p className="text-soft">
          {next
            ? t('billing.overdue.nextTry', { date: format.date(next) })
            : t('billing.overdue.noNextTry')}
        </p>
      )}
    </div>
  )
}

function whyNotPaid(invoice: Invoice | undefined, payment: PaymentState) {
  if (invoice?.status === 'draft') return 'errors.taxLocationInvalid'
  return payment === 'past_due' ? 'billing.overdue.refused' : 'billing.overdue.unconfirmed'
}
