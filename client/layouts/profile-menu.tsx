import { paths } from '#contract/paths.ts'
import { LogOut, UserRound } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useNavigate } from 'react-router'
import { useSignOut } from '../api/queries.tsx'
import { useSession } from '../api/use-session.tsx'
import { Avatar } from '../components/avatar.tsx'
import { useT } from '../i18n.ts'

export function ProfileMenu() {
  const t = useT()
  const navigate = useNavigate()
  const signOut = useSignOut()
  const { user } = useSession()
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger aria-label={t('layout.profileMenu')} className="ms-1 rounded-full">
        <Avatar name={user.displayName} />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={8}
          className="z-30 w-60 animate-appear rounded-notice border border-line bg-surface p-1 shadow-over"
        >
          <div className="px-3 py-2">
            <p className="truncate font-semibold">{user.displayName}</p>
            <p className="truncate text-small text-soft">{user.email}</p>
          </div>
          <DropdownMenu.Separator className="mx-1 my-1 h-px bg-line" />
          <DropdownMenu.Item onSelect={() => void navigate(paths.profile)} className={item}>
            <UserRound aria-hidden className="size-4" />
            {t('layout.myProfile')}
          </DropdownMenu.Item>
          <DropdownMenu.Item onSelect={() => void signOut()} className={item}>
            <LogOut aria-hidden className="size-4" />
            {t('layout.signOut')}
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

const item = 'flex h-9 cursor-pointer items-center gap-2.5 rounded-control px-3 outline-none data-highlighted:bg-sunken'
