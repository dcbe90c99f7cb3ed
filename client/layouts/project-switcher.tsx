import { defaultPermission, findPlan } from '#contract/access.ts'
import type { Subscription, SubscriptionWithPeople } from '#contract/entities.ts'
import { paths, projectPath } from '#contract/paths.ts'
import { ChevronsUpDown, FolderKanban, Plus, Search } from 'lucide-react'
import { useState, useEffect } from 'react'
import { useCall } from '../api/queries.ts'
import { useSession } from '../api/session.ts'
import { ProjectTile } from '../components/avatar.tsx'
import { classes } from '../components/classes.ts'
import { MenuButton, MenuLine } from '../components/menu-button.tsx'
import { Bone } from '../components/skeleton.tsx'
import { useT, type Translate } from '../platform/i18n.ts'
import { needsUser } from './needs-user.ts'
import { openPalette } from './palette/opening.ts'
import { projectTitle } from './use-project.ts'
import { recentIds, rememberId } from '../platform/recent.ts'

/** `block`: in the sidebar. `tile`: in the reduced sidebar. `bar`: in the top bar of a phone. */
type Shape = 'block' | 'tile' | 'bar'

type Known = Subscription & Pick<SubscriptionWithPeople, 'is_shut'>
type SwitcherProps = { project: Subscription; shape: Shape; onChoose?: () => void }

/** Shows the open project. Its menu opens the others. */
export function ProjectSwitcher({ project, shape, onChoose }: SwitcherProps) {
  const t = useT()
  const { first, isMore, load } = useOthers(project.id)
  const name = projectTitle(project, t)
  const facts = factsOf(project, t)
  const others = first?.map((other) => ({
    key: other.id,
    label: projectTitle(other, t),
    note: factsOf(other, t),
    picture: <ProjectTile id={other.id} name={projectTitle(other, t)} />,
    to: projectPath('subscription', other.id),
    onSelect: onChoose,
  })) ?? [{ key: 'loading', content: <ItemBones /> }]
  return (
    <MenuButton
      label={t('frame.switch')}
      isNamed
      from="start"
      onNear={load}
      className={classes(
        'touch-target relative flex min-w-0 items-center transition-colors',
        shapes[shape],
      )}
      actions={[
        ...others,
        ...(isMore
          ? [{ key: 'find', label: t('frame.find'), icon: Search, onSelect: openPalette }]
          : []),
        ...(others.length > 0 ? [{ key: 'line', content: <MenuLine /> }] : []),
        {
          key: 'all',
          label: t('frame.all'),
          icon: FolderKanban,
          to: paths.dashboard,
          onSelect: onChoose,
        },
        {
          key: 'create',
          label: t('frame.create'),
          icon: Plus,
          to: paths.createPlan,
          onSelect: onChoose,
        },
      ]}
    >
      <ProjectTile
        id={project.id}
        name={name}
        {...(shape === 'bar' && { className: 'size-7 rounded-control text-small' })}
      />
      <span className={shape === 'tile' ? 'sr-only' : 'min-w-0 flex-1 text-start'}>
        <span dir="auto" className="block truncate font-semibold" title={name}>
          {name}
        </span>{' '}
        <span
          className={shape === 'block' ? 'block truncate text-label text-soft' : 'sr-only'}
          title={facts}
        >
          {facts}
        </span>{' '}
        <span className="sr-only">{t('frame.switch')}</span>
      </span>
      {shape !== 'tile' && <ChevronsUpDown className="size-4 shrink-0 text-faint" />}
    </MenuButton>
  )
}

const block =
  'w-full min-h-14.5 gap-2.5 rounded-notice border border-line bg-surface p-2 shadow-low hover:border-line-strong'
const shapes = {
  block,
  tile: 'mx-auto rounded-control',
  bar: 'h-9 max-w-full gap-1.5 rounded-control px-0.5 hover:bg-tint',
}

/** Stands in place of the switcher until the project is loaded. */
export function SwitcherBones({ shape }: { shape: Shape }) {
  return (
    <span
      aria-hidden
      className={classes(
        'flex animate-late items-center',
        shape === 'block' && block,
        shapes[shape],
      )}
    >
      <Bone className={shape === 'bar' ? 'size-7' : 'size-8.5'} />
      {shape !== 'tile' && (
        <span className="grid flex-1 gap-1.5">
          <Bone className={shape === 'bar' ? 'h-4 w-20 max-w-full' : 'h-4 w-32'} />
          {shape === 'block' && <Bone className="h-3 w-20" />}
        </span>
      )}
    </span>
  )
}

function ItemBones() {
  return (
    <span aria-hidden className="flex min-h-11 items-center gap-2.5 px-3">
      <Bone className="size-8.5" />
      <Bone className="h-4 w-32" />
    </span>
  )
}

/** The plan, or that the project is canceled, and how many people are in it. */
function factsOf({ plan_id, status, permissions, is_shut: isShut }: Known, t: Translate) {
  const count = permissions[defaultPermission]?.length ?? 0
  const plan = findPlan(plan_id)
  const isCanceled = status === 'canceled'
  const first = isCanceled || !plan ? t(`project.status.${status}`) : t(plan.titleKey)
  const second = isShut ? t('project.shut.title') : t('frame.people', { count })
  return t('frame.facts', { first, second })
}

const most = 10

/**
 * The other active projects: those that need the user, then those that were open last in this
 * browser, then the newest. `first` is undefined until they are loaded.
 */
function useOthers(id: string) {
  const { user } = useSession()
  const [isNear, setNear] = useState(false)
  const { data, isError } = useCall('listSubscriptions', {}, { enabled: isNear })
  const recent = recentIds(recentKey(user.uid))
  const rankOf = (project: Known) => {
    if (needsUser(project, user.uid)) return -1
    return recent.includes(project.id) ? recent.indexOf(project.id) : recent.length
  }
  const others = data?.subscriptions
    .filter(
      (other) =>
        other.id !== id &&
        !other.is_hidden &&
        (other.status === 'active' || recent.includes(other.id)),
    )
    .toSorted((one, other) => rankOf(one) - rankOf(other))
  return {
    first: isError ? [] : others?.slice(0, most),
    isMore: (others?.length ?? 0) > most,
    load: () => setNear(true),
  }
}

const mostRecent = 6
/** Where this browser keeps the ids of the projects that were open last. */
const recentKey = (uid: string) => `recent-projects:${uid}`

export function useRememberProject(uid: string, id: string | undefined) {
  useEffect(() => {
    if (id !== undefined) rememberId(recentKey(uid), id, mostRecent)
  }, [uid, id])
}
