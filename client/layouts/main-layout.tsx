import { paths } from '#contract/paths.ts'
import { FolderKanban } from 'lucide-react'
import { Shell, type MenuItem } from './shell.tsx'

export const projectsItem: MenuItem = {
  to: paths.dashboard,
  label: 'layout.projects',
  icon: FolderKanban,
}

type MainLayoutProps = { extraItems?: MenuItem[]; withLanguages?: boolean }

/** Of everything that belongs to no project. A product with more to offer adds items of its own, or goes without the choice of languages. */
export function MainLayout({ extraItems = [], withLanguages = true }: MainLayoutProps) {
  return <Shell menu={[projectsItem, ...extraItems]} withLanguages={withLanguages} />
}
