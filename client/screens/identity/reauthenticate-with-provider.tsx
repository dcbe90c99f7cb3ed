import { signOut } from '../../api/session.ts'
import { Button } from '../../components/button.tsx'
import { useT } from '../../i18n.ts'

type ReauthenticateWithProviderProps = { providers: string[]; onDone: () => void }

/** For those who have no password: a sign-in from the start is a recent one. */
export function ReauthenticateWithProvider(_: ReauthenticateWithProviderProps) {
  const t = useT()
  return (
    <>
      <p className="text-soft">{t('auth.again.withoutPassword')}</p>
      <Button variant="primary" size="large" onClick={() => void signOut()}>
        {t('auth.again.submit')}
      </Button>
    </>
  )
}
