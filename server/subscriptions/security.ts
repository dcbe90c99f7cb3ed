import { adminPermissions } from '#contract/access.ts'
import { projectName } from '#contract/project-name.ts'
import { record, type Operator } from '../activity/record.ts'
import { tell } from '../core/notices.ts'
import type { CurrentUser, Handlers, Services } from '../core/services.ts'
import { Refusal } from '../platform/refusal.ts'
import { seconds } from '../platform/time.ts'

export const securityCalls = {
  async updateSubscriptionSecurity({ input, subscription, user }, services) {
    const { requireSecondFactor, from } = input
    const { now, identity } = services
    if (!requireSecondFactor && from !== undefined)
      throw new Refusal('invalidInput', { fields: { from: 'unknown' } })
    if (requireSecondFactor && !identity.offersFactors) throw new Refusal('auth/factor-not-offered')
    if (user.session.secondStepAt === null)
      throw new Refusal('factorRequired', { from: subscription.second_factor_from })
    const at = Math.max(from ?? 0, seconds(now()))
    await setDemand(subscription, requireSecondFactor ? at : null, user, services)
    return {}
  },

  async remindOfSecondFactor({ subscription, user }, services) {
    const { id, second_factor_from: from } = subscription
    if (from === null) throw new Refusal('secondFactorNotRequired')
    const without = await services.store.members.listWithoutFactor(id)
    if (without.length === 0) return { reminded: 0 }
    await services.successLimits.consume(['secondFactorRemindersByProject', id])
    await services.jobs.add('mailSecondFactor', { subscriptionId: id, by: user.displayName })
    return { reminded: without.length }
  },
} satisfies Partial<Handlers>

type Demanding = { id: string; second_factor_from: number | null }

/**
 * Asks from a time on, in epoch seconds, or no more if null. The caller has locked the row. See
 * docs/decisions/022-asking-for-a-second-factor.md.
 */
export async function setDemand(
  { id, second_factor_from: was }: Demanding,
  from: number | null,
  by: CurrentUser | Operator,
  services: Services,
) {
  const { store, jobs, now } = services
  const isInForce = was !== null && was <= seconds(now())
  if (from === was || (from !== null && isInForce && from <= seconds(now()))) return
  const name = 'displayName' in by ? by.displayName : null
  await store.subscriptions.setSecondFactorFrom(id, from === null ? null : new Date(from * 1000))
  if (from === null) await record('secondFactorNotRequired', { by, in: id }, services)
  else await record('secondFactorRequired', { by, in: id, details: { at: String(from) } }, services)
  await jobs.add('mailSecondFactor', { subscriptionId: id, by: name })
}

/** Mails those who have no factor that the project asks for one, or its administrators that it does not. */
export async function mailSecondFactor(
  { subscriptionId, by }: { subscriptionId: string; by: string | null },
  services: Services,
) {
  const { store } = services
  const subscription = await store.subscriptions.find(subscriptionId)
  if (subscription?.status !== 'active') return
  const { settings, second_factor_from: from } = subscription
  const readers =
    from === null
      ? await store.users.listHolders(subscription.id, adminPermissions)
      : await store.members.listWithoutFactor(subscriptionId)
  const of = { project: projectName(settings), subscriptionId, by }
  for (const reader of readers.filter(({ claimed }) => claimed))
    await (from === null
      ? tell(reader, 'secondFactorNotRequired', of, services)
      : tell(reader, 'secondFactorRequired', { ...of, from }, services))
}
