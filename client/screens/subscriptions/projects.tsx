import { paths } from '#contract/paths.ts'
import { FolderPlus, SearchX } from 'lucide-react'
import { useEffect, useId, useRef, type ReactNode } from 'react'
import { useCall, usePagedCall } from '../../api/queries.tsx'
import { useSession } from '../../api/session.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { cardLook } from '../../components/card.tsx'
import { classes } from '../../components/classes.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { LiveRegion, Problem } from '../../components/message.tsx'
import { Pagination } from '../../components/pagination.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { Select } from '../../components/select-field.tsx'
import { useChoice } from '../../components/use-choice.ts'
import { usePages, type Pages } from '../../components/use-pages.ts'
import { useSearch } from '../../components/use-search.ts'
import { useT } from '../../platform/i18n.ts'
import { remember, remembered } from '../../platform/storage.ts'
import { ProjectGrid, ProjectGridSkeleton } from './project-grid.tsx'

const usualSize = 20
const storageKey = 'many-projects'

/**
 * The user's projects below their invitations (`above`). Both appear together, so that nothing
 * moves. Many projects come in pages, with a search and an order.
 */
export function Projects({ above }: { above: ReactNode }) {
  const t = useT()
  const { user } = useSession()
  const top = useRef<HTMLElement>(null)
  const pages = usePages(usualSize)
  const search = useSearch()
  const [sort, chooseSort] = useChoice('sort', ['name'])
  const sortId = useId()
  const isNarrowed = Boolean(search.search || sort) || pages.page > 1
  const found = usePagedCall('listSubscriptions', { sort, search: search.search }, pages)
  const { data, error, refetch } = found
  const invites = useCall('listInvites', {}, { enabled: user.emailVerified })
  // Until it is known whether there are several pages, the last visit's answer keeps the place.
  const isMany = isNarrowed || (data ? data.total > usualSize : remembered(storageKey) === 'true')
  useEffect(() => {
    if (data) remember(storageKey, String(isMany))
  }, [data, isMany])

  /** Another page starts at its top, unless its rows follow those on screen. */
  function turn(to: Pages) {
    pages.turnTo(to)
    if (to.from !== undefined) return
    if ((top.current?.getBoundingClientRect().top ?? 0) < 0) top.current?.scrollIntoView()
  }

  const isReady = data !== undefined && !invites.isLoading
  const grid = (
    // The key: the skeleton stood higher on the page than the list does.
    <section
      key={isReady ? 'loaded' : 'loading'}
      ref={top}
      aria-label={t('dashboard.projects')}
      className="grid scroll-mt-19 gap-5"
    >
      {isMany && (
        <div className="flex flex-wrap items-center gap-3">
          <SearchField
            label={t('dashboard.search')}
            search={search}
            className="min-w-55 flex-1 fold:max-w-80"
          />
          <div className="ms-auto flex items-center gap-2">
            <label htmlFor={sortId} className="text-small text-soft">
              {t('dashboard.sort')}
            </label>
            <Select
              id={sortId}
              value={sort ?? ''}
              onChange={({ target }) => chooseSort(target.value)}
              className="min-h-9!"
            >
              <option value="">{t('dashboard.sorts.newest')}</option>
              <option value="name">{t('dashboard.sorts.name')}</option>
            </Select>
          </div>
        </div>
      )}
      <LiveRegion>
        {isReady && data.total === 0 && (
          <EmptyState
            icon={<SearchX aria-hidden />}
            title={t('dashboard.noMatchTitle', { search: search.search ?? '' })}
            action={<Button onClick={search.clear}>{t('dashboard.clearSearch')}</Button>}
          >
            {t('dashboard.noMatch')}
          </EmptyState>
        )}
      </LiveRegion>
      {isReady && data.total > 0 && <ProjectGrid projects={data.subscriptions} list={pages.list} />}
      {!isReady && <ProjectGridSkeleton count={isMany ? usualSize : 3} />}
      {isMany && isReady && data.total > 0 && (
        <div className={classes(cardLook, '[&>nav]:border-t-0')}>
          <Pagination pages={{ ...pages, turnTo: turn }} found={found} total={data.total} />
        </div>
      )}
    </section>
  )
  return (
    <>
      {(isReady || error) && above}
      {error && !data && <Problem error={error} failed="dashboard.loadFailed" retry={refetch} />}
      {!(error && !data) &&
        (isReady && data.total === 0 && !search.search ? <FirstProject /> : grid)}
    </>
  )
}

function FirstProject() {
  const t = useT()
  return (
    <EmptyState
      icon={<FolderPlus aria-hidden />}
      title={t('dashboard.emptyTitle')}
      action={
        <ButtonLink to={paths.createPlan} variant="primary">
          {t('dashboard.createFirst')}
        </ButtonLink>
      }
    >
      {t('dashboard.empty')}
    </EmptyState>
  )
}
