import { paths } from '#contract/paths.ts'
import { FolderKanban } from 'lucide-react'
import { Shell, type MenuItem } from './shell.tsx'

export const projectsItem: MenuItem = { to: paths.dashboard, label: 'layout.projects', icon: FolderKanban }

export function MainLayout() {
  return <Shell menu={[projectsItem]} />
}
