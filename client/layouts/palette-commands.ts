import { projectPath } from '#contract/paths.ts'
import type { MessageKey } from '#locales/keys.ts'
import { FolderKanban } from 'lucide-react'
import { useNavigate } from 'react-router'
import { useCall } from '../api/queries.tsx'
import { firstPage } from '../components/use-pages.ts'
import { useSettled } from '../components/use-settled.ts'
import { useT } from '../platform/i18n.ts'
import { remember, remembered } from '../platform/storage.ts'
import { projectTitle, useOpenProject } from './use-project.ts'
import { useScreenLinks } from './use-screen-links.ts'
import { rankOf, type Command } from './palette-command.ts'
import { useActions } from './palette-actions.ts'

export type Group = { title: MessageKey; commands: Command[] }

/** What matches the typed text. Projects arrive late, so they come last and move nothing. */
export function useCommands(typed: string) {
  const pages = usePages()
  const actions = useActions()
  const { projects, isSearching } = useProjects(typed)
  const all: Group[] = [
    { title: 'palette.pages', commands: bestFirst(pages, typed) },
    { title: 'palette.actions', commands: bestFirst(actions, typed) },
    { title: 'palette.projects', commands: projects },
  ]
  const groups = typed.trim() === '' ? recentFirst(all) : all
  return { groups: groups.filter(({ commands }) => commands.length > 0), isSearching }
}

/** The pages of the open project come first. */
function usePages(): Command[] {
  const t = useT()
  const navigate = useNavigate()
  const project = useOpenProject()
  const links = useScreenLinks()
  const ofProject = links.filter(({ isOfProject }) => isOfProject)
  const others = links.filter(({ isOfProject }) => !isOfProject)
  return [...ofProject, ...others].map(({ name, to, title, icon, isOfProject }) => ({
    id: `page:${name}`,
    label: t(title),
    hint: isOfProject && project ? projectTitle(project, t) : undefined,
    icon,
    run: () => navigate(to),
  }))
}

/** The matching projects: the newest at once, the others as the server finds them. */
function useProjects(typed: string) {
  const t = useT()
  const navigate = useNavigate()
  const search = useSettled(typed.trim(), 200)
  const isSettled = search === typed.trim()
  const first = { ...firstPage, sort: 'newest' } as const
  const newest = useCall('listSubscriptions', first)
  const found = useCall('listSubscriptions', { ...first, search }, { enabled: search !== '' })
  const known = (newest.data?.subscriptions ?? []).filter(
    (project) => rankOf(projectTitle(project, t), typed) !== undefined,
  )
  const all = [...known, ...((isSettled && found.data?.subscriptions) || [])]
  const projects = [...new Map(all.map((project) => [project.id, project])).values()].map(
    (project): Command => ({
      id: `project:${project.id}`,
      label: projectTitle(project, t),
      hint: project.id,
      icon: FolderKanban,
      run: () => navigate(projectPath('subscription', project.id)),
    }),
  )
  return { projects, isSearching: !isSettled || newest.isLoading || found.isLoading }
}

function bestFirst(commands: Command[], typed: string) {
  return commands
    .map((command) => ({ command, rank: rankOf(command.label, typed) ?? Infinity }))
    .filter(({ rank }) => rank < Infinity)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ command }) => command)
}

function recentFirst(groups: Group[]): Group[] {
  const ids = recentIds()
  const all = groups.flatMap(({ commands }) => commands)
  const recent = ids.flatMap((id) => all.find((command) => command.id === id) ?? [])
  const others = groups.map(({ title, commands }) => ({
    title,
    commands: commands.filter(({ id, isRare }) => !isRare && !ids.includes(id)),
  }))
  return [{ title: 'palette.recent', commands: recent }, ...others]
}

const storageKey = 'recent-commands'
const most = 4

/** The newest first. */
function recentIds(): string[] {
  try {
    return JSON.parse(remembered(storageKey) ?? '[]')
  } catch {
    return []
  }
}

export function rememberCommand(id: string) {
  const ids = [id, ...recentIds().filter((other) => other !== id)]
  remember(storageKey, JSON.stringify(ids.slice(0, most)))
}
