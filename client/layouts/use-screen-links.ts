import { whyNot } from '#contract/access.ts'
import { projectPath, type ProjectPathName } from '#contract/paths.ts'
import { screenEntries } from '#contract/screens.ts'
import { useSession } from '../api/session.ts'
import { icons } from '../components/icons.ts'
import { useOpenProject } from './use-project.ts'

/** Links to the screens with a title that the user may open, in the order of `screenEntries`. */
export function useScreenLinks() {
  const { user } = useSession()
  const project = useOpenProject()
  return screenEntries.flatMap(([name, { needs, onlyActive, path, ...link }]) => {
    if (!link.title || needs === 'signedOut') return []
    if (whyNot({ needs, onlyActive }, user.uid, project)) return []
    const isOfProject = path.includes(':id')
    const to = isOfProject ? projectPath(name as ProjectPathName, project!.id) : path
    const { title, icon, parent, menu = false } = link
    return [{ name, to, title, icon: icons[icon]!, parent, isOfProject, inMenu: menu }]
  })
}
