import { projectPath } from '#contract/paths.ts'
import { FolderKanban } from 'lucide-react'
import { useNavigate } from 'react-router'
import { useCall } from '../../api/queries.tsx'
import { firstPage } from '../../components/use-pages.ts'
import { useSettled } from '../../components/use-settled.ts'
import { useT } from '../../i18n.ts'
import { projectTitle } from '../use-project.ts'
import { rankOf, type Command } from './command.ts'

/** The matching projects: the newest at once, the others as the server finds them. */
export function useProjectCommands(typed: string) {
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
