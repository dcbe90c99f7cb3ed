import { languages, type LanguageCode } from '#config/languages.ts'
import { whyNot } from '#contract/access.ts'
import { paths, projectPath } from '#contract/paths.ts'
import type { MessageKey } from '#locales/keys.ts'
import {
  Copy,
  FolderKanban,
  Languages,
  LogOut,
  Plus,
  UserPlus,
  type LucideIcon,
} from 'lucide-react'
import { useNavigate } from 'react-router'
import { chooseLanguage } from '../api/own-language.ts'
import { useCall } from '../api/queries.tsx'
import { signOut, useSession } from '../api/session.ts'
import { copyText } from '../components/copy-id.tsx'
import { firstPage } from '../components/use-query.ts'
import { themeIcons } from '../components/theme-and-language.tsx'
import { useSettled } from '../components/use-settled.ts'
import { useLanguage, useT } from '../platform/i18n.ts'
import { remember, remembered } from '../platform/storage.ts'
import { chooseTheme, themes, useTheme } from '../platform/theme.ts'
import { projectTitle, useOpenProject } from './use-project.ts'
import { useScreenLinks } from './use-screen-links.ts'

export type Command = {
  id: string
  label: string
  hint?: string | undefined
  icon: LucideIcon
  /** Shown only when the user types part of its name. */
  isRare?: boolean
  run: () => unknown
}

type Group = { title: MessageKey; commands: Command[] }

/** The commands that match the typed text. Projects load later, so they move no other command. */
export function useCommands(typed: string) {
  const pages = usePages()
  const actions = useActions()
  const { projects, isSearching } = useProjects(typed)
  const all: Group[] = [
    { title: 'palette.pages', commands: bestFirst(pages, typed) },
    { title: 'palette.actions', commands: bestFirst(actions, typed) },
    { title: 'palette.projects', commands: projects },
  ]
  const groups = typed.trim() === '' ? recentFirst(all) : all
  return { groups: groups.filter(({ commands }) => commands.length > 0), isSearching }
}

/** Commands that open screens. Those of the open project come first. */
function usePages(): Command[] {
  const t = useT()
  const navigate = useNavigate()
  const project = useOpenProject()
  const links = useScreenLinks()
  const projectFirst = links.toSorted((a, b) => Number(b.isOfProject) - Number(a.isOfProject))
  return projectFirst.map(({ name, to, title, icon, isOfProject }) => ({
    id: `page:${name}`,
    label: t(title),
    hint: isOfProject && project ? projectTitle(project, t) : undefined,
    icon,
    run: () => navigate(to),
  }))
}

/** The actions that are possible on every screen, and those for the open project. */
function useActions(): Command[] {
  const t = useT()
  const navigate = useNavigate()
  const { user } = useSession()
  const project = useOpenProject()
  const theme = useTheme()
  const language = useLanguage()
  const actions: Command[] = []
  const offer = (id: string, label: string, icon: Command['icon'], run: () => unknown, hint = '') =>
    actions.push({ id, label, icon, run, hint })
  const copy = (text: string) => () => copyText(text, t('common.copied'))

  if (project && !whyNot({ needs: 'admin', onlyActive: true }, user.uid, project)) {
    const invite = projectPath('invite', project.id)
    const hint = projectTitle(project, t)
    offer('action:invite', t('users.invite'), UserPlus, () => navigate(invite), hint)
    const several = () => navigate(`${invite}?several`)
    offer('action:inviteSeveral', t('users.inviteSeveral'), UserPlus, several, hint)
  }
  if (project)
    offer('action:copyProjectId', t('palette.copyProjectId'), Copy, copy(project.id), project.id)
  offer('action:createProject', t('dashboard.create'), Plus, () => navigate(paths.createPlan))
  offer('action:copyUserId', t('palette.copyUserId'), Copy, copy(user.uid))
  for (const name of themes.filter((name) => name !== theme))
    offer(`theme:${name}`, t(`palette.themes.${name}`), themeIcons[name], () => chooseTheme(name))
  for (const [code, { name }] of Object.entries(languages) as [LanguageCode, { name: string }][])
    if (code !== language)
      actions.push({
        id: `language:${code}`,
        label: t('palette.language', { language: name }),
        icon: Languages,
        isRare: true,
        run: () => chooseLanguage(code),
      })
  offer('action:signOut', t('layout.signOut'), LogOut, signOut)
  return actions
}

/** The projects that match: of the newest ones at once, then of all as the server finds them. */
function useProjects(typed: string) {
  const t = useT()
  const navigate = useNavigate()
  const search = useSettled(typed.trim(), 200)
  const isSettled = search === typed.trim()
  const first = { ...firstPage, sort: 'newest' } as const
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

function bestFirst(commands: Command[], typed: string) {
  return commands
    .map((command) => ({ command, rank: rankOf(command.label, typed) ?? Infinity }))
    .filter(({ rank }) => rank < Infinity)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ command }) => command)
}

/** How well a label matches the typed words: 0 is best, undefined if a word is missing. */
function rankOf(label: string, typed: string) {
  const text = fold(label)
  const words = wordsOf(fold(typed))
  if (words.some((word) => !text.includes(word))) return undefined
  if (text.startsWith(words.join(' '))) return 0
  const starts = wordsOf(text)
  return words.every((word) => starts.some((start) => start.startsWith(word))) ? 1 : 2
}

/** Removes case and accents. Splits Korean syllables into letters: unfinished ones match, too. */
function fold(text: string) {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss')
}

function wordsOf(text: string) {
  return text.split(/\s+/).filter((word) => word !== '')
}

function recentFirst(groups: Group[]): Group[] {
  const ids = recentIds()
  const all = groups.flatMap(({ commands }) => commands)
  const recent = ids.flatMap((id) => all.find((command) => command.id === id) ?? [])
  const others = groups.map(({ title, commands }) => ({
    title,
    commands: commands.filter(({ id, isRare }) => !isRare && !ids.includes(id)),
  }))
  return [{ title: 'palette.recent', commands: recent }, ...others]
}

const storageKey = 'recent-commands'
const most = 4

/** The ids of recently used commands, the newest first. */
function recentIds(): string[] {
  try {
    return JSON.parse(remembered(storageKey) ?? '[]')
  } catch {
    return []
  }
}

export function rememberCommand(id: string) {
  const ids = [id, ...recentIds().filter((other) => other !== id)]
  remember(storageKey, JSON.stringify(ids.slice(0, most)))
}
