import type { ActivityArea } from '#contract/activity.ts'
import { usePagedCall } from '../../api/queries.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { usePages } from '../../components/use-pages.ts'
import { useSearch } from '../../components/use-search.ts'
import { useT } from '../../i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { ActivityList } from './activity-list.tsx'
import { AreaSelect } from './area-select.tsx'
import { daysKept } from './days-kept.ts'
import { useDownloads } from './downloads.tsx'
import { useActivityColumns } from './use-activity-columns.tsx'
import { useArea } from './use-area.ts'

/** What is about an account is nobody else's. */
const areas: ActivityArea[] = ['project', 'billing', 'people']

export function Activity() {
  const t = useT()
  const { subscriptionId, name } = useProject()
  const pages = usePages()
  const search = useSearch()
  const { area, choose } = useArea()
  const columns = useActivityColumns()
  const { buttons, problem } = useDownloads({
    name: `${name} ${t('activity.title')}`,
    subscriptionId,
  })
  const found = usePagedCall(
    'listActivity',
    {
      subscriptionId,
      ...(area && { area }),
      ...(search.search && { search: search.search }),
    },
    pages,
  )
  return (
    <>
      <PageTitle title={t('activity.title')} action={buttons}>
        <p className="mt-1.5 text-soft">{t('activity.intro', { count: daysKept })}</p>
      </PageTitle>
      {problem}
      <ActivityList
        caption={t('activity.title')}
        columns={columns}
        filters={
          <>
            <AreaSelect areas={areas} area={area} onChoose={choose} className="w-full sm:w-44" />
            <SearchField
              label={t('activity.search')}
              search={search}
              className="w-full sm:ms-auto sm:w-72"
            />
          </>
        }
        found={found}
        pages={pages}
        isFiltered={area !== undefined || search.search !== ''}
        noMatch={t('activity.noMatch')}
        onShowAll={() => {
          search.clear()
          choose(undefined)
        }}
      />
    </>
  )
}
