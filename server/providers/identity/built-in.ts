import { limits } from '#config/limits.ts'
import type { ActionCodeMode } from '#contract/entities.ts'
import { Refusal } from '../../refusal.ts'
import type { Services } from '../../services.ts'
import { after } from '../../sessions.ts'
import { newId, newToken } from '../../store/ids.ts'
import type { User } from '../../store/users.ts'
import type { Identity } from './identity.ts'
import { hashPassword, isPassword } from './passwords.ts'

/** Accounts on our own tables. */
export function openBuiltInIdentity(services: Omit<Services, 'identity'>): Identity {
  const { store, jobs, now, transaction } = services

  return {
    async signUp({ password, ...account }) {
      const passwordHash = await hashPassword(password)
      return transaction(async ({ store, jobs }) => {
        const user = await store.users.add({ ...account, id: newId(), passwordHash, now: now() })
        if (!user) throw new Refusal('auth/email-already-in-use')
        await mailCode(user, 'verifyEmail', { store, jobs, now })
        return user
      })
    },

    async signIn(email, password) {
      const found = await store.users.findWithPassword(email)
      if (!(await isPassword(password, found?.passwordHash))) throw new Refusal('auth/invalid-credential')
      return found!.user
    },

    async sendVerificationEmail({ uid }) {
      const user = (await store.users.find(uid))!
      if (user.emailVerified) throw new Refusal('alreadyVerified')
      await mailCode(user, 'verifyEmail', services)
    },

    async sendPasswordResetEmail(email) {
      const user = await store.users.findByEmail(email)
      if (user) await mailCode(user, 'resetPassword', { store, jobs, now })
    },

    async checkActionCode(code) {
      const { code: found } = await findCode(code, services)
      return { mode: found.mode, email: found.email }
    },

    async applyActionCode(code) {
      const { code: found, user } = await findCode(code, services, 'verifyEmail')
      await consume(code, services)
      // A code that was sent to an address the account no longer has proves nothing about the present one.
      if (found.email !== user.email) throw new Refusal('auth/invalid-action-code')
      await store.users.verifyEmail(user.id, now())
    },

    async confirmPasswordReset(code, newPassword) {
      const { code: found, user } = await findCode(code, services, 'resetPassword')
      const hash = await hashPassword(newPassword)
      await transaction(async (services) => {
        await consume(code, services)
        await services.store.users.setPassword(user.id, hash)
        // The link went to this address, so it is theirs.
        if (found.email === user.email) await services.store.users.verifyEmail(user.id, now())
        await services.store.sessions.endAllOf(user.id)
      })
    },

    async updateProfile(uid, changes) {
      await store.users.update(uid, changes, now())
    },
  }
}

type MailedBy = Pick<Services, 'store' | 'jobs' | 'now'>

async function mailCode(user: User, mode: 'verifyEmail' | 'resetPassword', { store, jobs, now }: MailedBy) {
  const code = newToken()
  const expiresAt = after(now(), limits.actionCodes[mode])
  await store.actionCodes.add({ code, userId: user.id, mode, email: user.email, now: now(), expiresAt })
  await jobs.add('sendMail', { mail: mode, to: user.email, language: user.language, values: { name: user.displayName, code } })
}

async function findCode(code: string, { store, now }: Pick<Services, 'store' | 'now'>, mode?: ActionCodeMode) {
  const found = await store.actionCodes.find(code)
  if (!found || found.code.endedAt || (mode && found.code.mode !== mode)) throw new Refusal('auth/invalid-action-code')
  if (found.code.expiresAt <= now()) throw new Refusal('auth/expired-action-code')
  return found
}

async function consume(code: string, { store, now }: Pick<Services, 'store' | 'now'>) {
  if (!(await store.actionCodes.consume(code, now()))) throw new Refusal('auth/invalid-action-code')
}
