import { lockDown, markEmailVerified } from '../../account-security.ts'
import { consumeCode, findCode, mailRecovery } from '../../action-codes.ts'
import { person, record } from '../../activity.ts'
import { changeContacts } from '../../billing/customer.ts'
import { handle } from '../../handle.ts'
import { Refusal } from '../../refusal.ts'
import type { Services } from '../../services.ts'
import type { User } from '../../store/users.ts'

type Apply = (user: User, email: string, services: Services) => Promise<void>

/** What each mailed link does when it is used. A new password comes with `confirmPasswordReset` instead. */
const applied: Record<string, Apply> = {
  async verifyEmail(user, email, services) {
    // A link that went to an address the account no longer has proves nothing about the present one.
    if (email !== user.email) throw new Refusal('auth/invalid-action-code')
    await markEmailVerified(user.id, services)
  },

  async verifyAndChangeEmail(user, email, services) {
    await setEmail(user, email, services)
    await services.store.actionCodes.endAllOf(user.id, ['verifyEmail', 'resetPassword', 'verifyAndChangeEmail'], services.now())
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

export const applyActionCode = handle('applyActionCode', async ({ input: { oobCode }, visit }, services) => {
  const find = () => findCode(oobCode, services)
  const { code } = await services.attempts.countFailed('codesByNetwork', visit.network, find)
  const apply = applied[code.mode]
  if (!apply) throw new Refusal('auth/invalid-action-code')
  // A change of credentials that is under way goes first, and may end the code.
  await services.store.users.lock(code.userId)
  await consumeCode(oobCode, services)
  await apply((await services.store.users.find(code.userId))!, code.email, services)
  return {}
})

async function setEmail(user: User, email: string, services: Services) {
  const { store, identity, now } = services
  if (!(await store.users.setEmail(user.id, email, now()))) throw new Refusal('auth/email-already-in-use')
  await identity.updateUser(user.id, { email, emailVerified: true })
  await record('emailChanged', { by: person(user), details: { from: user.email, to: email } }, services)
  await changeContacts(user.id, services)
}
