// @module-tag slow
import { expect, test } from 'vitest'
import { aBilledProject } from '../../tests/a-billed-project.ts'
import { adminOf } from '../../tests/an-operator.ts'

const week = 7 * 24 * 3600

test('discount takes a part or an amount off the next payments, and says what they are', async () => {
  const { world, owner, subscriptionId, project, invoices } = await aBilledProject()
  const { run, json, acts } = adminOf(world)
  expect(await run('discount', subscriptionId, '20%', '1')).toMatch(
    /^The project \S+ gets 20% off for a month\. The next payment is \$8\.00, at \d{4}-.* UTC\.$/,
  )
  expect((await project()).discount).toEqual({ percent: 20, until: expect.any(Number) })
  await world.passAtProvider(week + 7200)
  expect((await invoices())[0]!.total).toBe(800)
  expect(await json('discount', subscriptionId, '2.50', 'forever')).toMatchObject({
    discount: { amount: 250, until: null },
    next: { amount: 750, currency: 'usd' },
  })
  expect(await run('discount', subscriptionId, '0')).toContain('gets no discount any more')
  expect((await project()).discount).toBeNull()
  await world.passAtProvider(week)
  expect((await invoices())[0]!.total).toBe(1000)
  expect((await acts()).map(({ kind, by }) => [kind, by])).toEqual([
    ['discountGiven', 'maria'],
    ['discountGiven', 'maria'],
    ['discountRemoved', 'maria'],
  ])
  const { activity } = await owner.does('listActivity', { subscriptionId, area: 'billing' })
  expect(activity.filter(({ details }) => details['discount'] === '20%')).toHaveLength(1)
})

test('discount refuses what is no discount, and projects that pay nothing', async () => {
  const { world, subscriptionId, invoices } = await aBilledProject()
  const { run, acts } = adminOf(world)
  for (const off of ['101%', '0%', '2.505', '1e3', 'all'])
    await expect(run('discount', subscriptionId, off, '3')).rejects.toThrow('is no discount')
  for (const months of [[], ['0'], ['many']])
    await expect(run('discount', subscriptionId, '20%', ...months)).rejects.toThrow('how many')
  const { subscriptionId: free } = await (await world.aPerson('other')).starts()
  await expect(run('discount', free, '20%', '3')).rejects.toThrow('pays nothing')
  expect(await acts()).toEqual([])
  expect(await invoices()).toHaveLength(1)
})
