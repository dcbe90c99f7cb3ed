import type { Invite } from '#contract/entities.ts'
import type { CurrentUser, Services, Visit } from '../core/services.ts'
import { Refusal } from '../platform/refusal.ts'
import { refuseGuess } from './action-codes.ts'
import { claim } from './claims.ts'
import { lockRow } from './sessions.ts'

/** Returns the open invite that a mailed or copied link opens, and refuses other codes. */
export async function requireOpenInvite(code: string, visit: Visit, services: Services) {
  const found = await services.store.invites.findByCode(code)
  if (!found) return refuseGuess('inviteNotFound', visit, services)
  const { status } = found.invite
  if (status !== 'pending') throw new Refusal('inviteNotPending', { status })
  if (hasExpired(found.invite, services)) throw new Refusal('inviteExpired')
  return found
}

/**
 * Claims the caller's account if the code was mailed to its address within the life of an invite.
 * It does not matter what has become of the invite.
 */
export async function claimByInvite(code: string, user: CurrentUser, services: Services) {
  const found = await services.store.invites.findByCode(code)
  if (!found?.isMailed || hasExpired(found.invite, services)) return
  await services.transaction(async (services) => {
    const row = await lockRow(user, services)
    if (row.email === found.invite.email) await claim(row, services)
  })
}

function hasExpired({ expires }: Invite, { now }: Services) {
  return expires * 1000 <= now().getTime()
}

/** Refuses unless the code belongs to an open invite that was mailed to the address. */
export async function requireInviteTo(
  email: string,
  code: string,
  visit: Visit,
  services: Services,
) {
  const { invite, isMailed } = await requireOpenInvite(code, visit, services)
  if (!isMailed || invite.email !== email) throw new Refusal('inviteNotFound')
}
