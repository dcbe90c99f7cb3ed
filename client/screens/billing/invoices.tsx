import { ReceiptText } from 'lucide-react'
import { usePagedCall } from '../../api/queries.tsx'
import { Card } from '../../components/card.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Pagination } from '../../components/pagination.tsx'
import { Problem } from '../../components/problem.tsx'
import { Table, TableSkeleton } from '../../components/table.tsx'
import { usePages } from '../../components/use-pages.ts'
import { useT } from '../../i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { useInvoiceColumns } from './use-invoice-columns.tsx'

export function Invoices() {
  const t = useT()
  const { subscriptionId, isActive } = useProject()
  const pages = usePages()
  const columns = useInvoiceColumns()
  const found = usePagedCall('listInvoices', { subscriptionId }, pages)
  const { data, error, refetch } = found
  if (error && !data)
    return <Problem error={error} failed="billing.invoicesFailed" retry={refetch} />
  return (
    <Card title={t('billing.invoices')} flush>
      {!data && <TableSkeleton />}
      {data?.total === 0 && (
        <EmptyState
          bare
          icon={<ReceiptText aria-hidden />}
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
            pages={pages}
          />
          <Pagination pages={pages} found={found} total={data.total} />
        </>
      )}
    </Card>
  )
}
