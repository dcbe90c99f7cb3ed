import { paths } from '#contract/paths.ts'
import { LogOut, UserRound } from 'lucide-react'
import { useNavigate } from 'react-router'
import { signOut, useSession } from '../api/session.ts'
import { useCall } from '../api/queries.tsx'
import { Avatar } from '../components/avatar.tsx'
import { MenuButton } from '../components/menu-button.tsx'
import { useT } from '../platform/i18n.ts'

export function ProfileMenu() {
  const t = useT()
  const navigate = useNavigate()
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
      className="ms-1 rounded-full"
      head={head}
      actions={[
        {
          key: 'profile',
          label: t('layout.myProfile'),
          icon: UserRound,
          onSelect: () => void navigate(paths.profile),
        },
        { key: 'signOut', label: t('layout.signOut'), icon: LogOut, onSelect: signOut },
      ]}
    >
      <Avatar id={user.uid} name={user.displayName} url={data?.user.avatar_url} />
    </MenuButton>
  )
}
