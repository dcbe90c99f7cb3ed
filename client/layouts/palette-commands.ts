import { languages, type LanguageCode } from '#config/languages.ts'
import { whyNot } from '#contract/access.ts'
import { paths, projectPath } from '#contract/paths.ts'
import type { MessageKey } from '#locales/keys.ts'
import { Copy, Languages, LogOut, Plus, ReceiptText, UserPlus, type LucideIcon } from 'lucide-react'
import { useLocation, useNavigate } from 'react-router'
import { chooseLanguage } from '../api/own-language.ts'
import { signOut, useSession } from '../api/session.ts'
import { copyText } from '../components/copy-id.tsx'
import { themeIcons } from '../components/theme-and-language.tsx'
import { useLanguage, useT } from '../platform/i18n.ts'
import { chooseTheme, themes, useTheme } from '../platform/theme.ts'
import { useFound } from './palette-found.ts'
import { bestFirst, rankOf, type Command } from './palette-match.ts'
import { recentIds } from './palette-recent.ts'
import { projectTitle, useOpenProject } from './use-project.ts'
import { useScreenLinks } from './use-screen-links.ts'

type Group = { title: string; commands: Command[] }

/** The commands that match the typed text. Found ones load later, so they come last. */
export function useCommands(typed: string) {
  const t = useT()
  const { pathname } = useLocation()
  const project = useOpenProject()
  const { ofProject, others } = usePages()
  const actions = useActions()
  const { projects, people, isSearching } = useFound(typed)
  const inProject = { title: project ? projectTitle(project, t) : '', commands: ofProject }
  const own = [
    inProject,
    { title: t('palette.pages'), commands: others },
    { title: t('palette.actions'), commands: actions },
  ]
  const found = [
    { title: t('palette.people'), commands: people },
    { title: t('palette.projects'), commands: projects },
  ]
  const shown =
    typed.trim() === ''
      ? sorted(own, found, { pathname, here: t('palette.here'), recent: t('palette.recent') })
      : [...bestGroupsFirst(own, typed), ...found]
  return { groups: shown.filter(({ commands }) => commands.length > 0), isSearching }
}

/** Commands that open screens: those of the open project, and all others. */
function usePages() {
  const t = useT()
  const wordsOf = useWords()
  const navigate = useNavigate()
  const { user } = useSession()
  const project = useOpenProject()
  const links = useScreenLinks()
  const opens = (id: string, to: string, label: string, icon: LucideIcon): Command => ({
    id,
    label,
    words: wordsOf(id.split(':')[1]!),
    icon,
    to,
    run: () => navigate(to),
  })
  const pagesOf = (isOfProject: boolean) =>
    links
      .filter((link) => link.isOfProject === isOfProject)
      .map(({ name, to, title, icon }) => opens(`page:${name}`, to, t(title), icon))
  const ofProject = pagesOf(true)
  if (project && !whyNot({ needs: 'admin' }, user.uid, project)) {
    const invoices = `${projectPath('billing', project.id)}#invoices`
    const afterBilling = ofProject.findIndex(({ id }) => id === 'page:billing') + 1
    const command = opens('page:invoices', invoices, t('billing.invoices'), ReceiptText)
    ofProject.splice(afterBilling, 0, command)
  }
  if (project && !whyNot({ needs: 'admin', onlyActive: true }, user.uid, project)) {
    const invite = projectPath('invite', project.id)
    const several = `${invite}?several`
    ofProject.push(
      opens('action:invite', invite, t('users.invite'), UserPlus),
      opens('action:inviteSeveral', several, t('users.inviteSeveral'), UserPlus),
    )
  }
  return { ofProject, others: pagesOf(false) }
}

/** The actions that are possible on every screen. */
function useActions(): Command[] {
  const t = useT()
  const wordsOf = useWords()
  const navigate = useNavigate()
  const { user } = useSession()
  const project = useOpenProject()
  const theme = useTheme()
  const language = useLanguage()
  const actions: Command[] = []
  const offer = (name: string, label: string, icon: Command['icon'], run: () => unknown) =>
    actions.push({ id: `action:${name}`, label, words: wordsOf(name), icon, run })
  const copy = (text: string) => () => copyText(text, t('common.copied'))

  offer('createProject', t('dashboard.create'), Plus, () => navigate(paths.createPlan))
  for (const name of themes.filter((name) => name !== theme))
    offer(name, t(`palette.themes.${name}`), themeIcons[name], () => chooseTheme(name))
  for (const [code, { name }] of Object.entries(languages) as [LanguageCode, { name: string }][])
    if (code !== language)
      actions.push({
        id: `language:${code}`,
        label: t('palette.language', { language: name }),
        words: wordsOf('language'),
        icon: Languages,
        isRare: true,
        run: () => chooseLanguage(code),
      })
  if (project) offer('copyProjectId', t('palette.copyProjectId'), Copy, copy(project.id))
  offer('copyUserId', t('palette.copyUserId'), Copy, copy(user.uid))
  offer('signOut', t('layout.signOut'), LogOut, signOut)
  return actions
}

/** The keywords of a screen or an action: the area `palette.words` of locales/, by its name. */
function useWords() {
  const t = useT()
  return (name: string) => t(`palette.words.${name}` as MessageKey)
}

/** The groups by how well their best command matches. */
function bestGroupsFirst(groups: Group[], typed: string): Group[] {
  const rankIn = ({ commands: [best] }: Group) => (best && rankOf(best, typed)) ?? Infinity
  return groups
    .map(({ title, commands }) => ({ title, commands: bestFirst(commands, typed) }))
    .toSorted((a, b) => rankIn(a) - rankIn(b))
}

type Sorted = { pathname: string; here: string; recent: string }

/** What one does on the open screen, what one did last, and all the rest. */
function sorted(own: Group[], found: Group[], { pathname, here, recent }: Sorted): Group[] {
  const ids = recentIds()
  const all = [...own, ...found].flatMap(({ commands }) => commands)
  const first = all.filter(({ to }) => to !== undefined && isNextTo(to, pathname))
  const last = ids.flatMap((id) => all.find((command) => command.id === id) ?? [])
  const shown = new Set([...first, ...last])
  return [
    { title: here, commands: first },
    { title: recent, commands: last.filter((command) => !first.includes(command)) },
    ...[...own, ...found].map(({ title, commands }) => ({
      title,
      commands: commands.filter((command) => !command.isRare && !shown.has(command)),
    })),
  ]
}

/** Whether an address is one step below the open screen. */
function isNextTo(to: string, pathname: string) {
  return to.startsWith(pathname) && /^[/#?][^/]+$/.test(to.slice(pathname.length))
}
