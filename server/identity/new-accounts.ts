import type { LanguageCode } from '#config/languages.ts'
import { tidyName } from '#contract/names.ts'
import type { Services } from '../core/services.ts'
import type { PreparedPassword } from '../providers/identity/identity.ts'

type NewAccount = {
  /** A new id, from outside the transaction, which may begin anew. */
  id: string
  email: string
  /** The person who creates the account has proved the address, and so claims the account. */
  emailVerified: boolean
  displayName: string
  avatarUrl?: string | null
  language: LanguageCode | null
  password?: PreparedPassword
}

/** Undefined if another user has the address. */
export async function addAccount(
  { id, password, language, avatarUrl = null, ...account }: NewAccount,
  { store, identity, now }: Services,
) {
  const row = { id, ...account, claimed: account.emailVerified, avatarUrl, language }
  const user = await store.users.add({ ...row, now: now() })
  if (user) await identity.createUser({ uid: user.id, ...account, ...(password && { password }) })
  return user
}

/** A display name for somebody of whom nothing but the address is known. */
export function nameFrom(email: string) {
  return tidyName(email.split('@')[0]!.slice(0, 100)) || email
}
