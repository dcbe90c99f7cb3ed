import { call } from '../../api/call.ts'
import { signOut } from '../../api/session.ts'
import { usePopup } from '../../api/use-popup.ts'
import { Button } from '../../components/button.tsx'
import { useLanguage, useT } from '../../i18n.ts'
import { runtime } from '../../runtime.ts'
import { PopupState } from './popup-state.tsx'
import { ProviderIcon } from './provider-icon.tsx'

type ReauthenticateWithProviderProps = { providers: string[]; onDone: () => void }

/**
 * For users without a password. If none of their providers is offered any more, they sign out and
 * in.
 */
export function ReauthenticateWithProvider({ providers, onDone }: ReauthenticateWithProviderProps) {
  const t = useT()
  const language = useLanguage()
  const popup = usePopup()
  const offered = runtime.signInProviders.filter(({ name }) => providers.includes(name))
  if (offered.length === 0) {
    return (
      <>
        <p className="text-soft">{t('auth.again.withoutPassword')}</p>
        <Button variant="primary" size="large" onClick={signOut}>
          {t('auth.again.submit')}
        </Button>
      </>
    )
  }

  async function findWindow(provider: string) {
    return (await call('startProviderFlow', { provider, intent: 'reauthenticate', language })).url
  }

  return (
    <>
      {offered.map(({ name, label }) => (
        <Button
          key={name}
          size="large"
          icon={<ProviderIcon name={name} />}
          onClick={() => void popup.open({ where: () => findWindow(name), onDone })}
        >
          {t('auth.again.with', { provider: label })}
        </Button>
      ))}
      <PopupState popup={popup} />
    </>
  )
}
