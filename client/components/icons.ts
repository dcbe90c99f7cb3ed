import {
  ChartNoAxesColumn,
  CreditCard,
  FolderKanban,
  History,
  Settings,
  ShieldCheck,
  UserRound,
  Users,
  UsersRound,
  type LucideIcon,
} from 'lucide-react'

const ofModules = import.meta.glob<LucideIcon>(['../../modules/*/icon.ts'], {
  eager: true,
  import: 'icon',
})

/** The icons of screens, and of areas of the activity log. A module's has the module's name. */
export const icons: Record<string, LucideIcon> = {
  account: ShieldCheck,
  billing: CreditCard,
  card: CreditCard,
  chart: ChartNoAxesColumn,
  history: History,
  people: UsersRound,
  person: UserRound,
  project: FolderKanban,
  projects: FolderKanban,
  settings: Settings,
  users: Users,
  ...Object.fromEntries(
    Object.entries(ofModules).map(([file, icon]) => [file.split('/').at(-2), icon]),
  ),
}
