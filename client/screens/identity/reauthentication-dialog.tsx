import { useRef } from 'react'
import { useCall } from '../../api/queries.tsx'
import { useSession } from '../../api/use-session.tsx'
import { Button } from '../../components/button.tsx'
import { CallForm } from '../../components/call-form.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { useT } from '../../i18n.ts'
import { ReauthenticateWithProvider } from './reauthenticate-with-provider.tsx'

const signedIn = 'signed-in'

/** Asks the user to sign in again: by password, or by provider where there is none. */
export function ReauthenticationDialog({ onClose }: { onClose: (signedIn: boolean) => void }) {
  const t = useT()
  const { user } = useSession()
  const { data, isPending } = useCall('getUser', {})
  const dialog = useRef<HTMLDialogElement>(null)
  const close = (result?: string) => dialog.current?.close(result)
  if (isPending) return null
  return (
    <Dialog
      ref={dialog}
      title={t('auth.again.title')}
      onClose={(result) => onClose(result === signedIn)}
    >
      <div className="grid gap-3">
        <p className="text-soft">{t('errors.auth/requires-recent-login')}</p>
        {data?.user.has_password === false ? (
          <ReauthenticateWithProvider
            providers={data.user.providers}
            onDone={() => close(signedIn)}
          />
        ) : (
          <CallForm
            call="reauthenticate"
            submit="auth.again.submit"
            onDone={() => close(signedIn)}
            wide
          >
            <input type="text" autoComplete="username" value={user.email} readOnly hidden />
            <PasswordField name="password" label="auth.password" autoComplete="current-password" />
          </CallForm>
        )}
        <Button size="large" onClick={() => close()}>
          {t('common.cancel')}
        </Button>
      </div>
    </Dialog>
  )
}
