import type { Invoice, InvoiceStatus } from '#contract/entities.ts'
import { ExternalLink } from 'lucide-react'
import { Badge } from '../../components/badge.tsx'
import { CopyId } from '../../components/copy-id.tsx'
import { rowLink, type Column } from '../../components/table.tsx'
import { useFormat } from '../../format.ts'
import { useT } from '../../i18n.ts'

const tones = {
  draft: 'neutral',
  open: 'warn',
  paid: 'good',
  uncollectible: 'bad',
  void: 'neutral',
} as const satisfies Record<InvoiceStatus, string>

export function useInvoiceColumns(): Column<Invoice>[] {
  const t = useT()
  const format = useFormat()
  return [
    {
      key: 'number',
      title: t('billing.number'),
      cell: ({ number }) =>
        number ? (
          <CopyId
            id={number}
            label={t('billing.copyNumber', { number })}
            className="relative z-1"
          />
        ) : (
          <span className="font-medium">{t('billing.numberPending')}</span>
        ),
    },
    {
      key: 'date',
      title: t('billing.date'),
      cell: ({ created }) => <span className="text-soft tabular-nums">{format.date(created)}</span>,
    },
    {
      key: 'amount',
      title: t('billing.amount'),
      end: true,
      cell: ({ total, currency }) => format.money(total, currency),
    },
    {
      key: 'status',
      title: t('billing.status'),
      cell: (invoice) => <InvoiceState {...invoice} />,
    },
    {
      key: 'open',
      title: t('billing.view'),
      unnamed: true,
      end: true,
      cell: ({ hosted_invoice_url: url, invoice_pdf: pdf, number }) => (
        <span className="inline-flex items-center gap-5">
          {url && (
            <a
              href={url}
              target="_blank"
              rel="noreferrer"
              className={rowLink}
              aria-label={number ? t('billing.openInvoice', { number }) : t('billing.openPending')}
            >
              <span className="inline-flex items-center gap-1.5">
                {t('billing.view')}
                <ExternalLink aria-hidden className="size-3.5" />
              </span>
            </a>
          )}
          {pdf && (
            <a
              href={pdf}
              target="_blank"
              rel="noreferrer"
              className="relative rounded-control font-medium text-accent-ink underline-offset-3 hover:underline"
              aria-label={
                number
                  ? t('billing.overview.openPdf', { number })
                  : t('billing.overview.openPendingPdf')
              }
            >
              {t('billing.overview.pdf')}
            </a>
          )}
        </span>
      ),
    },
  ]
}

/** The status of an invoice, and refunds and disputes. */
function InvoiceState({ status, currency, amount_paid, amount_refunded, dispute }: Invoice) {
  const t = useT()
  const format = useFormat()
  return (
    <span className="inline-flex flex-wrap gap-1.5">
      <Badge tone={tones[status]} dot>
        {t(`billing.statuses.${status}`)}
      </Badge>
      {amount_refunded > 0 && (
        <Badge>
          {amount_refunded < amount_paid
            ? t('billing.refundedPart', { amount: format.money(amount_refunded, currency) })
            : t('billing.refunded')}
        </Badge>
      )}
      {dispute !== null && dispute !== 'won' && (
        <Badge tone="bad">{t(`billing.disputes.${dispute}`)}</Badge>
      )}
    </span>
  )
}
