import { paths } from '#contract/paths.ts'
import { KeyRound } from 'lucide-react'
import { useRef, useState } from 'react'
import { call, useAction } from '../../api/call.ts'
import { useCall } from '../../api/queries.ts'
import { signOut, useSession } from '../../api/session.ts'
import { usePopup } from '../../api/use-popup.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { CallForm, FormActions } from '../../components/call-form.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { PasswordField } from '../../components/fields.tsx'
import { LiveProblem } from '../../components/message.tsx'
import {
  SecondStepFields,
  useSecondStepNeeded,
  useOwnFactors,
} from '../../components/second-step-fields.tsx'
import { useLanguage, useT } from '../../platform/i18n.ts'
import { runtime } from '../../platform/runtime.ts'
import { Or, PopupState, ProviderIcon } from './providers.tsx'

const signedIn = 'signed-in'

type ReauthenticationDialogProps = {
  /** Whether the session has to pass a second step, for which a password alone is not enough. */
  withStep: boolean
  onClose: (signedIn: boolean) => void
}

/**
 * Asks the user to sign in again: by passkey, by password, or by provider if they have no password.
 * If their second step is on, the last two ask for it too.
 */
export function ReauthenticationDialog({ withStep, onClose }: ReauthenticationDialogProps) {
  const t = useT()
  const { user } = useSession()
  const { data, isPending } = useCall('getUser', {})
  const own = useOwnFactors()
  const { isNeeded, onRefused } = useSecondStepNeeded(own.isOn)
  const [isPastProvider, setPastProvider] = useState(false)
  const dialog = useRef<HTMLDialogElement>(null)
  const close = (result?: string) => dialog.current?.close(result)
  if (isPending || own.isPending) return null
  const hasPassword = data?.user.has_password !== false
  const onlyByPasskey = withStep && !own.isOn
  const cancel = (
    <FormActions>
      <Button size="large" onClick={() => close()}>
        {t('common.cancel')}
      </Button>
    </FormActions>
  )
  return (
    <Dialog
      ref={dialog}
      title={t('auth.again.title')}
      onClose={(result) => onClose(result === signedIn)}
    >
      <div className="grid gap-3">
        <p className="text-soft">
          {t(withStep ? 'errors.factorRequired' : 'errors.auth/requires-recent-login')}
        </p>
        {own.hasPasskey && <Passkey onDone={() => close(signedIn)} />}
        {own.hasPasskey && !onlyByPasskey && <Or />}
        {onlyByPasskey ? (
          <>
            {!own.hasPasskey && (
              <ButtonLink to={paths.profile} variant="primary" size="large" onClick={() => close()}>
                {t('project.shut.setUp')}
              </ButtonLink>
            )}
            {cancel}
          </>
        ) : !hasPassword && !isPastProvider ? (
          <>
            <Providers
              providers={data.user.providers}
              onDone={() => (isNeeded ? setPastProvider(true) : close(signedIn))}
            />
            {cancel}
          </>
        ) : (
          <CallForm
            call="reauthenticate"
            submit="auth.again.submit"
            onDone={() => close(signedIn)}
            onRefused={onRefused}
            cancel={() => close()}
          >
            {hasPassword && (
              <>
                <input type="text" autoComplete="username" value={user.email} readOnly hidden />
                <PasswordField
                  name="password"
                  label="auth.password"
                  autoComplete="current-password"
                />
              </>
            )}
            {isNeeded && <SecondStepFields focus={!(hasPassword && own.isOn)} />}
          </CallForm>
        )}
      </div>
    </Dialog>
  )
}

/** It is both steps at once. */
function Passkey({ onDone }: { onDone: () => void }) {
  const t = useT()
  const { busy, error, run } = useAction('reauthenticate')

  async function ask() {
    const { askAnyPasskey } = await import('../../api/passkeys.ts')
    return { credential: (await askAnyPasskey()).credential }
  }

  return (
    <>
      <Button size="large" icon={<KeyRound />} busy={busy} onClick={() => void run(ask, onDone)}>
        {t('auth.secondStep.passkey')}
      </Button>
      <LiveProblem error={error} />
    </>
  )
}

type ProvidersProps = { providers: string[]; onDone: () => void }

/** For users without a password. If none of their providers is still offered, they sign out. */
function Providers({ providers, onDone }: ProvidersProps) {
  const t = useT()
  const language = useLanguage()
  const popup = usePopup()
  const offered = runtime.signInProviders.filter(({ name }) => providers.includes(name))
  if (offered.length === 0)
    return (
      <>
        <p className="text-soft">{t('auth.again.withoutPassword')}</p>
        <Button variant="primary" size="large" onClick={signOut}>
          {t('auth.again.submit')}
        </Button>
      </>
    )

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
