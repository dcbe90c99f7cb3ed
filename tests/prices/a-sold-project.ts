import type { CallInput } from '#contract/calls.ts'
import { aWorld, billingInfo, type World } from '../world.ts'

type Chosen = { price?: CallInput<'previewSubscription'>['price'] }
type Wish = Chosen & {
  plan?: 'free' | 'pro' | 'enterprise'
  world?: World
  name?: string
  card?: string
}
type Change = Omit<CallInput<'changeSubscriptionPlan'>, 'subscriptionId' | 'planId'>

/** Makes a project of the plans in tests/selling/, with what its owner saw before paying. */
export async function aSoldProject({
  plan = 'pro',
  price,
  world,
  name = 'owner',
  card = 'pm_card_visa',
}: Wish = {}) {
  world ??= await aWorld()
  const owner = await world.aPerson(name)
  const wish = { planId: plan, price }
  const { preview } = await owner.does('previewSubscription', wish)
  const paid = plan !== 'free' && { billingInfo: billingInfo(card) }
  const { subscriptionId } = await owner.does('createSubscription', { ...wish, ...paid })
  return {
    world,
    owner,
    subscriptionId,
    preview,
    change: (planId: string, more: Change = {}) =>
      owner.call('changeSubscriptionPlan', { subscriptionId, planId, ...more }),
    previewed: async (planId: string, more: Chosen = {}) =>
      (await owner.does('previewPlanChange', { subscriptionId, planId, ...more })).preview,
    project: () => owner.project(subscriptionId),
    invoices: () => owner.invoices(subscriptionId),
    row: async () => (await world.services.store.billing.find(subscriptionId))!,
    /** Moves the provider's clock to a date. */
    untilDate: async (date: Date) => {
      const now = await world.passAtProvider(1)
      await world.passAtProvider(date.getTime() / 1000 - now)
    },
  }
}
