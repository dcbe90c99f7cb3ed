import type { Handlers, Services, Visit } from '../core/services.ts'
import { Refusal } from '../platform/refusal.ts'
import type { User } from '../store/users.ts'
import { rejectAccount } from './account-deletion.ts'
import { findVerification, toVerifiedAccount } from './action-codes.ts'
import { claim, takeOver } from './claims.ts'
import { changePassword } from './credentials.ts'
import { introduceDevice } from './devices.ts'
import { forgetGuesses, guardGuess } from './guessing.ts'
import { askSecondStep } from './resolvers.ts'
import { addAccessToken, lockRow, startSession } from './sessions.ts'

export const claimCalls = {
  async claimAccount({ input, user: caller, visit }, services) {
    const { oobCode, password, newPassword } = input
    if (password !== undefined && newPassword !== undefined)
      throw new Refusal('invalidInput', { fields: { newPassword: 'unknown' } })
    const { user } = await findVerification(oobCode, visit, services)
    if (newPassword !== undefined) return takeOverWith(newPassword, user, visit, services)
    if (password !== undefined) return claimWith(password, user, visit, services)
    if (caller?.uid !== user.id)
      throw new Refusal('invalidInput', { fields: { password: 'required' } })
    return services.transaction(async (services) => {
      await lockRow(caller, services)
      const claimed = await claim(await lockSame(user, services), services)
      return addAccessToken(claimed, caller.session.id, services)
    })
  },

  async rejectVerification({ input: { oobCode }, visit }, services) {
    const { user } = await findVerification(oobCode, visit, services)
    return rejectAccount(await lockSame(user, services), services)
  },
} satisfies Partial<Handlers>

async function claimWith(password: string, user: User, visit: Visit, services: Services) {
  const { email } = user
  const stored = await services.store.users.findCredentials(email)
  const judge = () => services.identity.signInWithPassword(stored, password, visit.network)
  const judged = await guardGuess({ email, owner: stored.user, visit, judge }, services)
  if (judged.hasSecondStep) throw await askSecondStep(judged, visit, services, { claims: email })
  const claimed = await services.transaction(async (services) => {
    const locked = await lockSame(user, services)
    // The password may have changed while it was checked.
    if (judged.id !== locked.id || judged.credentialsVersion !== locked.credentialsVersion)
      throw new Refusal('auth/invalid-credential')
    return claim(locked, services)
  })
  return startSession(claimed, visit, services)
}

async function takeOverWith(newPassword: string, user: User, visit: Visit, services: Services) {
  requireUnclaimed(user)
  const { email } = user
  const caller = visit.network
  const password = await services.identity.preparePassword(newPassword, { email, caller })
  const taken = await services.transaction(async (services) => {
    const locked = await lockSame(user, services)
    requireUnclaimed(locked)
    const taken = await takeOver(locked, services)
    await changePassword(taken, password, services)
    return taken
  })
  await forgetGuesses(taken, visit, services)
  introduceDevice(taken, visit, services)
  return startSession(taken, visit, services)
}

/** A claimed account's password changes only by a reset, however old the link is. */
function requireUnclaimed(user: User) {
  if (user.disabled) throw new Refusal('auth/user-disabled')
  if (user.claimed)
    throw new Refusal('auth/invalid-action-code', { account: toVerifiedAccount(user) })
}

/** Locks the account. Refuses if its address has changed since the link was checked. */
async function lockSame({ id, email }: User, { store }: Services) {
  const locked = await store.users.lock(id)
  if (locked?.email !== email) throw new Refusal('auth/invalid-action-code')
  return locked
}
