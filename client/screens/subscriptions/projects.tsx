import { findPlan } from '#contract/access.ts'
import type { Subscription, SubscriptionStatus } from '#contract/entities.ts'
import { paths, projectPath } from '#contract/paths.ts'
import { FolderPlus, SearchX } from 'lucide-react'
import { useEffect, useId, useRef, type RefObject } from 'react'
import { Link } from 'react-router'
import { useCall, usePagedCall } from '../../api/queries.tsx'
import { useSession } from '../../api/session.ts'
import { Badge, cardLook, EmptyState } from '../../components/card.tsx'
import { Button, ButtonLink } from '../../components/button.tsx'
import { classes } from '../../components/classes.ts'
import { CopyId } from '../../components/copy-id.tsx'
import { LiveRegion, Problem } from '../../components/message.tsx'
import { Pagination } from '../../components/table.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { Select } from '../../components/fields.tsx'
import { Bone, Skeleton } from '../../components/skeleton.tsx'
import { useChoice, usePages, useSearch, type Pages } from '../../components/use-query.ts'
import { useT } from '../../platform/i18n.ts'
import { projectTitle } from '../../layouts/use-project.ts'
import { remember, remembered } from '../../platform/storage.ts'
import { PendingInvitations } from '../invites/invitations.tsx'

const usualSize = 20
const storageKey = 'many-projects'

/** The user's invitations and projects, drawn at the same time so that nothing moves. */
export function Projects() {
  const t = useT()
  const { user } = useSession()
  const top = useRef<HTMLElement>(null)
  const { list, ...pages } = usePages(usualSize)
  const search = useSearch()
  const [sort, chooseSort] = useChoice('sort', ['name'])
  const sortId = useId()
  const isNarrowed = Boolean(search.search || sort) || pages.page > 1
  const found = usePagedCall('listSubscriptions', { sort, search: search.search }, pages)
  const { data, error, refetch } = found
  const invites = useCall('listInvites', {}, { enabled: user.emailVerified })
  // Until the projects are loaded, the last visit decides whether there is room for the search.
  const isMany = isNarrowed || (data ? data.total > usualSize : remembered(storageKey) === 'true')
  useEffect(() => {
    if (data) remember(storageKey, String(isMany))
  }, [data, isMany])

  /** Scrolls to the top of another page, unless its rows are added below the ones on screen. */
  function turn(to: Pages) {
    pages.turnTo(to)
    if (to.from !== undefined) return
    if ((top.current?.getBoundingClientRect().top ?? 0) < 0) top.current?.scrollIntoView()
  }

  const isReady = data !== undefined && !invites.isLoading
  const grid = (
    // The key makes a new element, because the skeleton is higher up on the page than the list.
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
            icon={<SearchX />}
            title={t('dashboard.noMatchTitle', { search: search.search ?? '' })}
            action={<Button onClick={search.clear}>{t('dashboard.clearSearch')}</Button>}
          >
            {t('dashboard.noMatch')}
          </EmptyState>
        )}
      </LiveRegion>
      {isReady && data.total > 0 && (
        <ul ref={list as RefObject<HTMLUListElement | null>} className={gridLook}>
          {data.subscriptions.map((project) => (
            <ProjectCard key={project.id} project={project} />
          ))}
        </ul>
      )}
      {!isReady && <ProjectGridSkeleton count={isMany ? usualSize : 3} />}
      {isMany && isReady && data.total > 0 && (
        <div className={classes(cardLook, '[&>nav]:border-t-0')}>
          <Pagination pages={{ ...pages, list, turnTo: turn }} found={found} total={data.total} />
        </div>
      )}
    </section>
  )
  return (
    <>
      {(isReady || error) && user.emailVerified && <PendingInvitations />}
      {!data && <Problem error={error} failed="dashboard.loadFailed" retry={refetch} />}
      {!(error && !data) &&
        (isReady && data.total === 0 && !search.search ? <FirstProject /> : grid)}
    </>
  )
}

function FirstProject() {
  const t = useT()
  return (
    <EmptyState
      icon={<FolderPlus />}
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

const gridLook = 'grid grid-cols-[repeat(auto-fill,minmax(min(270px,100%),1fr))] gap-5'

function ProjectCard({ project }: { project: Subscription }) {
  const t = useT()
  const plan = findPlan(project.plan_id)
  return (
    <li
      className={classes(
        cardLook,
        'relative px-5 py-4.5 transition-[box-shadow,border-color] hover:border-line-strong hover:shadow-lift',
      )}
    >
      <div className="flex items-start justify-between gap-3">
        <Link
          to={projectPath('subscription', project.id)}
          className="min-w-0 rounded-control font-semibold wrap-anywhere after:absolute after:inset-0 after:rounded-card"
        >
          {projectTitle(project, t)}
        </Link>
        <StatusBadge status={project.status} />
      </div>
      <p className="mt-1 text-soft">{plan && t(plan.titleKey)}</p>
      <CopyId id={project.id} className="relative mt-3" />
    </li>
  )
}

function ProjectGridSkeleton({ count }: { count: number }) {
  return (
    <Skeleton className={gridLook}>
      {Array.from({ length: count }, (_, key) => (
        <div key={key} className={classes(cardLook, 'grid h-31 content-start gap-3 px-5 py-5')}>
          <Bone className="h-4 w-2/5" />
          <Bone className="h-3.5 w-1/4" />
          <Bone className="mt-2 h-3.5 w-3/5" />
        </div>
      ))}
    </Skeleton>
  )
}

export function StatusBadge({ status }: { status: SubscriptionStatus }) {
  const t = useT()
  return (
    <Badge tone={status === 'active' ? 'good' : 'neutral'} dot>
      {t(`project.status.${status}`)}
    </Badge>
  )
}
