import { limits } from '#config/limits.ts'
import { projectPath } from '#contract/paths.ts'
import { FolderKanban } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { useCall } from '../../api/queries.tsx'
import { useT } from '../../i18n.ts'
import { projectTitle } from '../use-project.ts'
import type { Command } from './command.ts'
import { rankOf } from './match.ts'

/** Milliseconds. */
const pause = 200

/**
 * The person's projects that answer what is typed: of the newest at once, accents or not, and the others as the server finds them. What
 * was found for other words is never among them.
 */
export function useProjectCommands(typed: string) {
  const t = useT()
  const navigate = useNavigate()
  const search = useSettled(typed.trim())
  const first = { page: 1, pageSize: limits.pages.defaultSize, sort: 'newest' } as const
  const newest = useCall('listSubscriptions', first)
  const found = useCall('listSubscriptions', { ...first, search }, { enabled: search !== '' })
  const isSettled = search === typed.trim()
  const known =
    newest.data?.subscriptions.filter(
      (project) => rankOf(projectTitle(project, t), typed) !== undefined,
    ) ?? []
  const all = [...known, ...((isSettled && found.data?.subscriptions) || [])]
  const projects = [...new Map(all.map((project) => [project.id, project])).values()].map(
    (project): Command => {
      const run = () => navigate(projectPath('subscription', project.id))
      return {
        id: `project:${project.id}`,
        label: projectTitle(project, t),
        hint: project.id,
        icon: FolderKanban,
        run,
      }
    },
  )
  return { projects, isSearching: !isSettled || newest.isLoading || found.isLoading }
}

/** What was typed, when the typing stops. */
function useSettled(text: string) {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pause)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
