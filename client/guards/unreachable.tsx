import { Button } from '../components/button.tsx'
import { refreshSession } from '../api/session.ts'
import { useT } from '../i18n.ts'
import { AuthCard } from '../layouts/auth-card.tsx'

/** Shown when a session exists but the server can't be reached to name its user. */
export function Unreachable() {
  const t = useT()
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-auth content-center px-4 py-10">
      <AuthCard title={t('common.unreachableTitle')}>
        <p className="text-soft">{t('errors.network')}</p>
        <Button variant="primary" size="large" onClick={() => void refreshSession()}>
          {t('common.tryAgain')}
        </Button>
      </AuthCard>
    </main>
  )
}
