import { isInvalid, whyNot } from '#contract/access.ts'
import type { CallRow } from '#contract/rows.ts'
import { Refusal } from '../platform/refusal.ts'
import type { CurrentUser, Services } from './services.ts'

type Asked = Pick<CallRow, 'needs' | 'onlyActive' | 'evenWithoutFactor'>
type Caller = { uid: string; session: Pick<CurrentUser['session'], 'secondStepAt'> } | undefined

/** Refuses as `whyNot` does, with the details that the app puts into words. */
export function requireAccess(
  { needs, ...row }: Asked,
  user: Caller,
  subscription: Parameters<typeof whyNot>[2],
  { now, log }: Services,
) {
  const passing = user && { secondStepAt: user.session.secondStepAt, now: now() }
  const reason = whyNot({ needs, ...row }, user?.uid, subscription, passing)
  if (!reason) return
  if (reason === 'factorRequired')
    throw new Refusal(reason, { from: subscription!.second_factor_from })
  if (reason === 'lookOnly') throw new Refusal(reason, { ...subscription?.look_only })
  if (reason !== 'permissionRequired' || typeof needs !== 'object') throw new Refusal(reason)
  if (isInvalid(needs)) log.error({ needs }, 'invalid permission requested')
  throw new Refusal(reason, { permissions: needs.permissions, all: needs.all ?? false })
}

/**
 * Locks the project and judges again. An `external` call may have waited for others, and its caller
 * may have been removed meanwhile.
 */
export async function requireAccessStill(row: Asked, user: Caller, id: string, services: Services) {
  const { subscriptions } = services.store
  const [, found] = await Promise.all([subscriptions.lock({ id }), subscriptions.find(id)])
  requireAccess(row, user, found, services)
}
