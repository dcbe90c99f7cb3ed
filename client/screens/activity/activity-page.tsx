import { limits } from '#config/limits.ts'
import { activityAreas, activityKinds } from '#contract/activity.ts'
import type { Activity } from '#contract/entities.ts'
import { paths, projectPath } from '#contract/paths.ts'
import { History, SearchX } from 'lucide-react'
import { usePagedCall } from '../../api/queries.tsx'
import { useSession } from '../../api/use-session.tsx'
import { Avatar } from '../../components/avatar.tsx'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { classes } from '../../components/classes.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { LiveRegion } from '../../components/message.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { Pagination } from '../../components/pagination.tsx'
import { Problem } from '../../components/problem.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { Select } from '../../components/select-field.tsx'
import { Table, TableSkeleton, type Column } from '../../components/table.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { useChoice } from '../../components/use-choice.ts'
import { usePages } from '../../components/use-pages.ts'
import { useSearch } from '../../components/use-search.ts'
import { useFormat } from '../../format.ts'
import { useT } from '../../i18n.ts'
import { useDownloads } from './downloads.tsx'
import { useActivityWords } from './use-activity-words.ts'

const daysKept = Math.round(limits.activity.kept / (24 * 3_600_000))

/** The activity of a project, or without one the user's own, from all projects. */
export function ActivityPage({ project }: { project?: { id: string; name: string } }) {
  const t = useT()
  const own = !project
  const title = t(own ? 'activity.ownTitle' : 'activity.title')
  const pages = usePages()
  const search = useSearch()
  const [area, chooseArea] = useChoice('area', activityAreas)
  const input = own ? { area } : { subscriptionId: project.id, area, search: search.search }
  const found = usePagedCall(own ? 'listOwnActivity' : 'listActivity', input, pages)
  const { data, error, refetch } = found
  const columns = useActivityColumns(own)
  const { buttons, problem } = useDownloads(project)
  // The activity of an account is for its user alone.
  const areas = activityAreas.filter((area) => own || area !== 'account')
  const isNarrowed = Boolean(area || (!own && search.search))

  function showAll() {
    search.clear()
    chooseArea('')
  }

  return (
    <>
      <PageTitle
        title={title}
        intro={t(own ? 'activity.ownIntro' : 'activity.intro', { count: daysKept })}
        action={buttons}
      />
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
          {!own && (
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

const ofAccount: ReadonlySet<string> = new Set(activityKinds.account)

/** `own`: the user's own activity, from all projects. */
function useActivityColumns(own: boolean): Column<Activity>[] {
  const t = useT()
  const format = useFormat()
  const { user } = useSession()
  const { nameOf, sentence } = useActivityWords()
  const isSelf = ({ actor }: Activity) => actor?.id === user.uid
  const where: Column<Activity> = {
    title: 'activity.where',
    look: 'text-soft fold:min-w-28',
    cell: ({ kind, subscription }) =>
      subscription ? (
        <TextLink to={projectPath('subscription', subscription.id)} className="block wrap-anywhere">
          {subscription.name || t('common.untitledProject')}
        </TextLink>
      ) : (
        t(ofAccount.has(kind) ? 'activity.account' : 'activity.formerProject')
      ),
  }
  return [
    {
      title: 'activity.who',
      look: classes('flex items-center gap-2.5', own ? 'fold:min-w-24' : 'fold:min-w-52'),
      cell: (entry) => (
        <>
          <Avatar name={entry.actor?.name || '–'} className="size-7 text-label max-fold:hidden" />
          <span className={entry.actor?.name ? 'min-w-0 font-semibold wrap-anywhere' : 'text-soft'}>
            {own && isSelf(entry) ? t('users.you') : nameOf(entry)}
          </span>
          {!own && isSelf(entry) && <Badge>{t('users.you')}</Badge>}
        </>
      ),
    },
    { title: 'activity.what', look: 'wrap-anywhere fold:min-w-52', cell: sentence },
    ...(own ? [where] : []),
    {
      title: 'activity.when',
      look: 'text-soft tabular-nums fold:whitespace-nowrap',
      cell: ({ created }) => (
        <time dateTime={new Date(created * 1000).toISOString()}>{format.dateTime(created)}</time>
      ),
    },
  ]
}
