import { isAdmin } from '#contract/access.ts'
import { projectPath } from '#contract/paths.ts'
import { FolderKanban, UserRound } from 'lucide-react'
import { useNavigate } from 'react-router'
import { useCall } from '../api/queries.tsx'
import { useSession } from '../api/session.ts'
import { useSettled } from '../components/use-settled.ts'
import { firstPage } from '../components/use-query.ts'
import { useT } from '../platform/i18n.ts'
import { rankOf, type Command } from './palette-match.ts'
import { projectTitle, useOpenProject } from './use-project.ts'

/** Milliseconds after the last key until the server is asked. */
const pause = 200
const mostPeople = 5

/** Projects and people that match. The server is asked once the user stops typing. */
export function useFound(typed: string) {
  const search = useSettled(typed.trim(), pause)
  const isSettled = search === typed.trim()
  const projects = useProjects(typed, isSettled ? search : '')
  const people = usePeople(isSettled ? search : '')
  const isSearching = !isSettled || projects.isLoading || people.isLoading
  return { projects: projects.commands, people: people.commands, isSearching }
}

/** Projects by name or id: of the newest ones at once, then of all as the server finds them. */
function useProjects(typed: string, search: string) {
  const t = useT()
  const navigate = useNavigate()
  const first = { ...firstPage, sort: 'newest' } as const
  const newest = useCall('listSubscriptions', first)
  const found = useCall('listSubscriptions', { ...first, search }, { enabled: search !== '' })
  const known = (newest.data?.subscriptions ?? []).filter(
    (project) =>
      project.id.startsWith(typed.trim()) ||
      rankOf({ label: projectTitle(project, t) }, typed) !== undefined,
  )
  const all = [...known, ...((search !== '' && found.data?.subscriptions) || [])]
  const commands = [...new Map(all.map((project) => [project.id, project])).values()].map(
    (project): Command => ({
      id: `project:${project.id}`,
      label: projectTitle(project, t),
      hint: project.id,
      icon: FolderKanban,
      run: () => navigate(projectPath('subscription', project.id)),
    }),
  )
  return { commands, isLoading: newest.isLoading || found.isLoading }
}

/** People of the open project, for its administrators. The list of users shows the chosen one. */
function usePeople(search: string) {
  const navigate = useNavigate()
  const { user } = useSession()
  const project = useOpenProject()
  const isWanted = search !== '' && project !== undefined && isAdmin(project, user.uid)
  const input = { ...firstPage, subscriptionId: project?.id ?? '', search }
  const { data, isLoading } = useCall('getSubscriptionUsers', input, { enabled: isWanted })
  const users = (isWanted && data?.users) || []
  const commands = users.slice(0, mostPeople).map(({ id, display_name: name, email }): Command => {
    const query = new URLSearchParams({ search: email }).toString()
    return {
      id: `person:${id}`,
      label: name || email,
      hint: name ? email : undefined,
      icon: UserRound,
      run: () => navigate(`${projectPath('users', project!.id)}?${query}`),
    }
  })
  return { commands, isLoading }
}
