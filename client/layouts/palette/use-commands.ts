import { fallbackLanguage, languages, type LanguageCode } from '#config/languages.ts'
import { isAdmin } from '#contract/access.ts'
import type { Subscription } from '#contract/entities.ts'
import { addressIn } from '#contract/mail-address.ts'
import { paths, projectPath } from '#contract/paths.ts'
import type { MessageKey } from '#locales/keys.ts'
import {
  Copy,
  FolderKanban,
  Keyboard,
  Languages,
  LogOut,
  Plus,
  ReceiptText,
  Undo2,
  UserPlus,
  UserRound,
  type LucideIcon,
} from 'lucide-react'
import { useLocation, useNavigate } from 'react-router'
import { chooseLanguage } from '../../api/own-language.ts'
import { useCall } from '../../api/queries.ts'
import { signOut, useSession } from '../../api/session.ts'
import { copyText } from '../../components/copy-id.tsx'
import { problemText } from '../../components/message.tsx'
import { themeIcons } from '../../components/theme-and-language.tsx'
import { firstPage } from '../../components/use-query.ts'
import { useSettled } from '../../components/use-settled.ts'
import { useLanguage, useT } from '../../platform/i18n.ts'
import { recentIds } from '../../platform/recent.ts'
import { chooseTheme, themes, useTheme } from '../../platform/theme.ts'
import { toastFailure } from '../../platform/toasts.ts'
import { helpLinks } from '../help-links.ts'
import { openShortcuts } from '../shortcuts.tsx'
import { projectTitle, useOpenProject } from '../use-project.ts'
import { useScreenLinks } from '../use-screen-links.ts'
import { useTakeBack } from '../use-take-back.ts'
import { bestFirst, nearly, type Command } from './command.ts'

/** The key of the commands used last, in this browser's storage. */
export const recentCommands = 'recent-commands'
/** Milliseconds after the last key until the server is asked. */
const pause = 200
const mostPeople = 5

/** The commands for what is typed, in groups. Found ones load later, so they come last. */
export function useCommands(typed: string) {
  const t = useT()
  const { pathname } = useLocation()
  const own = useOwn()
  const { found, isSearching } = useFound(typed)
  const invitation = useInvitation(typed)
  const all = [...own, ...found]

  /** What one does on the open screen, what one did last, and all the rest. */
  function unsearched() {
    const here = all.filter(({ does }) => isNextTo(does, pathname))
    const ids = recentIds(recentCommands)
    const recent = ids.flatMap((id) => all.filter((each) => each.id === id && !here.includes(each)))
    return [
      ...here.map((command) => ({ ...command, group: t('palette.here') })),
      ...recent.map((command) => ({ ...command, group: t('palette.recent') })),
      ...all.filter((each) => !each.isRare && !here.includes(each) && !recent.includes(each)),
    ]
  }

  function searched() {
    const exact = [...invitation, ...bestFirst(own, typed), ...found]
    return exact.length > 0 || isSearching ? exact : nearly(own, typed)
  }

  const shown = typed === '' ? unsearched() : searched()
  const titles = [...new Set(shown.map(({ group }) => group))]
  const groupOf = (title: string) => shown.filter(({ group }) => group === title)
  return { groups: titles.map((title) => ({ title, commands: groupOf(title) })), isSearching }
}

