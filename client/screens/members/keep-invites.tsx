import { Checkbox } from '../../components/fields.tsx'
import { useT } from '../../platform/i18n.ts'

type KeepInvitesProps = {
  /** How many open invitations the person sent. */
  count: number
  isKept: boolean
  onKeep: (isKept: boolean) => void
}

/** Says how many invitations end with their sender, and offers to keep them. Empty without any. */
export function KeepInvites({ count, isKept, onKeep }: KeepInvitesProps) {
  const t = useT()
  if (count === 0) return null
  return (
    <div className="grid gap-1 rounded-notice border border-line px-4 py-3">
      <p className="text-soft">{t('users.keepInvites.text', { count })}</p>
      <Checkbox checked={isKept} onChange={({ target }) => onKeep(target.checked)}>
        {t('users.keepInvites.action', { count })}
      </Checkbox>
    </div>
  )
}

/** Says how many of the user's own invitations end. Empty without any. */
export function OwnInvitesEnd({ count }: { count: number }) {
  const t = useT()
  return count > 0 && <p className="text-soft">{t('users.ownInvites', { count })}</p>
}
