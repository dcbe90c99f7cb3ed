import type { Invoice } from '#contract/entities.ts'
import { decimalOf } from '#contract/money.ts'
import { useState } from 'react'
import { listAll } from '../../api/queries.ts'
import { DownloadButton, useDownload } from '../../components/download-button.tsx'
import { Select } from '../../components/fields.tsx'
import { LiveProblem } from '../../components/message.tsx'
import { useProject } from '../../layouts/use-project.ts'
import { useT } from '../../platform/i18n.ts'
import { datedFileName, saveFile } from '../../platform/save-file.ts'
import { toCsv } from '../activity/to-csv.ts'

/** The column names of the CSV. They are for programs, so they are not translated. */
const heads = 'number created status currency total paid refunded url'.split(' ')

/** Downloads the invoices of a year, in the time that they are dated in. */
export function InvoiceCsv() {
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
