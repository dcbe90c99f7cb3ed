import { limits } from '#config/limits.ts'
import { activityAreas, type ActivityArea } from '#contract/activity.ts'
import type { Activity } from '#contract/entities.ts'
import { paths } from '#contract/paths.ts'
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
import { Select } from '../../components/select-field.tsx'
import { Table, TableSkeleton } from '../../components/table.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { useTurnBack, type ShownPages } from '../../components/use-pages.ts'
import type { Search } from '../../components/use-search.ts'
import { useT } from '../../i18n.ts'
import { useDownloads } from './downloads.tsx'
import { useActivityColumns } from './use-activity-columns.tsx'

type ActivityPageProps = {
  /** Missing for the user's own activity, from all projects. */
  project?: { id: string; name: string }
  found: ComponentProps<typeof Pagination>['found'] & {
    data: { activity: Activity[]; total: number } | undefined
  }
  pages: ShownPages
  area: ActivityArea | undefined
  chooseArea: (area: string) => void
  search?: Search
}

const daysKept = Math.round(limits.activity.kept / (24 * 3_600_000))

export function ActivityPage(props: ActivityPageProps) {
  const { project, found, pages, area, chooseArea, search } = props
  const t = useT()
  const own = !project
  const title = t(own ? 'activity.ownTitle' : 'activity.title')
  const columns = useActivityColumns(own)
  const { buttons, problem } = useDownloads(project)
  const { data, error, refetch } = found
  // The activity of an account is for its user alone.
  const areas = activityAreas.filter((area) => own || area !== 'account')
  const isNarrowed = area !== undefined || search?.search !== undefined
  useTurnBack(pages, data && { total: data.total, shown: data.activity.length })

  function showAll() {
    search?.clear()
    chooseArea('')
  }

  return (
    <>
      <PageTitle title={title} action={buttons}>
        <p className="mt-1.5 text-soft">
          {t(own ? 'activity.ownIntro' : 'activity.intro', { count: daysKept })}
        </p>
      </PageTitle>
      {problem}
      <Card flush>
        <div className="flex flex-wrap items-center gap-3 border-b border-line p-4 sm:px-5">
          <div className="w-full sm:w-44">
            <Select
              aria-label={t('activity.area')}
              value={area ?? ''}
              onChange={({ target }) => chooseArea(target.value)}
              className="min-h-9!"
            >
              <option value="">{t('activity.areas.all')}</option>
              {areas.map((area) => (
                <option key={area} value={area}>
                  {t(`activity.areas.${area}`)}
                </option>
              ))}
            </Select>
          </div>
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
              {t(own ? 'activity.noOwnMatch' : 'activity.noMatch')}
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
            <Table caption={title} columns={columns} rows={data.activity} pages={pages} />
            <Pagination pages={pages} found={found} total={data.total} />
          </>
        )}
      </Card>
      {own && (
        <p>
          <TextLink to={paths.profile}>{t('activity.backToProfile')}</TextLink>
        </p>
      )}
    </>
  )
}
