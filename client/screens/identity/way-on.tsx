import { paths } from '#contract/paths.ts'
import type { MessageKey } from '#locales/keys.ts'
import { useVisitor } from '../../api/session.ts'
import { ButtonLink } from '../../components/button.tsx'
import { useT } from '../../platform/i18n.ts'

type WayOnProps = { to: string; label: MessageKey; signIn?: MessageKey; email?: string | undefined }

/** A link that leads a signed-in user to `to`, and everybody else to the sign-in screen. */
export function WayOn({ to, label, signIn = 'auth.signIn', email }: WayOnProps) {
  const t = useT()
  const isSignedIn = useVisitor().status === 'signedIn'
  return (
    <ButtonLink
      to={isSignedIn ? to : paths.signIn}
      state={isSignedIn ? undefined : { email }}
      variant="primary"
      size="large"
    >
      {t(isSignedIn ? label : signIn)}
    </ButtonLink>
  )
}

/** Draws nothing for a signed-in user, who can't open the screen that resets a password. */
export function ToPasswordReset({ email }: { email: string }) {
  const t = useT()
  return useVisitor().status === 'signedOut' ? (
    <ButtonLink to={paths.resetPassword} state={{ email }}>
      {t('auth.resetPassword')}
    </ButtonLink>
  ) : null
}
