import { whyNot } from '#contract/access.ts'
import { paths, projectPath, type PathName, type ProjectPathName } from '#contract/paths.ts'
import type { MessageKey } from '#locales/keys.ts'
import {
  ChartNoAxesColumn,
  CreditCard,
  FolderKanban,
  History,
  Settings,
  UserRound,
  Users,
  type LucideIcon,
} from 'lucide-react'
import { useNavigate } from 'react-router'
import { useSession } from '../../api/use-session.tsx'
import { useT } from '../../i18n.ts'
import { projectTitle, useOpenProject } from '../use-project.ts'
import type { Command } from './command.ts'

type Page<Name> = { name: Name; label: MessageKey; icon: LucideIcon }
type Access = Parameters<typeof whyNot>[0]

const forEveryone: Page<PathName>[] = [
  { name: 'dashboard', label: 'layout.projects', icon: FolderKanban },
  { name: 'profile', label: 'layout.myProfile', icon: UserRound },
  { name: 'editName', label: 'profile.editName', icon: UserRound },
  { name: 'editEmail', label: 'profile.editEmail', icon: UserRound },
  { name: 'changePassword', label: 'profile.changePassword', icon: UserRound },
  { name: 'ownActivity', label: 'activity.ownTitle', icon: History },
  { name: 'deleteAccount', label: 'profile.deleteAccount', icon: UserRound },
]

const toMembers: Access = { needs: 'member' }
const toAdmins: Access = { needs: 'admin' }
const toOwner: Access = { needs: 'owner', onlyActive: true }

const ofProject: (Page<ProjectPathName> & { access: Access })[] = [
  { name: 'subscription', label: 'layout.dashboard', icon: ChartNoAxesColumn, access: toMembers },
  { name: 'users', label: 'layout.users', icon: Users, access: toAdmins },
  { name: 'billing', label: 'layout.billing', icon: CreditCard, access: toAdmins },
  { name: 'settings', label: 'layout.settings', icon: Settings, access: toAdmins },
  { name: 'activity', label: 'layout.activity', icon: History, access: toAdmins },
  {
    name: 'updateBillingDetails',
    label: 'billing.overview.updateDetails',
    icon: CreditCard,
    access: toOwner,
  },
  {
    name: 'managePaymentMethods',
    label: 'billing.overview.manageCards',
    icon: CreditCard,
    access: toOwner,
  },
  { name: 'changePlan', label: 'billing.change.title', icon: CreditCard, access: toOwner },
  { name: 'transferOwnership', label: 'billing.transfer.title', icon: CreditCard, access: toOwner },
  { name: 'cancelSubscription', label: 'billing.cancel.title', icon: CreditCard, access: toOwner },
]

/** The pages that are open to this person: those of the project they are in, and those of everyone. */
export function usePageCommands(): Command[] {
  const t = useT()
  const navigate = useNavigate()
  const { user } = useSession()
  const project = useOpenProject()
  const pages = forEveryone.map(({ name, label, icon }) => ({
    id: `page:${name}`,
    label: t(label),
    icon,
    run: () => navigate(paths[name]),
  }))
  if (!project) return pages
  const hint = projectTitle(project, t)
  const open = ofProject.filter(({ access }) => !whyNot(access, user.uid, project))
  return [
    ...open.map(({ name, label, icon }) => {
      return {
        id: `page:${name}`,
        label: t(label),
        hint,
        icon,
        run: () => navigate(projectPath(name, project.id)),
      }
    }),
    ...pages,
  ]
}
