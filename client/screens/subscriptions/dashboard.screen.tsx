import { paths } from '#contract/paths.ts'
import type { SubscriptionWithPeople } from '#contract/entities.ts'
import { Plus, ChevronRight, FolderPlus, SearchX } from 'lucide-react'
import { useEffect, useId, useRef, useState, type RefObject } from 'react'
import { useCall, usePagedCall } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { ButtonLink, Button } from '../../components/button.tsx'
import { classes, cardLook } from '../../components/classes.ts'
import { PageTitle } from '../../components/page-title.tsx'
import { useT } from '../../platform/i18n.ts'
import { News } from '../../layouts/news.tsx'
import { VerifyEmailNote } from '../profile/send-verification.tsx'
import { EmptyState } from '../../components/card.tsx'
import { LiveRegion, Problem } from '../../components/message.tsx'
import { Pagination } from '../../components/table.tsx'
import { SearchField } from '../../components/list-tools.tsx'
import { Select } from '../../components/fields.tsx'
import { useChoice, usePages, useSearch, type Pages } from '../../components/use-query.ts'
import { remember, remembered } from '../../platform/storage.ts'
import { PendingInvitations } from '../invites/invitations.tsx'
import { gridLook, ProjectCard, ProjectGridSkeleton } from './project-card.tsx'

export function Dashboard() {
  const t = useT()
  const { user } = useSession()
  const projects = useProjects()
  const { data } = useCall('listInvites', {}, { enabled: !user.claimed })
  const { isEmpty, found } = projects
  const isLoading = !found.data && !found.error
  return (
    <>
      <PageTitle
        title={t('dashboard.title')}
        action={
          <ButtonLink
            to={paths.createPlan}
            variant="primary"
            icon={<Plus />}
            // An empty list has this button itself. It waits for the list, so that it doesn't disappear
            // while it has the focus. Its room stays, except on a phone, where it may be a whole row.
            className={classes((isEmpty || isLoading) && 'invisible', isEmpty && 'max-sm:hidden')}
          >
            {t('dashboard.create')}
          </ButtonLink>
        }
      />
      <News />
      {!user.claimed && <VerifyEmailNote text={data?.waiting ? 'invites.waiting' : undefined} />}
      <Projects {...projects} />
    </>
  )
}

const usualSize = 20
/** From this many projects on, they can be searched and ordered. */
const few = 6
const storageKey = 'many-projects'

/** The shown page of the user's projects, and what narrows it. */
function useProjects() {
  const pages = usePages(usualSize)
  const search = useSearch()
  const [sort, chooseSort] = useChoice('sort', ['newest', 'name'])
  const found = usePagedCall(
    'listSubscriptions',
    { sort: sort ?? 'needed', search: search.search },
    pages,
  )
  const isEmpty = found.data?.total === 0 && !search.search
  return { pages, search, sort, chooseSort, found, isEmpty }
}

/** The user's invitations and projects, drawn at the same time so that nothing moves. */
function Projects(props: ReturnType<typeof useProjects>) {
  const { search, sort, chooseSort, found, isEmpty } = props
  const { list, ...pages } = props.pages
  const t = useT()
  const { user } = useSession()
  const top = useRef<HTMLElement>(null)
  const sortId = useId()
  const isNarrowed = Boolean(search.search || sort) || pages.page > 1
  const { data, error, refetch } = found
  const invites = useCall('listInvites', {}, { enabled: user.claimed })
  // Until the projects are loaded, the last visit decides whether there is room for the search.
  const isMany = isNarrowed || (data ? data.total >= few : remembered(storageKey) === 'true')
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
  const active = data?.subscriptions.filter(({ status }) => status === 'active') ?? []
  const canceled = data?.subscriptions.filter(({ status }) => status === 'canceled') ?? []
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
              <option value="">{t('dashboard.sorts.needed')}</option>
              <option value="newest">{t('dashboard.sorts.newest')}</option>
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
        <ul
          ref={list as RefObject<HTMLUListElement | null>}
          className={classes(gridLook, 'empty:hidden')}
        >
          {active.map((project) => (
            <ProjectCard key={project.id} project={project} />
          ))}
        </ul>
      )}
      {isReady && canceled.length > 0 && (
        <Canceled projects={canceled} isOpen={Boolean(search.search) || active.length === 0} />
      )}
      {!isReady && <ProjectGridSkeleton count={isMany ? few : 3} />}
      {isReady && (data.total > usualSize || pages.page > 1) && (
        <div className={classes(cardLook, '[&>nav]:border-t-0')}>
          <Pagination pages={{ ...pages, list, turnTo: turn }} found={found} total={data.total} />
        </div>
      )}
    </section>
  )
  return (
    <>
      {(isReady || error) && user.claimed && <PendingInvitations />}
      {!data && <Problem error={error} failed="dashboard.loadFailed" retry={refetch} />}
      {!(error && !data) && (isReady && isEmpty ? <FirstProject /> : grid)}
    </>
  )
}

type CanceledProps = { projects: SubscriptionWithPeople[]; isOpen: boolean }

/** Canceled projects, which the server lists last. They are folded away unless they are all. */
function Canceled({ projects, isOpen }: CanceledProps) {
  const t = useT()
  const [showsHidden, setShowsHidden] = useState(false)
  const hidden = projects.filter(({ is_hidden: isHidden }) => isHidden)
  const isShown = ({ is_hidden: isHidden }: SubscriptionWithPeople) => showsHidden || !isHidden
  return (
    <details key={String(isOpen)} open={isOpen} className="group">
      <summary className="flex cursor-pointer list-none items-center gap-1.5 rounded-control py-3 font-medium text-soft hover:text-ink [&::-webkit-details-marker]:hidden">
        <ChevronRight className="size-4 group-open:rotate-90 rtl:not-group-open:-scale-x-100" />
        {t('dashboard.canceled', { count: projects.length })}
      </summary>
      <ul className={classes(gridLook, 'mt-3')}>
        {projects.filter(isShown).map((project) => (
          <ProjectCard key={project.id} project={project} />
        ))}
      </ul>
      {hidden.length > 0 && !showsHidden && (
        <Button className="mt-3" onClick={() => setShowsHidden(true)}>
          {t('dashboard.hidden', { count: hidden.length })}
        </Button>
      )}
    </details>
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
          {t('dashboard.create')}
        </ButtonLink>
      }
    >
      {t('dashboard.empty')}
    </EmptyState>
  )
}
