import { Refusal } from '../../refusal.ts'
import type { Store } from '../../store/store.ts'
import type { Identity } from './identity.ts'
import { hashPassword, isPassword } from './passwords.ts'

/** Accounts on our own tables: what the product keeps about a user is the account, and a password is a row beside it. */
export function openBuiltInIdentity({ store }: { store: Store }): Identity {
  return {
    async createUser({ uid, password }) {
      if (password !== undefined) await store.users.setPassword(uid, await hashPassword(password))
    },

    async signInWithPassword(email, password) {
      const found = await store.users.findWithPassword(email)
      if (!(await isPassword(password, found?.passwordHash))) throw new Refusal('auth/invalid-credential')
      return found!.user
    },

    async updateUser(uid, { password }) {
      if (password !== undefined) await store.users.setPassword(uid, await hashPassword(password))
    },

    async hasPassword(uid) {
      return store.users.hasPassword(uid)
    },

    /** Goes with the user's row. */
    async deleteUser() {},
  }
}
