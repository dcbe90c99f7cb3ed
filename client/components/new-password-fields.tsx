import { limits } from '#config/limits.ts'
import type { Check } from './field-errors.ts'
import { PasswordField } from './fields.tsx'

/** A new password, twice. The hidden field tells password managers the user name. */
export function NewPasswordFields({ email }: { email: string }) {
  return (
    <>
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        name="newPassword"
        label="auth.newPassword"
        autoComplete="new-password"
        minLength={limits.passwords.minLength}
        maxLength={limits.passwords.maxLength}
        hint="auth.passwordHint"
      />
      <PasswordField name="confirm" label="auth.confirmPassword" autoComplete="new-password" />
    </>
  )
}

export const samePasswords: Check = (values) => {
  const repeated = values.get('confirm')
  return repeated === '' || repeated === values.get('newPassword')
    ? undefined
    : { confirm: 'auth.passwordsNoMatch' }
}
