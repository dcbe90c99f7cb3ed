import type { CallInput } from '#contract/calls.ts'
import type { At } from '#contract/plan.ts'
import { aWorld, billingInfo, type World } from '../world.ts'

type Chosen = Pick<CallInput<'previewSubscription'>, 'price' | 'promotionCode'>
type Wish = Chosen & {
  plan?: 'free' | 'pro' | 'enterprise'
  world?: World
  name?: string
  /** Null: none. */
  card?: string | null
  trial?: boolean
}
type Change = Omit<CallInput<'changeSubscriptionPlan'>, 'subscriptionId' | 'planId'>

/** Makes a project of the plans in tests/selling/, with what its owner saw before paying. */
export async function aSoldProject({
  plan = 'pro',
  price,
  promotionCode,
  world,
  name = 'owner',
  card = 'pm_card_visa',
  trial = false,
}: Wish = {}) {
  world ??= await aWorld()
  const owner = await world.aPerson(name)
  const wish = { planId: plan, price, trial, promotionCode }
  const { preview } = await owner.does('previewSubscription', wish)
  const paid = plan !== 'free' && { billingInfo: billingInfo(card ?? undefined) }
  const { subscriptionId } = await owner.does('createSubscription', { ...wish, ...paid })
  return {
    world,
    owner,
    subscriptionId,
    preview,
    change: (planId: string, more: Change = {}) =>
      owner.call('changeSubscriptionPlan', { subscriptionId, planId, ...more }),
    previewed: async (planId: string, more: Chosen & { at?: At; trial?: boolean } = {}) =>
      (await owner.does('previewPlanChange', { subscriptionId, planId, ...more })).preview,
    cancel: (at?: At) =>
      owner.call('cancelSubscription', { subscriptionId, confirmationId: subscriptionId, at }),
    resume: () => owner.call('resumeSubscription', { subscriptionId }),
    undo: () => owner.call('undoPlanChange', { subscriptionId }),
    /** The kinds of entries in the activity log since the creation, newest first, except payments. */
    kinds: async () => {
      const { activity } = await owner.does('listActivity', { subscriptionId })
      const all = activity.map(({ kind }) => kind)
      const since = all.slice(0, all.indexOf('projectCreated'))
      return since.filter((kind) => kind !== 'cardAdded' && kind !== 'paymentMade')
    },
    /** The subjects of the owner's mails, newest first. */
    subjects: async () => (await world.mails(owner.email)).map(({ subject }) => subject),
    project: () => owner.project(subscriptionId),
    invoices: () => owner.invoices(subscriptionId),
    row: async () => (await world.services.store.billing.find(subscriptionId))!,
    /** Moves the provider's clock to a time in seconds. */
    until: async (time: number) => {
      const now = await world.passAtProvider(1)
      await world.passAtProvider(time - now)
    },
  }
}
