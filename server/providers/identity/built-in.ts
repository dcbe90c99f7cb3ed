import { limits } from '#config/limits.ts'
import { setTimeout as delay } from 'node:timers/promises'
import { Refusal } from '../../platform/refusal.ts'
import type { Store } from '../../store/store.ts'
import type { IsBreached } from './breached-passwords.ts'
import type { Caller, Identity, PreparedPassword } from './identity.ts'
import { acceptPassword, normalize } from './password-rules.ts'
import { hashPassword, isOutdated, isPassword } from './passwords.ts'

/** In the table `installation`: whether hashes of another system were ever put in. */
const moved = 'hashes of another system'

type Services = { store: Store; isBreached: IsBreached }

/** An account is a row of `users`, and its password's hash is a row of `passwords`. */
export function openBuiltInIdentity({ store, isBreached }: Services): Identity {
  /** Hashes of other systems take other times, and so would show which accounts have one. */
  async function hideTime(begun: number) {
    const rest = limits.passwords.wrongTakes - (performance.now() - begun)
    if (rest > 0 && (await store.installation.find(moved)) !== undefined) await delay(rest)
  }

  /**
   * Puts a hash of ours in place of `former`, unless the password has been changed meanwhile. If it
   * fails, the next sign-in tries again.
   */
  async function renew(userId: string, former: string, password: string, caller: Caller) {
    const hash = await hashPassword(normalize(password), caller)
    await store.users.replacePassword({ userId, former, hash })
  }

  return {
    async preparePassword(password, { email, caller }) {
      const accepted = await acceptPassword(password, email, isBreached)
      return (await hashPassword(accepted, caller)) as PreparedPassword
    },

    async createUser({ uid, password }) {
      if (password !== undefined) await store.users.setPassword({ userId: uid, hash: password })
    },

    async signInWithPassword({ user, passwordHash }, password, caller) {
      const begun = performance.now()
      if (!(await isPassword(password, passwordHash, caller))) {
        await hideTime(begun)
        throw new Refusal('auth/invalid-credential')
      }
      if (user!.disabled) throw new Refusal('auth/user-disabled')
      if (isOutdated(passwordHash!))
        await renew(user!.id, passwordHash!, password, caller).catch(() => undefined)
      return user!
    },

    async updateUser(uid, { password }) {
      if (password !== undefined) await store.users.setPassword({ userId: uid, hash: password })
    },

    offersFactors: true,

    async keepHashes(hashes) {
      await Promise.all([
        store.installation.put(moved, 'yes'),
        ...hashes.map((row) => store.users.setPassword(row)),
      ])
    },

    hasPassword: async ({ hasStoredPassword }) => hasStoredPassword,
    removePassword: (userId) => store.users.removePassword({ userId }),
    /** The database deletes the password with the user's row. */
    async deleteUser() {},
  }
}
