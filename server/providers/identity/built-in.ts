import { Refusal } from '../../platform/refusal.ts'
import type { Store } from '../../store/store.ts'
import type { Identity, PreparedPassword } from './identity.ts'
import { acceptPassword } from './password-rules.ts'
import { hashPassword, isPassword } from './passwords.ts'

/** An account is a row of `users`, and its password's hash is a row of `passwords`. */
export function openBuiltInIdentity({ store }: { store: Store }): Identity {
  return {
    async preparePassword(password, { email, caller }) {
      return (await hashPassword(acceptPassword(password, email), caller)) as PreparedPassword
    },

    async createUser({ uid, password }) {
      if (password !== undefined) await store.users.setPassword(uid, password)
    },

    async signInWithPassword(email, password, caller) {
      const found = await store.users.findWithPassword(email)
      if (!(await isPassword(password, found?.passwordHash, caller)))
        throw new Refusal('auth/invalid-credential')
      if (found!.user.disabled) throw new Refusal('auth/user-disabled')
      return found!.user
    },

    async updateUser(uid, { password }) {
      if (password !== undefined) await store.users.setPassword(uid, password)
    },

    hasPassword: async ({ hasStoredPassword }) => hasStoredPassword,
    removePassword: store.users.removePassword,
    /** The database deletes the password with the user's row. */
    async deleteUser() {},
  }
}
