import { paths } from '#contract/paths.ts'
import type { CallError } from '../../api/post.ts'
import { TextLink } from '../../components/button.tsx'
import { CallForm, type CallFormProps } from '../../components/call-form.tsx'
import { PasswordField } from '../../components/fields.tsx'
import { Problem } from '../../components/message.tsx'
import { useT } from '../../platform/i18n.ts'

type SignInFormProps = Omit<CallFormProps<'signIn'>, 'call'> & {
  /** Makes links to other screens for visitors, which keep the address and the wanted place. */
  linkTo: (path: string) => { to: string; state: unknown }
}

/** Asks for the password. `children` is the field for the address, or says which one it is. */
export function SignInForm({ linkTo, children, ...form }: SignInFormProps) {
  const t = useT()
  const reset = linkTo(paths.resetPassword)

  function explain(error: CallError) {
    const isGuess = error.reason === 'auth/invalid-credential'
    if (!isGuess && error.details['way'] !== 'resetPassword') return undefined
    const wayOn = <TextLink {...reset}>{t('auth.resetPassword')}</TextLink>
    const words = { 'auth/too-many-requests': 'auth.tooManyGuesses', ...form.reasons } as const
    return <Problem error={error} failed="auth.signInFailed" words={words} action={wayOn} />
  }

  return (
    <CallForm call="signIn" failed="auth.signInFailed" explain={explain} focused wide {...form}>
      {children}
      <PasswordField
        name="password"
        label="auth.password"
        autoComplete="current-password"
        aside={
          <TextLink {...reset} className="text-small pointer-coarse:-my-3 pointer-coarse:py-3">
            {t('auth.forgotPassword')}
          </TextLink>
        }
      />
    </CallForm>
  )
}
