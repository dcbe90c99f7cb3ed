import { limits } from '#config/limits.ts'
import { Refusal } from '../../refusal.ts'
import type { Store } from '../../store/store.ts'
import type { Identity } from './identity.ts'
import { hashPassword, isPassword } from './passwords.ts'

/** Accounts on our own tables: what the product keeps about a user is the account, and a password is a row beside it. */
export function openBuiltInIdentity({ store }: { store: Store }): Identity {
  return {
    async createUser({ uid, password }) {
      if (password !== undefined) await setPassword(uid, password, store)
    },

    async signInWithPassword(email, password) {
      const found = await store.users.findWithPassword(email)
      if (!(await isPassword(password, found?.passwordHash))) throw new Refusal('auth/invalid-credential')
      if (found!.user.disabled) throw new Refusal('auth/user-disabled')
      return found!.user
    },

    async updateUser(uid, { password }) {
      if (password !== undefined) await setPassword(uid, password, store)
    },

    async hasPassword(uid) {
      return store.users.hasPassword(uid)
    },

    async removePassword(uid) {
      await store.users.removePassword(uid)
    },

    /** Goes with the user's row. */
    async deleteUser() {},
  }
}

async function setPassword(uid: string, password: string, store: Store) {
  if (password.length < limits.passwords.minLength) throw new Refusal('auth/password-does-not-meet-requirements')
  await store.users.setPassword(uid, await hashPassword(password))
}
