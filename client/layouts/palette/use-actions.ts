import { languages, type LanguageCode } from '#config/languages.ts'
import { whyNot } from '#contract/access.ts'
import { paths, projectPath } from '#contract/paths.ts'
import { Copy, Languages, LogOut, Monitor, Moon, Plus, Sun, UserPlus } from 'lucide-react'
import { useNavigate } from 'react-router'
import { chooseLanguage } from '../../api/own-language.ts'
import { signOut } from '../../api/session.ts'
import { useSession } from '../../api/use-session.tsx'
import { copyText } from '../../copy-text.ts'
import { useLanguage, useT } from '../../i18n.ts'
import { chooseTheme, themes, useTheme } from '../../theme.ts'
import { projectTitle, useOpenProject } from '../use-project.ts'
import type { Command } from './command.ts'

const themeIcons = { light: Sun, dark: Moon, system: Monitor }
const choices = Object.entries(languages) as [LanguageCode, { name: string }][]

/** What can be done from anywhere, and in the project that is open. */
export function useActionCommands(): Command[] {
  const t = useT()
  const navigate = useNavigate()
  const { user } = useSession()
  const theme = useTheme()
  const language = useLanguage()
  return [
    ...useProjectActions(),
    {
      id: 'action:createProject',
      label: t('dashboard.create'),
      icon: Plus,
      run: () => navigate(paths.createPlan),
    },
    {
      id: 'action:copyUserId',
      label: t('palette.copyUserId'),
      icon: Copy,
      run: () => copyText(user.uid, t('common.copied')),
    },
    ...themes
      .filter((other) => other !== theme)
      .map((theme) => {
        return {
          id: `theme:${theme}`,
          label: t(`palette.themes.${theme}`),
          icon: themeIcons[theme],
          run: () => chooseTheme(theme),
        }
      }),
    ...choices
      .filter(([code]) => code !== language)
      .map(([code, { name }]) => {
        const label = t('palette.language', { language: name })
        return {
          id: `language:${code}`,
          label,
          icon: Languages,
          isRare: true,
          run: () => chooseLanguage(code),
        }
      }),
    { id: 'action:signOut', label: t('layout.signOut'), icon: LogOut, run: signOut },
  ]
}

function useProjectActions(): Command[] {
  const t = useT()
  const navigate = useNavigate()
  const { user } = useSession()
  const project = useOpenProject()
  if (!project) return []
  const hint = projectTitle(project, t)
  const invite = projectPath('invite', project.id)
  const mayInvite = !whyNot({ needs: 'admin', onlyActive: true }, user.uid, project)
  const invitations: Command[] = [
    {
      id: 'action:invite',
      label: t('users.invite'),
      hint,
      icon: UserPlus,
      run: () => navigate(invite),
    },
    {
      id: 'action:inviteSeveral',
      label: t('users.inviteSeveral'),
      hint,
      icon: UserPlus,
      run: () => navigate(`${invite}?several`),
    },
  ]
  return [
    ...(mayInvite ? invitations : []),
    {
      id: 'action:copyProjectId',
      label: t('palette.copyProjectId'),
      hint: project.id,
      icon: Copy,
      run: () => copyText(project.id, t('common.copied')),
    },
  ]
}
