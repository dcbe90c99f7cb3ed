import { limits } from '#config/limits.ts'
import type { MessageKey } from '#locales/keys.ts'
import type { Check } from './field-errors.ts'
import { PasswordField } from './fields.tsx'

/** A new password, twice. The hidden field tells password managers the user name. */
export function NewPasswordFields({ email }: { email: string }) {
  return (
    <>
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <NewPasswordField name="newPassword" label="auth.newPassword" />
      <PasswordField name="confirm" label="auth.confirmPassword" autoComplete="new-password" />
    </>
  )
}

type NewPasswordFieldProps = { name: string; label: MessageKey }

/** A password that the server judges, with its rule as the hint. */
export function NewPasswordField(props: NewPasswordFieldProps) {
  return (
    <PasswordField
      {...props}
      autoComplete="new-password"
      minLength={limits.passwords.minLength}
      maxLength={limits.passwords.maxLength}
      hint="auth.passwordHint"
    />
  )
}

export const samePasswords: Check = (values) => {
  const repeated = values.get('confirm')
  return repeated === '' || repeated === values.get('newPassword')
    ? undefined
    : { confirm: 'auth.passwordsNoMatch' }
}
