import { useState } from 'react'
import type { CallError } from '../../api/post.ts'
import { refreshUser, useSession } from '../../api/session.ts'
import { AddressField } from '../../components/address-field.tsx'
import { Breakable } from '../../components/breakable.tsx'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { useT } from '../../platform/i18n.ts'

/** Corrects an address with a mistake. Its user can't open the link that was mailed to it. */
export function WrongAddress() {
  const t = useT()
  const { user } = useSession()
  const [isAsking, setAsking] = useState(false)

  /** The user has opened the link on another device. */
  function learn({ reason }: CallError) {
    if (reason === 'alreadyVerified') void refreshUser()
  }

  return (
    <>
      <Button variant="quiet" onClick={() => setAsking(true)}>
        {t('profile.wrongAddress.action')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          call="correctEmail"
          title={t('profile.wrongAddress.title')}
          submit="profile.saveEmail"
          failed="profile.emailFailed"
          reasons={{ 'auth/too-many-requests': 'profile.tooManyVerifications' }}
          danger={false}
          onRefused={learn}
          onClose={() => setAsking(false)}
        >
          <p className="text-soft wrap-anywhere">
            <Breakable text={t('profile.wrongAddress.text', { email: user.email })} />
          </p>
          <AddressField
            name="email"
            label="profile.newEmail"
            autoComplete="email"
            maxLength={254}
            required
          />
        </ConfirmDialog>
      )}
    </>
  )
}
