import type { Invoice, InvoiceStatus } from '#contract/entities.ts'
import { decimalOf } from '#contract/money.ts'
import { ExternalLink, ReceiptText } from 'lucide-react'
import { useState } from 'react'
import { usePagedCall, listAll } from '../../api/queries.ts'
import { Badge, Card, EmptyState } from '../../components/card.tsx'
import { CopyId } from '../../components/copy-id.tsx'
import { Pagination, rowLink, Table, TableSkeleton, type Column } from '../../components/table.tsx'
import { Problem, LiveProblem } from '../../components/message.tsx'
import { useArrival } from '../../components/use-arrival.ts'
import { usePages } from '../../components/use-query.ts'
import { useFormat } from '../../platform/format.ts'
import { useT } from '../../platform/i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { DownloadButton, useDownload } from '../../components/download-button.tsx'
import { Select } from '../../components/fields.tsx'
import { datedFileName, saveFile } from '../../platform/save-file.ts'
import { toCsv } from '../activity/to-csv.ts'

export function Invoices() {
  const t = useT()
  const { subscriptionId, isActive } = useProject()
  const pages = usePages()
  const columns = useInvoiceColumns()
  const section = useArrival('#invoices')
  const found = usePagedCall('listInvoices', { subscriptionId }, pages)
  const { data, error, refetch } = found
  if (error && !data)
    return <Problem error={error} failed="billing.invoicesFailed" retry={refetch} />
  return (
    <section ref={section} tabIndex={-1} className="scroll-mt-20 outline-none">
      <Card title={t('billing.invoices')} action={data && data.total > 0 && <InvoiceCsv />} flush>
        {!data && <TableSkeleton />}
        {data?.total === 0 && (
          <EmptyState
            bare
            icon={<ReceiptText />}
            title={t(isActive ? 'billing.noInvoicesTitle' : 'billing.noInvoicesEverTitle')}
          >
            {t(isActive ? 'billing.noInvoices' : 'billing.noInvoicesEver')}
          </EmptyState>
        )}
        {data && data.total > 0 && (
          <>
            <Table
              caption={t('billing.invoices')}
              columns={columns}
              rows={data.invoices}
              folded="narrow:grid-cols-[auto_auto_1fr_auto]"
              pages={pages}
            />
            <Pagination pages={pages} found={found} total={data.total} />
          </>
        )}
      </Card>
    </section>
  )
}

function useInvoiceColumns(): Column<Invoice>[] {
  const t = useT()
  const format = useFormat()
  return [
    {
      title: 'billing.number',
      folded: `narrow:col-start-3 narrow:row-start-2 narrow:text-small narrow:col-span-2 ${dot}`,
      cell: ({ number }) =>
        number ? (
          <CopyId
            id={number}
            label={t('billing.copyNumber', { number })}
            className="relative z-1 narrow:whitespace-nowrap"
          />
        ) : (
          <span className="font-medium">{t('billing.numberPending')}</span>
        ),
    },
    {
      title: 'billing.date',
      look: 'text-soft tabular-nums whitespace-nowrap',
      folded: 'narrow:col-span-2 narrow:col-start-1 narrow:row-start-2 narrow:text-small',
      cell: ({ created }) => format.billingDate(created),
    },
    {
      title: 'billing.amount',
      end: true,
      look: 'whitespace-nowrap',
      folded: 'narrow:col-start-1 narrow:row-start-1 narrow:text-start narrow:font-strong',
      cell: ({ total, currency }) => format.money(total, currency),
    },
    {
      title: 'billing.status',
      folded: 'narrow:col-span-2 narrow:col-start-2 narrow:row-start-1',
      cell: (invoice) => <InvoiceState {...invoice} />,
    },
    {
      title: 'billing.view',
      folded: 'narrow:col-start-4 narrow:row-start-1',
      unnamed: true,
      end: true,
      cell: ({ hosted_invoice_url: url, invoice_pdf: pdf, number }) => (
        <span className="inline-flex items-center gap-5">
          {url && (
            <a
              href={url}
              target="_blank"
              rel="noreferrer"
              className={`${rowLink} ${target}`}
              aria-label={number ? t('billing.openInvoice', { number }) : t('billing.openPending')}
            >
              <span className="inline-flex items-center gap-1.5">
                {t('billing.view')}
                <ExternalLink className="size-3.5 max-[22rem]:hidden" />
              </span>
            </a>
          )}
          {pdf && (
            <a
              href={pdf}
              target="_blank"
              rel="noreferrer"
              className={`relative rounded-control font-medium text-accent-ink underline-offset-3 hover:underline ${target}`}
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

/** On a narrow row, between the date and the number. */
const dot = "narrow:-ms-1.5 narrow:before:me-1.5 narrow:before:content-['·']"
/** A link that a finger hits. */
const target = 'narrow:py-3'

const tones = {
  draft: 'neutral',
  open: 'warn',
  paid: 'good',
  uncollectible: 'bad',
  void: 'neutral',
} as const satisfies Record<InvoiceStatus, string>

function InvoiceState({ total, status, currency, amount_paid, amount_refunded, dispute }: Invoice) {
  const t = useT()
  const format = useFormat()
  return (
    <span className="inline-flex flex-wrap gap-1.5">
      <Badge tone={tones[status]} dot>
        {status === 'paid' && total < 0 ? t('billing.credited') : t(`billing.statuses.${status}`)}
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

/** The column names of the CSV. They are for programs, so they are not translated. */
const heads = 'number created status currency total paid refunded url'.split(' ')

/** Downloads the invoices of a year, in the time that they are dated in. */
function InvoiceCsv() {
  const t = useT()
  const { subscriptionId, subscription, name } = useProject()
  const years = yearsSince(subscription.created)
  const [year, setYear] = useState(years[0]!)
  const { busy, error, download } = useDownload(async () => {
    const all = await listAll('listInvoices', { subscriptionId })
    const rows = all.filter(({ created }) => yearOf(created) === year).map(toRow)
    const file = datedFileName(`${name} ${t('billing.invoices')} ${year}`, 'csv')
    saveFile(file, toCsv([heads, ...rows]), 'text/csv')
  })

  return (
    <div className="flex flex-wrap items-center gap-2">
      {years.length > 1 && (
        <Select
          aria-label={t('billing.year')}
          value={year}
          onChange={({ target }) => setYear(Number(target.value))}
          className="min-h-9!"
        >
          {years.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </Select>
      )}
      <DownloadButton
        format="csv"
        label={t('billing.downloadYear', { year: String(year) })}
        busy={busy}
        onClick={() => void download()}
      />
      <LiveProblem error={error} failed="billing.invoicesFailed" />
    </div>
  )
}

function yearOf(seconds: number) {
  return new Date(seconds * 1000).getUTCFullYear()
}

/** The newest first. */
function yearsSince(created: number) {
  const newest = new Date().getUTCFullYear()
  return Array.from({ length: newest - yearOf(created) + 1 }, (_, back) => newest - back)
}

function toRow(invoice: Invoice) {
  const { number, created, status, currency, total, hosted_invoice_url: url } = invoice
  const { amount_paid: paid, amount_refunded: refunded } = invoice
  const amounts = [total, paid, refunded].map((amount) => decimalOf(amount, currency))
  return [
    number ?? '',
    new Date(created * 1000).toISOString(),
    status,
    currency.toUpperCase(),
    ...amounts,
    url ?? '',
  ]
}
