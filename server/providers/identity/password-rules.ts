import { limits } from '#config/limits.ts'
import { Refusal } from '../../refusal.ts'

/** What every new password has to be, whoever keeps it. */
export function checkPassword(password: string) {
  if (password.length < limits.passwords.minLength) throw new Refusal('auth/password-does-not-meet-requirements')
}
