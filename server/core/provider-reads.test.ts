// @module-tag slow
import { readLimits } from '#config/limits.ts'
import { calls, type CallName } from '#contract/calls.ts'
import type { CallRow } from '#contract/rows.ts'
import { expect, test } from 'vitest'
import { aBilledProject } from '../../tests/a-billed-project.ts'
import { inputFor } from '../../tests/inputs.ts'
import { scrape, withMetrics } from '../../tests/metrics.ts'
import { aWorld, countOutcomes, inParallel, type World } from '../../tests/world.ts'

/** How many questions `ask` leads to at the payment provider. */
async function countAsked(world: World, ask: () => Promise<unknown>) {
  const count = async () =>
    Object.entries(await scrape(world))
      .filter(([name]) => name.startsWith('app_provider_requests_total{provider="stripe"'))
      .reduce((sum, [, asked]) => sum + asked, 0)
  const before = await count()
  await ask()
  return (await count()) - before
}

test('many reads of a project’s cards at once share a few questions to the payment provider', async () => {
  const world = await aWorld(withMetrics)
  const { owner, subscriptionId } = await aBilledProject({ world })
  await world.untilWorkedOff()
  const read = () => owner.call('getPaymentMethods', { subscriptionId })
  const once = await countAsked(world, read)
  // Longer than a busy machine needs to take all the reads.
  await world.control({ api: { delay: 4000 } })
  const asked = await countAsked(world, async () =>
    expect(countOutcomes(await inParallel(40, read))).toEqual({ done: 40 }),
  )
  expect(asked).toBeLessThan(20 * once)
})

test('a user who has just added a card at the payment provider sees it, also while others are being read', async () => {
  const { world, owner, subscriptionId } = await aBilledProject()
  await world.control({ api: { delay: 100 }, webhooks: { mode: 'drop' } })
  const { clientSecret } = await owner.does('createSetupIntent', { subscriptionId })
  const read = () => owner.cards(subscriptionId)
  const earlier = inParallel(5, read)
  const added = await world.confirmCard(clientSecret, 'pm_card_mastercard')
  expect((await read()).map(({ id }) => id)).toContain(added)
  await earlier
})

test('reads that ask the payment provider share a low rate limit per account', async () => {
  const { world, owner, subscriptionId } = await aBilledProject()
  const bob = await world.aPerson('bob')
  const rows = Object.entries<CallRow>(calls).filter(([, row]) => row.asksProvider)
  const asking = rows.map(([name]) => name as CallName)
  expect(asking.toSorted()).toEqual([
    'getBillingDetails',
    'getPaymentMethods',
    'listOwnPaymentMethods',
    'previewCancellation',
    'previewPayment',
    'previewPlanChange',
    'previewSubscription',
  ])
  const { tries } = readLimits.providerReadsByAccount
  world.services.readLimits.consume('providerReadsByAccount', owner.uid, tries)
  for (const name of asking) {
    const input = inputFor(name, subscriptionId) as never
    expect(await owner.refusal(name, input), name).toBe('auth/too-many-requests')
    expect(await bob.refusal(name, input), name).not.toBe('auth/too-many-requests')
  }
  await owner.does('getUser', {})
})
