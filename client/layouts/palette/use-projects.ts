import { limits } from '#config/limits.ts'
import { projectPath } from '#contract/paths.ts'
import { FolderKanban } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { useCall } from '../../api/queries.tsx'
import { useT } from '../../i18n.ts'
import { projectTitle } from '../use-project.ts'
import type { Command } from './command.ts'

/** Milliseconds. */
const pause = 200

/** The person's projects that answer what is typed, as the server finds them; the newest while nothing is. */
export function useProjectCommands(typed: string) {
  const t = useT()
  const navigate = useNavigate()
  const search = useSettled(typed.trim())
  const { data, isFetching } = useCall(
    'listSubscriptions',
    { page: 1, pageSize: limits.pages.defaultSize, sort: 'newest', ...(search && { search }) },
    { keepPrevious: true },
  )
  const projects = (data?.subscriptions ?? []).map((project): Command => {
    const run = () => navigate(projectPath('subscription', project.id))
    return { id: `project:${project.id}`, label: projectTitle(project, t), hint: project.id, icon: FolderKanban, run }
  })
  return { projects, isSearching: isFetching || search !== typed.trim() }
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
