import { billingLimits } from '#config/limits.ts'
import { findPlan } from '#contract/access.ts'
import { isOver, week } from '@local/sandbox/testing'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { aBilledProject } from '../a-billed-project.ts'
import { aWorld, billingInfo } from '../world.ts'
import { readBooks } from './books.ts'

const { CHANCE_STEPS = '600', CHANCE_SEED = '5000' } = process.env

type Told = { says: string; does: (stage: Stage) => Promise<unknown> }
type Stage = Awaited<ReturnType<typeof aStage>>

const step: fc.Arbitrary<Told> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('pro', 'enterprise', 'pro', 'enterprise', 'free').map((planId) => ({
      says: `keeps a quote for ${planId}`,
      does: async (stage: Stage) => stage.keep(planId),
    })),
  },
  {
    weight: 3,
    arbitrary: fc.nat(3).map((which) => ({
      says: `uses the newest kept quote but ${which} that is for another plan`,
      does: async (stage: Stage) => stage.use(which),
    })),
  },
  {
    weight: 2,
    arbitrary: fc.constant({
      says: 'changes to the other paid plan without a quote',
      does: async (stage: Stage) => stage.toggle(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(1, 4, 6, 20, 50).map((minutes) => ({
      says: `waits ${minutes} minutes`,
      does: async ({ world }: Stage) => world.passAtProvider(minutes * 60),
    })),
  },
)
const story = fc.noBias(fc.array(step, { minLength: 40, maxLength: 40, size: 'max' }))

test(
  'no quote in any order gives more credit than was paid and five minutes of the dearer plan',
  { timeout: 3_600_000 },
  async () => {
    const numRuns = Math.ceil(Number(CHANCE_STEPS) / 5 / 40)
    await fc.assert(fc.asyncProperty(story, tell), {
      seed: Number(CHANCE_SEED),
      numRuns,
      endOnFailure: true,
    })
  },
)

async function tell(story: Told[]) {
  const stage = await aStage()
  const told: string[] = []
  for (const { says, does } of story) {
    told.push(says)
    await does(stage)
    // Each of a change's two amounts is rounded to a cent.
    expect(await stage.gain(), told.join('\n')).toBeLessThan(1.2)
  }
}

/** A project on pro, the kept quotes, and what its owner has for the money. */
async function aStage() {
  const world = await aWorld()
  const { preview, change, row } = await aBilledProject({ world })
  const kept: { planId: string; quote: string }[] = []
  let known = await look()
  /** What the use of a quote for credit may give: the dearer plan for five minutes. */
  let allowed = 0

  /** The provider's books. `price` is that of the present plan for a second. */
  async function look() {
    const { provider } = await readBooks(world.pool)
    const { planId, customerId } = await row()
    const customer = provider.customers.find(({ id }) => id === customerId)!
    const plan = provider.plans.find((plan) => plan.customer === customerId && !isOver(plan))
    const price = priceOf(planId)
    const left = plan ? plan.items.data[0]!.current_period_end - provider.now : 0
    const invoices = provider.invoices.filter((invoice) => invoice.customer === customerId)
    const paid = invoices.reduce((sum, { amount_paid }) => sum + amount_paid, 0)
    const owns = left * price - customer.balance
    return { planId, price, now: provider.now, balance: owns - paid }
  }

  async function changeTo(planId: string, quote?: string) {
    const buys = priceOf(known.planId) === 0 && priceOf(planId) > 0
    const billing = buys && { billingInfo: billingInfo('pm_card_visa') }
    return change(planId, { ...billing, quote })
  }

  return {
    world,
    async keep(planId: string) {
      const quote = (await preview(planId)).result?.quote
      if (quote !== undefined) kept.push({ planId, quote })
    },
    async use(which: number) {
      const others = kept.filter(({ planId }) => planId !== known.planId)
      const { planId, quote } = others.at(-1 - which) ?? {}
      if (planId === undefined) return
      const { result } = await changeTo(planId, quote)
      const saved = known.price - priceOf(planId)
      if (result && saved > 0) allowed = (saved * billingLimits.creditQuoteLife) / 1000
    },
    toggle: async () => changeTo(known.planId === 'enterprise' ? 'pro' : 'enterprise'),
    /** Cents that the owner has had or has since the last look, beyond what was paid and allowed. */
    async gain() {
      await world.untilWorkedOff()
      const { price, now, balance } = known
      known = await look()
      const had = (known.now - now) * price
      const beyond = had + known.balance - balance - allowed
      allowed = 0
      return beyond
    },
  }
}

function priceOf(planId: string) {
  return (findPlan(planId)!.price * 100) / week
}
