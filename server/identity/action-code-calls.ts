import type { CallOutput } from '#contract/calls.ts'
import { record } from '../activity/record.ts'
import type { CurrentUser, Handlers, Services, Visit } from '../core/services.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Code } from '../store/action-codes.ts'
import type { User } from '../store/users.ts'
import { endAccount } from './account-deletion.ts'
import {
  consumeCode,
  findCode,
  findVerification,
  mailCode,
  toVerifiedAccount,
  undoing,
} from './action-codes.ts'
import { endFormerAccess, markEmailVerified, unlinkAll, unlinkUnverified } from './credentials.ts'
import { rememberDevice } from './devices.ts'
import { accountOf, findDevice, forgetGuesses } from './guessing.ts'
import { requireRow } from './sessions.ts'

export const actionCodeCalls = {
  async sendVerificationEmail({ user }, services) {
    await services.rateLimits.consume('verificationByAccount', user.uid)
    if (user.emailVerified) throw new Refusal('alreadyVerified')
    await mailCode(await requireRow(user, services), 'verifyEmail', {}, services)
    return {}
  },

  /** Neither the answer nor its timing shows whether the address has an account or gets a mail. */
  async sendPasswordResetEmail({ input: { email }, visit }, services) {
    if (await isWithinLimits(email, visit, services))
      await services.jobs.add('mailPasswordReset', { email })
    return {}
  },

  async checkActionCode({ input, visit }, services) {
    const { code, user } = await findCode(input.oobCode, visit, services)
    const { mode, email } = code
    if (mode === 'verifyAndChangeEmail') return { mode, email: user.email, newEmail: email }
    if (mode !== 'resetPassword') return { mode, email }
    const links = await services.store.providerLinks.listOf(user.id)
    const providers = links.filter((link) => !link.attachedUnverified).map((link) => link.provider)
    return { mode, email, ...(providers.length > 0 && { providers }) }
  },

  async applyActionCode({ input: { oobCode }, user: caller, visit }, services) {
    const { code } = await findCode(oobCode, visit, services)
    const apply = applied[code.mode]
    if (!apply) throw new Refusal('auth/invalid-action-code')
    // Credential changes and deletions lock the user's row first too, and may end the code.
    const [user] = await Promise.all([
      services.store.users.lock(code.userId),
      consumeCode(oobCode, code, services),
    ])
    if (!user) throw new Refusal('auth/invalid-action-code')
    return apply({ user, code, caller }, services)
  },

  /** Deletes an account that another person created with the address of the link's recipient. */
  async rejectVerification({ input, visit }, services) {
    const { user } = await findVerification(input.oobCode, visit, services)
    if (!(await endAccount(user.id, services))) throw new Refusal('auth/invalid-action-code')
    return {}
  },

  async confirmPasswordReset({ input, visit }, services) {
    const { oobCode, newPassword, unlinkProviders } = input
    const found = await findCode(oobCode, visit, services, 'resetPassword')
    const { code } = found
    const password = await services.identity.preparePassword(newPassword, {
      email: found.user.email,
      caller: visit.network,
    })
    const user = await services.transaction(async (services) => {
      const { store, identity, now } = services
      await Promise.all([store.users.lock(code.userId), consumeCode(oobCode, code, services)])
      const user = await endFormerAccess(code.userId, services)
      // The link was mailed to this address, so opening it verifies the address.
      const verified = code.email === user.email
      if (verified) await store.users.markVerified({ id: user.id, now: now() })
      await identity.updateUser(user.id, { password, ...(verified && { emailVerified: true }) })
      await (unlinkProviders ? unlinkAll(user, services) : unlinkUnverified(user, services))
      await record('passwordChanged', { by: user }, services)
      await mailCode(user, 'secureAccount', { change: { kind: 'passwordChanged' } }, services)
      return user
    })
    rememberDevice(user, visit, services)
    await forgetGuesses(user, visit, services)
    return {}
  },
} satisfies Partial<Handlers>

async function isWithinLimits(email: string, visit: Visit, services: Services) {
  const { rateLimits } = services
  const account = accountOf(email, services)
  const device = await findDevice(email, visit, services)
  if (device !== undefined) return rateLimits.tryConsume(['resetByDevice', `${account} ${device}`])
  return rateLimits.tryConsume(
    ['resetByNetwork', visit.network],
    ['resetByAccountAndNetwork', `${account} ${visit.network}`],
    ['resetByAccount', account],
  )
}

type Use = { user: User; code: Code; caller: CurrentUser | undefined }
type Apply = (use: Use, services: Services) => Promise<CallOutput<'applyActionCode'>>

/** What each link does. `resetPassword` needs a new password: see `confirmPasswordReset`. */
const applied: Record<string, Apply> = {
  async verifyEmail({ user, code, caller }, services) {
    // A link mailed to a former address proves nothing about the account's present address.
    if (code.email !== user.email) throw new Refusal('auth/invalid-action-code')
    await markEmailVerified(user.id, services)
    // Unless the caller is signed in to the account, another person may have linked them.
    const isOwn = caller?.uid === user.id
    if (isOwn) await services.store.providerLinks.markVerifiedOf(user.id)
    const unlinked = isOwn ? [] : await unlinkUnverified(user, services)
    return { account: toVerifiedAccount(user), ...(unlinked.length > 0 && { unlinked }) }
  },

  async verifyAndChangeEmail({ user, code }, services) {
    const { store, now } = services
    await setEmail(user, code.email, services)
    await store.actionCodes.endAllOf(user.id, ['verifyEmail', 'resetPassword'], now())
    await mailCode(user, 'recoverEmail', { newEmail: code.email }, services)
    return {}
  },

  recoverEmail: restoreAccount,
  secureAccount: restoreAccount,
}

/** Gives the account back to the address that the link was mailed to, and ends all other access. */
async function restoreAccount({ user, code }: Use, services: Services) {
  const { store, now } = services
  if (code.email !== user.email) await setEmail(user, code.email, services)
  await store.actionCodes.endAllOf(user.id, undoing, now(), { since: code.createdAt })
  await lockDown({ ...user, email: code.email }, services)
  return {}
}

async function setEmail(user: User, email: string, services: Services) {
  const { store, identity, now } = services
  if (!(await store.users.setEmail(user.id, email, now())))
    throw new Refusal('auth/email-already-in-use')
  await identity.updateUser(user.id, { email, emailVerified: true })
  await record('emailChanged', { by: user, details: { from: user.email, to: email } }, services)
  await services.jobs.add('updateContacts', { ownerId: user.id })
}

/** Ends every way into the account, and mails a link to set a new password. */
async function lockDown(user: User, services: Services) {
  await endFormerAccess(user.id, services)
  // Even an ended verification code can still be used to delete the account.
  await services.store.actionCodes.removeAllOf({ userId: user.id, modes: ['verifyEmail'] })
  await unlinkAll(user, services)
  await services.identity.removePassword(user.id)
  await record('passwordChanged', { by: user }, services)
  await mailCode(user, 'resetPassword', {}, services)
}