/** Whether an address is one step below the open screen. */
function isNextTo(does: Command['does'], pathname: string) {
  if (typeof does !== 'string' || !does.startsWith(pathname)) return false
  return /^[/#?][^/]+$/.test(does.slice(pathname.length))
}

/** Commands that open the screens of the project and all others, and actions. */
function useOwn(): Command[] {
  const t = useT()
  const { user } = useSession()
  const project = useOpenProject()
  const links = useScreenLinks().toSorted((a, b) => Number(b.isOfProject) - Number(a.isOfProject))
  const theme = useTheme()
  const language = useLanguage()
  const { offer: planned, takeBack } = useTakeBack(project, (error) =>
    toastFailure(t('billing.planned.failed'), problemText(error, t)),
  )

  type Does = Command['does']
  /** `id` is the name of its keywords, too. */
  const offer = (group: string, id: string, label: string, icon: LucideIcon, does: Does) => {
    return { id, group, label, words: t(`palette.words.${id}` as MessageKey), icon, does }
  }
  const act = (id: string, label: MessageKey, icon: LucideIcon, does: Does) =>
    offer(t('palette.actions'), id, t(label), icon, does)
  const copy = (text: string) => () => copyText(text, t('common.copied'))

  const screens = links.flatMap(({ name, to, title, icon, isOfProject }) => {
    const group = project && isOfProject ? projectTitle(project, t) : t('palette.pages')
    const screen = offer(group, name, t(title), icon, to)
    if (name === 'billing')
      return [
        screen,
        offer(group, 'invoices', t('billing.invoices'), ReceiptText, `${to}#invoices`),
      ]
    if (name !== 'users' || project?.status !== 'active' || project.access === 'lookOnly')
      return [screen]
    const invite = projectPath('invite', project.id)
    return [
      screen,
      offer(group, 'invite', t('users.invite'), UserPlus, invite),
      offer(group, 'inviteSeveral', t('users.inviteSeveral'), UserPlus, `${invite}?several`),
    ]
  })
  const codes = Object.keys(languages) as LanguageCode[]
  return [
    ...screens,
    act('createProject', 'dashboard.create', Plus, paths.createPlan),
    ...themes
      .filter((name) => name !== theme)
      .map((name) =>
        act(name, `palette.themes.${name}`, themeIcons[name], () => chooseTheme(name)),
      ),
    ...codes
      .filter((code) => code !== language)
      .map((code) => ({
        ...act('language', 'palette.language', Languages, () => chooseLanguage(code)),
        id: code,
        label: t('palette.language', { language: languages[code].name }),
        words: `${t('palette.words.language')}, ${namesOf(code, language)}`,
        isRare: true,
      })),
    ...(project ? [act('copyProjectId', 'palette.copyProjectId', Copy, copy(project.id))] : []),
    ...(planned ? [act(planned.name, planned.label, Undo2, takeBack)] : []),
    act('copyUserId', 'palette.copyUserId', Copy, copy(user.uid)),
    ...helpLinks.map(({ key, label, icon, href }) =>
      act(key, label, icon, () => void window.open(href, '_blank', 'noreferrer')),
    ),
    act('shortcuts', 'shortcuts.title', Keyboard, openShortcuts),
    act('signOut', 'layout.signOut', LogOut, signOut),
  ]
}

/** What a language is called in the shown one and in English. */
function namesOf(code: LanguageCode, shown: LanguageCode) {
  return [shown, fallbackLanguage]
    .map((of) => new Intl.DisplayNames(of, { type: 'language' }).of(code))
    .join(', ')
}

/** The invitation of an address that is typed, in a project whose people the user may invite. */
function useInvitation(typed: string): Command[] {
  const t = useT()
  const navigate = useNavigate()
  const { user } = useSession()
  const project = useOpenProject()
  const email = addressIn(typed.split(' ').at(-1)!)
  const mayInvite =
    project?.status === 'active' && project.access !== 'lookOnly' && isAdmin(project, user.uid)
  if (!email || !mayInvite) return []
  const label = t('palette.invite', { email })
  const does = () => navigate(projectPath('invite', project.id), { state: { email } })
  return [{ id: 'inviteTyped', group: projectTitle(project, t), label, icon: UserPlus, does }]
}

/**
 * People of the open project, for its administrators, and projects by name or id: of the newest
 * ones at once, then of all as the server finds them.
 */
function useFound(typed: string) {
  const t = useT()
  const { user } = useSession()
  const project = useOpenProject()
  const settled = useSettled(typed, pause)
  const search = settled === typed ? settled : ''
  const first = { ...firstPage, sort: 'newest' } as const
  const newest = useCall('listSubscriptions', first)
  const projects = useCall('listSubscriptions', { ...first, search }, { enabled: search !== '' })
  const people = useCall(
    'getSubscriptionUsers',
    { ...firstPage, subscriptionId: project?.id ?? '', search },
    { enabled: search !== '' && project !== undefined && isAdmin(project, user.uid) },
  )

  const open = (subscription: Subscription): Command => {
    const { id } = subscription
    const shown = { label: projectTitle(subscription, t), hint: id, icon: FolderKanban }
    const does = projectPath('subscription', id)
    return { id, group: t('palette.projects'), words: id, ...shown, does }
  }
  const known = bestFirst((newest.data?.subscriptions ?? []).map(open), typed)
  const all = [...known, ...(projects.data?.subscriptions ?? []).map(open)]
  const persons = (people.data?.users ?? []).slice(0, mostPeople)
  return {
    isSearching: settled !== typed || [newest, projects, people].some((call) => call.isLoading),
    found: [
      ...persons.map(({ id, display_name: name, email }): Command => {
        const shown = { label: name || email, hint: name ? email : undefined, icon: UserRound }
        // The list of users shows the chosen one.
        const does = `${projectPath('users', project!.id)}?${new URLSearchParams({ search: email })}`
        return { id, group: t('palette.people'), ...shown, does }
      }),
      ...new Map(all.map((command) => [command.id, command])).values(),
    ],
  }
}
