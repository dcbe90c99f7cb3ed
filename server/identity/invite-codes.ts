import type { Services, Visit } from '../core/services.ts'
import { Refusal } from '../platform/refusal.ts'

/** Returns the open invite that a mailed or copied link opens, and refuses other codes. */
export async function requireOpenInvite(
  code: string,
  visit: Visit,
  { store, rateLimits, now }: Services,
) {
  return rateLimits.limitFailures('codesByNetwork', visit.network, async () => {
    const found = await store.invites.findByCode(code)
    if (!found) throw new Refusal('inviteNotFound')
    const { status, expires } = found.invite
    if (status !== 'pending') throw new Refusal('inviteNotPending', { status })
    if (expires * 1000 <= now().getTime()) throw new Refusal('inviteExpired')
    return found
  })
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
