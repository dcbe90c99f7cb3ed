// @module-tag slow
import { expect, test } from 'vitest'
import { billingInfo, reasonOf } from '../world.ts'
import { aSoldProject } from './a-sold-project.ts'

const day = 24 * 3600

test('a project pays by the interval and in the currency that its owner chose', async () => {
  const price = { frequency: 'year', currency: 'eur' } as const
  const { preview, project, invoices } = await aSoldProject({ price })
  expect(preview).toMatchObject({
    currency: 'eur',
    due: 360_00,
    recurring: { amount: 360_00, currency: 'eur', frequency: 'year', every: 1 },
    weekly: null,
    lines: [{ kind: 'period', plan_id: 'pro', amount: 360_00 }],
  })
  expect(await project()).toMatchObject({
    price: { amount: 360_00, currency: 'eur', frequency: 'year', every: 1 },
    weekly: null,
    currency: 'eur',
    renews: expect.closeTo(preview.next_charge!, -1),
  })
  expect(await invoices()).toMatchObject([{ total: 360_00, currency: 'eur', status: 'paid' }])
})

test('amounts in yen and dinars are charged as their previews showed', async () => {
  for (const [currency, amount] of [
    ['jpy', 6_000],
    ['kwd', 12_500],
  ] as const) {
    const { preview, invoices } = await aSoldProject({ price: { frequency: 'month', currency } })
    expect([preview.currency, preview.due]).toEqual([currency, amount])
    expect(await invoices()).toMatchObject([{ total: amount, currency }])
  }
})

test('without a choice a project pays the first price in its first currency', async () => {
  const { preview } = await aSoldProject()
  expect(preview.recurring).toEqual({
    amount: 40_00,
    currency: 'usd',
    frequency: 'month',
    every: 1,
  })
})

test('a preview and a project have the weekly amount of a weekly price among others', async () => {
  const { preview, project } = await aSoldProject({ price: { frequency: 'week' } })
  expect(preview).toMatchObject({ weekly: 10_00, lines: [{ kind: 'week' }] })
  expect((await project()).weekly).toBe(10_00)
})

test('an interval or a currency that a plan is not sold for is refused', async () => {
  const { owner, subscriptionId } = await aSoldProject({ plan: 'free' })
  for (const price of [
    { frequency: 'day' },
    { frequency: 'month', every: 3 },
    { frequency: 'week', currency: 'jpy' },
    { frequency: 'month', currency: 'chf' },
  ] as const) {
    const wish = { planId: 'pro', price }
    const bought = { ...wish, billingInfo: billingInfo('pm_card_visa') }
    for (const answer of [
      await owner.call('previewSubscription', wish),
      await owner.call('createSubscription', bought),
      await owner.call('previewPlanChange', { subscriptionId, ...wish }),
      await owner.call('changeSubscriptionPlan', { subscriptionId, ...bought }),
    ])
      expect(reasonOf(answer)).toBe('priceNotSold')
  }
  const free = { planId: 'free', price: { frequency: 'month' } } as const
  expect(reasonOf(await owner.call('createSubscription', free))).toBe('priceNotSold')
  expect(await owner.projects()).toHaveLength(1)
})

test('the first payment fixes the currency, also of a project that was free in between', async () => {
  const { owner, subscriptionId, change, previewed, project } = await aSoldProject({
    price: { frequency: 'month', currency: 'eur' },
  })
  const wish = { subscriptionId, planId: 'enterprise' }
  const inDollars = { ...wish, price: { frequency: 'month', currency: 'usd' } } as const
  for (const call of ['previewPlanChange', 'changeSubscriptionPlan'] as const)
    expect((await owner.call(call, inDollars)).error!.details).toEqual({
      reason: 'currencyFixed',
      currency: 'eur',
    })
  expect((await previewed('enterprise')).recurring).toMatchObject({ amount: 108_00 })
  expect((await change('free', { at: 'now' })).result).toEqual({})
  expect(await project()).toMatchObject({ price: null, currency: 'eur' })
  expect(reasonOf(await owner.call('previewPlanChange', inDollars))).toBe('currencyFixed')
  const again = await change('pro', { trial: false, billingInfo: billingInfo('pm_card_visa') })
  expect(again.result).toEqual({})
  expect(await project()).toMatchObject({ price: { amount: 36_00, currency: 'eur' } })
})

test('a change to a year credits the rest of the month and begins the year at once', async () => {
  const { world, change, previewed, project, invoices } = await aSoldProject()
  await world.passAtProvider(10 * day)
  const price = { frequency: 'year' } as const
  const said = await previewed('pro', { price, at: 'now' })
  expect(said.lines.map(({ kind, plan_id }) => [kind, plan_id])).toEqual([
    ['unused', 'pro'],
    ['period', 'pro'],
  ])
  expect(said.recurring).toMatchObject({ amount: 400_00, frequency: 'year' })
  expect((await change('pro', { price, at: 'now' })).result).toEqual({})
  expect(await project()).toMatchObject({
    plan_id: 'pro',
    price: { amount: 400_00, frequency: 'year' },
    renews: expect.closeTo(said.next_charge!, -1),
  })
  const [invoice] = await invoices()
  expect(Math.abs(invoice!.amount_paid - said.due)).toBeLessThanOrEqual(1)
})

test('a change from a year to a month is charged next in a month', async () => {
  const { change, previewed, project } = await aSoldProject({ price: { frequency: 'year' } })
  const said = await previewed('enterprise')
  expect((said.next_charge! - Date.now() / 1000) / day).toBeLessThan(32)
  expect((await change('enterprise')).result).toEqual({})
  expect((await project()).renews).toBeCloseTo(said.next_charge!, -2)
})

test('with a quote, a change of interval charges just what was shown, days later', async () => {
  const { world, owner, subscriptionId, change, invoices } = await aSoldProject()
  await world.passAtProvider(3 * day)
  const wish = { subscriptionId, planId: 'enterprise', price: { frequency: 'year' } } as const
  const { preview, quote } = await owner.does('previewPlanChange', wish)
  await world.passAtProvider(600)
  const other = { price: { frequency: 'month', every: 3 } as const, quote }
  expect(reasonOf(await change('enterprise', other))).toBe('previewOutdated')
  expect((await change('enterprise', { price: wish.price, quote })).result).toEqual({})
  expect((await invoices())[0]!.total).toBe(preview.due)
})

test('the present plan for its present interval is no change, and for another one it is', async () => {
  const { change } = await aSoldProject()
  expect(reasonOf(await change('pro'))).toBe('samePlan')
  expect(reasonOf(await change('pro', { price: { frequency: 'month' } }))).toBe('samePlan')
  expect((await change('pro', { price: { frequency: 'week' }, at: 'now' })).result).toEqual({})
})

test('a price of the last of January renews on the last days of the following months', async () => {
  const { world, until } = await aSoldProject({ plan: 'free' })
  const year = new Date().getUTCFullYear() + 1
  await until(Date.UTC(year, 0, 31, 10) / 1000)
  const { project } = await aSoldProject({ world, name: 'ann' })
  for (const month of [1, 2, 3, 4]) {
    const lastDay = new Date(Date.UTC(year, month + 1, 0))
    const renews = new Date((await project()).renews! * 1000)
    expect(renews.toISOString().slice(0, 10)).toBe(lastDay.toISOString().slice(0, 10))
    await until(lastDay.getTime() / 1000 + 20 * 3600)
  }
})
