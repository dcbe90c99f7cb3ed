import { lockDown, markEmailVerified, unlinkUnverified } from '../../account-security.ts'
import { consumeCode, findCode, mailRecovery, toVerifiedAccount } from '../../action-codes.ts'
import { person, record } from '../../activity.ts'
import { changeContacts } from '../../billing/customer.ts'
import { handle, type CurrentUser } from '../../handle.ts'
import { Refusal } from '../../refusal.ts'
import type { Services } from '../../services.ts'
import type { User } from '../../store/users.ts'

type Apply = (user: User, email: string, services: Services, caller: CurrentUser | undefined) => Promise<void>

/** What each mailed link does when it is used. A new password comes with `confirmPasswordReset` instead. */
const applied: Record<string, Apply> = {
  async verifyEmail(user, email, services, caller) {
    // A link that went to an address the account no longer has proves nothing about the present one.
    if (email !== user.email) throw new Refusal('auth/invalid-action-code')
    await markEmailVerified(user.id, services)
    // The person who reads the mail and is signed in to the account has linked these providers; else somebody else may have.
    if (caller?.uid === user.id) await services.store.providerLinks.markVerifiedOf(user.id)
    else await unlinkUnverified(user, services)
  },

  async verifyAndChangeEmail(user, email, services) {
    await setEmail(user, email, services)
    await services.store.actionCodes.endAllOf(user.id, ['verifyEmail', 'resetPassword'], services.now())
    await mailRecovery(user, email, services)
  },

  async recoverEmail(user, email, services) {
    await setEmail(user, email, services)
    await services.store.actionCodes.endAllOf(user.id, ['recoverEmail', 'secureAccount'], services.now())
    await lockDown({ ...user, email }, services)
  },

  async secureAccount(user, _email, services) {
    await lockDown(user, services)
  },
}

export const applyActionCode = handle('applyActionCode', async ({ input: { oobCode }, user: caller, visit }, services) => {
  const { code, user } = await services.attempts.countFailed('codesByAddress', visit.address, () => findCode(oobCode, services))
  const apply = applied[code.mode]
  if (!apply) throw new Refusal('auth/invalid-action-code')
  // Before the code's own row, as those do who delete the account.
  await services.store.users.lock(user.id)
  await consumeCode(oobCode, services)
  await apply(user, code.email, services, caller)
  return code.mode === 'verifyEmail' ? { account: toVerifiedAccount(user) } : {}
})

async function setEmail(user: User, email: string, services: Services) {
  const { store, identity, now } = services
  if (!(await store.users.setEmail(user.id, email, now()))) throw new Refusal('auth/email-already-in-use')
  await identity.updateUser(user.id, { email, emailVerified: true })
  await record('emailChanged', { by: person(user), details: { from: user.email, to: email } }, services)
  await changeContacts(user.id, services)
}
