import { Refusal } from '../../platform/refusal.ts'
import type { Store } from '../../store/store.ts'
import type { Identity, PreparedPassword } from './identity.ts'
import { acceptPassword } from './password-rules.ts'
import { hashPassword, isPassword } from './passwords.ts'

/** An account is a row of `users`, and its password's hash is a row of `passwords`. */
export function openBuiltInIdentity({ store }: { store: Store }): Identity {
  return {
    async preparePassword(password, { email, caller }) {
      return (await hashPassword(await acceptPassword(password, email), caller)) as PreparedPassword
    },

    async createUser({ uid, password }) {
      if (password !== undefined) await store.users.setPassword({ userId: uid, hash: password })
    },

    async signInWithPassword({ user, passwordHash }, password, caller) {
      if (!(await isPassword(password, passwordHash, caller)))
        throw new Refusal('auth/invalid-credential')
      if (user!.disabled) throw new Refusal('auth/user-disabled')
      return user!
    },

    async updateUser(uid, { password }) {
      if (password !== undefined) await store.users.setPassword({ userId: uid, hash: password })
    },

    hasPassword: async ({ hasStoredPassword }) => hasStoredPassword,
    removePassword: (userId) => store.users.removePassword({ userId }),
    /** The database deletes the password with the user's row. */
    async deleteUser() {},
  }
}
