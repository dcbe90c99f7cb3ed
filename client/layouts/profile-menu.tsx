import { paths } from '#contract/paths.ts'
import { LogOut, SunMoon, UserRound } from 'lucide-react'
import { signOut, useSession } from '../api/session.ts'
import { useCall } from '../api/queries.ts'
import { Avatar } from '../components/avatar.tsx'
import { classes } from '../components/classes.ts'
import { MenuButton, MenuLine } from '../components/menu-button.tsx'
import { themeIcons } from '../components/theme-and-language.tsx'
import { useT } from '../platform/i18n.ts'
import { chooseTheme, useTheme } from '../platform/theme.ts'
import { helpLinks } from './help-links.ts'

export function ProfileMenu() {
  const t = useT()
  const { user } = useSession()
  // The signed-in area loads the user's record. This call only reads it from the cache.
  const { data } = useCall('getUser', {}, { enabled: false })
  const head = (
    <>
      <p className="font-semibold">{user.displayName}</p>
      <p className="text-small text-soft">{user.email}</p>
    </>
  )
  return (
    <MenuButton
      label={t('layout.profileMenu')}
      className="touch-target relative ms-1 rounded-full"
      head={head}
      actions={[
        { key: 'profile', label: t('layout.myProfile'), icon: UserRound, to: paths.profile },
        { key: 'theme', content: <ThemeChoice /> },
        ...helpLinks.map(({ label, ...link }) => ({ ...link, label: t(label) })),
        { key: 'line', content: <MenuLine /> },
        { key: 'signOut', label: t('layout.signOut'), icon: LogOut, onSelect: signOut },
      ]}
    >
      <Avatar id={user.uid} name={user.displayName} url={data?.user.avatar_url} />
    </MenuButton>
  )
}

/** The themes side by side. A choice shows at once, and the menu stays open. */
function ThemeChoice() {
  const t = useT()
  const theme = useTheme()
  return (
    <fieldset
      aria-label={t('frame.theme')}
      className="flex min-h-9 items-center justify-between gap-4 ps-3 pe-1 max-fold:min-h-11"
    >
      <span aria-hidden className="flex items-center gap-2.5">
        <SunMoon className="size-4 text-soft" />
        {t('frame.theme')}
      </span>
      <span className="flex gap-0.5 rounded-control bg-sunken p-0.5 pointer-coarse:gap-4">
        {(['light', 'dark', 'system'] as const).map((choice) => {
          const Icon = themeIcons[choice]
          const label = t(`frame.themes.${choice}`)
          return (
            <button
              key={choice}
              type="button"
              role="menuitemradio"
              aria-checked={choice === theme}
              aria-label={label}
              title={label}
              data-label={label}
              tabIndex={-1}
              onClick={() => chooseTheme(choice)}
              className={classes(
                'touch-target relative grid size-7 place-items-center rounded-control border',
                choice === theme
                  ? 'border-line-strong bg-surface text-ink'
                  : 'border-transparent text-soft hover:text-ink',
              )}
            >
              <Icon className="size-4" />
            </button>
          )
        })}
      </span>
    </fieldset>
  )
}
