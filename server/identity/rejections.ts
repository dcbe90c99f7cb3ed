import { limits } from '#config/limits.ts'
import type { Services } from '../core/services.ts'
import { isRefusal, Refusal } from '../platform/refusal.ts'
import { after } from '../platform/time.ts'
import type { User } from '../store/users.ts'
import { endAccount } from './account-deletion.ts'
import { mailCode } from './action-codes.ts'
import { endAccess } from './credentials.ts'
import { giveBack } from './ways-back.ts'

/**
 * Locks an account that the owner of its address did not create. It is deleted later, so that a
 * mistake or a stolen link costs nothing. The caller has locked the user's row.
 */
export async function rejectAccount(user: User, services: Services) {
  const { store, now } = services
  if (user.claimed) throw new Refusal('auth/invalid-action-code')
  if (user.rejectedAt !== null) return {}
  if (await giveBack(user, services)) return { returned: true } as const
  const owned = await store.billing.listActiveOf(user.id)
  if (owned.length > 0) throw new Refusal('ownsActiveProjects')
  await endAccess(user, services)
  const life = limits.rejectedAccount
  const options = { life, mail: 'accountRejected', isNeeded: () => true } as const
  await Promise.all([
    store.users.reject({ id: user.id, now: now() }),
    mailCode(user, 'resetPassword', {}, services, options),
  ])
  return {}
}

/** Deletes the accounts whose time to be claimed is over. */
export async function deleteRejected(services: Services) {
  const before = after(services.now(), -limits.rejectedAccount)
  for (const id of await services.store.users.listRejected(before))
    await services
      .transaction((services) => endAccount(id, services, { rejectedBefore: before }))
      .catch((error: unknown) => {
        // Somebody has made it the owner of a project meanwhile. Nobody can sign in to it.
        if (!isRefusal(error, 'ownsActiveProjects')) throw error
      })
}
