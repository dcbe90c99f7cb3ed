import { languages, type LanguageCode } from '#config/languages.ts'
import { whyNot } from '#contract/access.ts'
import { paths, projectPath } from '#contract/paths.ts'
import { Copy, Languages, LogOut, Monitor, Moon, Plus, Sun, UserPlus } from 'lucide-react'
import { useNavigate } from 'react-router'
import { chooseLanguage } from '../api/own-language.ts'
import { signOut } from '../api/session.ts'
import { useSession } from '../api/use-session.tsx'
import { copyText } from '../platform/copy-text.ts'
import { useLanguage, useT } from '../platform/i18n.ts'
import { chooseTheme, themes, useTheme } from '../platform/theme.ts'
import { projectTitle, useOpenProject } from './use-project.ts'
import type { Command } from './palette-command.ts'

const themeIcons = { light: Sun, dark: Moon, system: Monitor }

/** What can be done from anywhere, and in the open project. */
export function useActions(): Command[] {
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
