import { paths } from '#contract/paths.ts'
import type { CallError } from '../../api/post.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { CallForm } from '../../components/call-form.tsx'
import { PasswordField, textOf } from '../../components/fields.tsx'
import { Message } from '../../components/message.tsx'
import { NewPasswordFields, samePasswords } from '../../components/new-password-fields.tsx'
import { useT } from '../../platform/i18n.ts'
import { ProviderButtons } from './providers.tsx'

type Props = {
  oobCode: string
  email: string
  /** Whether the user sets a new password, instead of typing the account's. */
  isNew: boolean
  onChoose: (isNew: boolean) => void
}

/** Lets somebody who is not signed in show that the account with the verified address is theirs. */
export function ClaimAccount({ oobCode, email, isNew, onChoose }: Props) {
  const t = useT()
  const form = { call: 'claimAccount', failed: 'auth.action.claim.failed', wide: true } as const
  const more = { reasons: { 'auth/invalid-credential': 'errors.auth/wrong-password' } } as const

  function explain({ reason }: CallError) {
    if (reason !== 'auth/invalid-action-code') return undefined
    return (
      <Message
        tone="warn"
        action={
          <ButtonLink to={paths.resetPassword} state={{ email }}>
            {t('auth.resetPassword')}
          </ButtonLink>
        }
      >
        {t('auth.action.claim.claimedAlready')}
      </Message>
    )
  }

  return (
    <section className="grid gap-4 border-t border-line pt-5">
      <div className="grid gap-1">
        <h2 className="text-card">
          {t(isNew ? 'auth.action.claim.newPasswordTitle' : 'auth.action.claim.title')}
        </h2>
        <p className="text-soft">
          {t(isNew ? 'auth.action.claim.newPasswordText' : 'auth.action.claim.text')}
        </p>
      </div>
      {isNew ? (
        <CallForm
          {...form}
          key="new"
          input={(values) => ({ oobCode, newPassword: textOf(values, 'newPassword') })}
          check={samePasswords}
          explain={explain}
          submit="auth.action.claim.newPasswordSubmit"
        >
          <NewPasswordFields email={email} />
        </CallForm>
      ) : (
        <CallForm
          {...form}
          {...more}
          key="present"
          input={(values) => ({ oobCode, password: textOf(values, 'password') })}
          explain={explain}
          submit="auth.action.claim.submit"
        >
          <input type="text" autoComplete="username" value={email} readOnly hidden />
          <PasswordField name="password" label="auth.password" autoComplete="current-password" />
        </CallForm>
      )}
      <Button variant="quiet" size="large" onClick={() => onChoose(!isNew)}>
        {t(isNew ? 'auth.action.claim.toPassword' : 'auth.action.claim.toNewPassword')}
      </Button>
      {!isNew && <ProviderButtons />}
    </section>
  )
}
