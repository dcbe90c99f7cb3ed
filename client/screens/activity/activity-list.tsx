import type { Activity } from '#contract/entities.ts'
import { History, SearchX } from 'lucide-react'
import { useEffect, type ComponentProps, type ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { LiveRegion } from '../../components/message.tsx'
import { Pagination } from '../../components/pagination.tsx'
import { Problem } from '../../components/problem.tsx'
import { Table, TableSkeleton, type Column } from '../../components/table.tsx'
import type { usePages } from '../../components/use-pages.ts'
import { useT } from '../../i18n.ts'

type ActivityListProps = {
  caption: string
  columns: Column<Activity>[]
  /** Above the list: what chooses from it. */
  filters: ReactNode
  found: ComponentProps<typeof Pagination>['found'] & {
    data: { activity: Activity[]; total: number } | undefined
  }
  pages: ReturnType<typeof usePages>
  isFiltered: boolean
  /** What to do when nothing matches. */
  noMatch: string
  onShowAll: () => void
}

export function ActivityList({
  caption,
  columns,
  filters,
  found,
  pages,
  isFiltered,
  noMatch,
  onShowAll,
}: ActivityListProps) {
  const t = useT()
  const { data, error, refetch } = found
  const { page, pageSize, inView, turnTo, list } = pages
  const last = Math.max(1, Math.ceil((data?.total ?? 0) / pageSize))
  const isBeyond = data !== undefined && data.activity.length === 0 && page > last
  useEffect(() => {
    if (isBeyond) turnTo({ page: last, pageSize })
  })

  return (
    <Card flush>
      <div className="flex flex-wrap items-center gap-3 border-b border-line p-4 sm:px-5">
        {filters}
      </div>
      {error && !data && (
        <div className="p-4 sm:px-5">
          <Problem error={error} failed="activity.loadFailed" retry={refetch} />
        </div>
      )}
      {!data && !error && <TableSkeleton rows={6} />}
      <LiveRegion>
        {data?.total === 0 && isFiltered && (
          <EmptyState
            bare
            icon={<SearchX aria-hidden />}
            title={t('activity.noMatchTitle')}
            action={<Button onClick={onShowAll}>{t('activity.showAll')}</Button>}
          >
            {noMatch}
          </EmptyState>
        )}
      </LiveRegion>
      {data?.total === 0 && !isFiltered && (
        <EmptyState bare icon={<History aria-hidden />} title={t('activity.emptyTitle')}>
          {t('activity.empty')}
        </EmptyState>
      )}
      {data && data.total > 0 && (
        <>
          <Table
            caption={caption}
            columns={columns}
            rows={data.activity}
            rowKey={({ id }) => id}
            list={list}
            inView={inView}
          />
          <Pagination pages={pages} found={found} total={data.total} />
        </>
      )}
    </Card>
  )
}
