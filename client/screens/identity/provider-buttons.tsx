import { enterFromPopup } from '../../api/session.ts'
import { finishSignOut, isSignOutPending } from '../../api/sign-out.ts'
import { usePopup } from '../../api/use-popup.ts'
import { Button } from '../../components/button.tsx'
import { classes } from '../../components/classes.ts'
import { useLanguage, useT } from '../../i18n.ts'
import { runtime } from '../../runtime.ts'
import { PopupState } from './popup-state.tsx'
import { ProviderIcon } from './provider-icon.tsx'

const providers = runtime.signInProviders

export function ProviderButtons() {
  const t = useT()
  const language = useLanguage()
  const popup = usePopup()
  if (providers.length === 0) return null
  const many = providers.length > 2

  function signInWith(name: string) {
    const url = `/auth/provider/${name}?lang=${language}`
    return popup.open({
      where: isSignOutPending() ? () => finishSignOut().then(() => url) : url,
      onDone: enterFromPopup,
    })
  }

  return (
    <>
      <p className="flex items-center gap-3 text-small text-soft before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {t('auth.or')}
      </p>
      <div className={classes('grid gap-3', many && 'sm:grid-cols-2')}>
        {providers.map(({ name, label }) => (
          <Button
            key={name}
            size="large"
            icon={<ProviderIcon name={name} />}
            aria-label={t('auth.continueWith', { provider: label })}
            onClick={() => void signInWith(name)}
          >
            {many ? label : t('auth.continueWith', { provider: label })}
          </Button>
        ))}
      </div>
      <PopupState popup={popup} />
    </>
  )
}
