import { limits } from '#config/limits.ts'
import { projectPath } from '#contract/paths.ts'
import { FolderKanban } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { useCall } from '../../api/queries.tsx'
import { useT } from '../../i18n.ts'
import { projectTitle } from '../use-project.ts'
import { rankOf, type Command } from './command.ts'

/** Milliseconds. */
const pause = 200

/** The matching projects: the newest at once, the others as the server finds them. */
export function useProjectCommands(typed: string) {
  const t = useT()
  const navigate = useNavigate()
  const search = useSettled(typed.trim())
  const isSettled = search === typed.trim()
  const first = { page: 1, pageSize: limits.pages.defaultSize, sort: 'newest' } as const
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

/** What was typed, once the typing has paused. */
function useSettled(text: string) {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pause)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
