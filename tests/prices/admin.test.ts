import { expect, test } from 'vitest'
import { adminOf } from '../an-operator.ts'
import { aWorld } from '../world.ts'
import { aSoldProject } from './a-sold-project.ts'

test('an operator sees how a project pays and goes on, in the books of both sides', async () => {
  const world = await aWorld()
  const { subscriptionId, change, cancel, row } = await aSoldProject({
    world,
    plan: 'enterprise',
    price: { frequency: 'month', every: 3, currency: 'eur' },
  })
  const { json, run } = adminOf(world)
  const shown = async () => {
    await world.passAtProvider(1)
    const { ours, provider } = await json('project', subscriptionId)
    return { ours, provider }
  }
  const both = (fields: object) => ({ ours: fields, provider: fields })
  await change('pro', { price: { frequency: 'year' } })
  const at = (await row()).renewsAt!.toISOString()
  const price = { amount: 360_00, currency: 'eur' }
  expect(await shown()).toMatchObject(
    both({
      price: { amount: 297_00, currency: 'eur' },
      every: '3 month',
      scheduled: { plan: 'pro', price, every: '1 year', at, by: 'owner' },
      ends: null,
      trialEnds: null,
      discount: null,
    }),
  )
  await cancel()
  expect(await shown()).toMatchObject(both({ ends: at, endsBy: 'owner', scheduled: null }))
  const until = Number(new Date(at)) / 1000
  await world.services.store.billing.update(subscriptionId, {
    endsBy: 'operator',
    trialEndsAt: new Date(at),
    discount: { amount: 5_00, until: null },
    lookOnly: { because: 'overdue', until },
  })
  expect((await json('project', subscriptionId)).ours).toMatchObject({
    endsBy: 'operator',
    trialEnds: at,
    discount: { off: { amount: 5_00, currency: 'eur' }, until: null },
    lookOnly: { because: 'overdue', until: at },
  })
  expect(await run('project', subscriptionId)).toMatch(/^DISCOUNT\noff +€5\.00$/m)
})

test('refund reads an amount with the digits of the currency it was paid in', async () => {
  for (const [currency, part, amount, wrong] of [
    ['jpy', '500', 500, '5.00'],
    ['kwd', '2.500', 2_500, '2.50'],
  ] as const) {
    const { world, invoices } = await aSoldProject({ price: { frequency: 'month', currency } })
    const { run } = adminOf(world)
    const { id } = (await invoices())[0]!
    await expect(run('refund', id, wrong)).rejects.toThrow(`${wrong} is no amount`)
    await run('refund', id, part)
    expect((await invoices())[0]).toMatchObject({ amount_refunded: amount })
  }
})
