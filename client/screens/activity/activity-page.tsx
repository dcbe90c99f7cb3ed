import { limits } from '#config/limits.ts'
import type { Activity } from '#contract/entities.ts'
import type { MessageKey } from '#locales/keys.ts'
import { History, SearchX } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { LiveRegion } from '../../components/message.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { Pagination } from '../../components/pagination.tsx'
import { Problem } from '../../components/problem.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { Table, TableSkeleton } from '../../components/table.tsx'
import { useTurnBack, type ShownPages } from '../../components/use-pages.ts'
import type { Search } from '../../components/use-search.ts'
import { useT } from '../../i18n.ts'
import { useDownloads } from './downloads.tsx'
import { useActivityColumns } from './use-activity-columns.tsx'
import type { Area } from './use-area.tsx'

type ActivityPageProps = {
  title: MessageKey
  intro: MessageKey
  noMatch: MessageKey
  /** Whether the list is the user's own, from all projects. */
  own?: boolean
  downloads: Parameters<typeof useDownloads>[0]
  found: ComponentProps<typeof Pagination>['found'] & {
    data: { activity: Activity[]; total: number } | undefined
  }
  pages: ShownPages
  area: Area
  search?: Search
}

const daysKept = Math.round(limits.activity.kept / (24 * 3_600_000))

export function ActivityPage(props: ActivityPageProps) {
  const { title, intro, noMatch, own = false, downloads, found, pages, area, search } = props
  const t = useT()
  const columns = useActivityColumns({ own })
  const { buttons, problem } = useDownloads(downloads)
  const { data, error, refetch } = found
  const isNarrowed = area.isChosen || (search !== undefined && search.search !== '')
  useTurnBack(pages, data && { total: data.total, shown: data.activity.length })

  function showAll() {
    search?.clear()
    area.clear()
  }

  return (
    <>
      <PageTitle title={t(title)} action={buttons}>
        <p className="mt-1.5 text-soft">{t(intro, { count: daysKept })}</p>
      </PageTitle>
      {problem}
      <Card flush>
        <div className="flex flex-wrap items-center gap-3 border-b border-line p-4 sm:px-5">
          {area.field}
          {search && (
            <SearchField
              label={t('activity.search')}
              search={search}
              className="w-full sm:ms-auto sm:w-72"
            />
          )}
        </div>
        {error && !data && (
          <div className="p-4 sm:px-5">
            <Problem error={error} failed="activity.loadFailed" retry={refetch} />
          </div>
        )}
        {!data && !error && <TableSkeleton rows={6} />}
        <LiveRegion>
          {data?.total === 0 && isNarrowed && (
            <EmptyState
              bare
              icon={<SearchX aria-hidden />}
              title={t('activity.noMatchTitle')}
              action={<Button onClick={showAll}>{t('activity.showAll')}</Button>}
            >
              {t(noMatch)}
            </EmptyState>
          )}
        </LiveRegion>
        {data?.total === 0 && !isNarrowed && (
          <EmptyState bare icon={<History aria-hidden />} title={t('activity.emptyTitle')}>
            {t('activity.empty')}
          </EmptyState>
        )}
        {data && data.total > 0 && (
          <>
            <Table caption={t(title)} columns={columns} rows={data.activity} pages={pages} />
            <Pagination pages={pages} found={found} total={data.total} />
          </>
        )}
      </Card>
    </>
  )
}
