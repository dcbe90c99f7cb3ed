// @module-tag slow
import { nextCharge } from '#contract/next-charge.ts'
import { expect, test } from 'vitest'
import { aDashboard } from '../a-billed-project.ts'
import { aWorld, billingInfo, reasonOf } from '../world.ts'
import { aSoldProject } from './a-sold-project.ts'

const day = 24 * 3600

test('a canceled project goes on until its paid period ends, and then ends without a payment', async () => {
  const { world, until, cancel, project, invoices, owner, subscriptionId, kinds } =
    await aSoldProject()
  const { renews } = await project()
  expect((await cancel()).result).toEqual({})
  expect(await project()).toMatchObject({ status: 'active', ends: renews, ends_by: 'owner' })
  await owner.invites(subscriptionId, 'guest@example.com')
  await until(renews! - day)
  expect((await project()).status).toBe('active')
  await world.passAtProvider(2 * day)
  expect((await project()).status).toBe('canceled')
  expect(await invoices()).toHaveLength(1)
  expect(await kinds()).toEqual(['projectCanceled', 'inviteSent', 'cancellationScheduled'])
})

test('an end can be taken back an hour before it comes, with one call, and the project renews', async () => {
  const { world, until, cancel, resume, project, invoices, kinds } = await aSoldProject()
  const { renews } = await project()
  await cancel()
  await until(renews! - 3600)
  expect((await resume()).result).toEqual({})
  expect(await project()).toMatchObject({ ends: null, ends_by: null })
  await world.passAtProvider(day)
  expect(await project()).toMatchObject({ status: 'active', payment: 'ok' })
  expect(await invoices()).toHaveLength(2)
  expect(reasonOf(await resume())).toBe('nothingToUndo')
  expect(await kinds()).toEqual(['cancellationWithdrawn', 'cancellationScheduled'])
})

test('a project can be ended at once where that is offered, also after an end was set', async () => {
  const { cancel, project } = await aSoldProject()
  await cancel('periodEnd')
  expect((await cancel('now')).result).toEqual({})
  expect((await project()).status).toBe('canceled')
})

test('a project that ends at once gets the rest of its period back, as was shown', async () => {
  const { world, owner, subscriptionId, until, cancel, project, invoices, kinds } =
    await aSoldProject({ price: { frequency: 'year', currency: 'eur' } })
  await until((await project()).renews! - 100 * day)
  const shown = await owner.does('previewCancellation', { subscriptionId })
  expect(shown.currency).toBe('eur')
  expect(shown.refund / 360_00).toBeCloseTo(100 / 365, 2)
  expect((await cancel('now')).result).toEqual({})
  await world.passAtProvider(1)
  expect((await project()).status).toBe('canceled')
  expect((await invoices())[0]!.amount_refunded).toBe(shown.refund)
  expect((await kinds()).toSorted()).toEqual(['paymentRefunded', 'projectCanceled'])
})

test('a free project and one that owes money end at once, and offer no later end', async () => {
  const free = await aSoldProject({ plan: 'free' })
  expect(reasonOf(await free.cancel('periodEnd'))).toBe('notOffered')
  expect(reasonOf(await free.resume())).toBe('nothingToUndo')
  expect((await free.cancel()).result).toEqual({})
  const { world, cancel, project } = await aSoldProject()
  await world.control({ charges: { fail: 9 } })
  await world.passAtProvider(35 * day)
  expect((await project()).payment).toBe('past_due')
  expect(reasonOf(await cancel('periodEnd'))).toBe('notOffered')
  expect((await cancel()).result).toEqual({})
})

test('what an operator has set at the provider is never taken back', async () => {
  const world = await aWorld()
  const { resume, undo, project, row } = await aSoldProject({ world })
  const { stripe } = await aDashboard(world)
  const id = (await row()).providerSubscriptionId!
  await stripe.subscriptions.update(id, { cancel_at_period_end: true })
  await world.passAtProvider(1)
  expect(await project()).toMatchObject({ ends: expect.any(Number), ends_by: 'operator' })
  expect([reasonOf(await resume()), reasonOf(await undo())]).toEqual([
    'nothingToUndo',
    'nothingToUndo',
  ])
})

test('what an operator schedules, changes and releases at the provider is seen at once', async () => {
  const world = await aWorld()
  const { project, row } = await aSoldProject({ world, plan: 'enterprise' })
  const { renews } = await project()
  const { stripe } = await aDashboard(world)
  const { id, phases } = await stripe.subscriptionSchedules.create({
    from_subscription: (await row()).providerSubscriptionId!,
  })
  const { items, start_date, end_date } = phases[0]!
  const present = { items: items.map(({ price }) => ({ price: price as string })) }
  const pro = (await stripe.prices.list({ lookup_keys: ['pro_year'] })).data[0]!.id
  const duration = { interval: 'year' } as const
  await world.passAtProvider(1)
  await stripe.subscriptionSchedules.update(id, {
    phases: [
      { ...present, start_date, end_date },
      { items: [{ price: pro }], duration },
    ],
  })
  await world.passAtProvider(1)
  const planned = { plan_id: 'pro', at: renews, by: 'operator' }
  expect((await project()).next_plan).toMatchObject(planned)
  await stripe.subscriptionSchedules.release(id)
  await world.passAtProvider(1)
  expect((await project()).next_plan).toBeNull()
})

test('a change to the free plan waits for the end of the period, and can be undone', async () => {
  const { world, change, undo, previewed, project, invoices } = await aSoldProject()
  const { renews } = await project()
  expect(await previewed('free')).toMatchObject({
    starts: renews,
    due: 0,
    credited: 0,
    recurring: null,
    next_charge: null,
  })
  const planned = { plan_id: 'free', price: null, at: renews, by: 'owner' }
  for (const _ of ['once', 'again']) expect((await change('free')).result).toEqual({})
  expect(await project()).toMatchObject({ plan_id: 'pro', next_plan: planned, ends: null })
  expect(nextCharge(await project())).toBeUndefined()
  expect((await undo()).result).toEqual({})
  expect(await project()).toMatchObject({ plan_id: 'pro', next_plan: null })
  await change('free')
  await world.passAtProvider(32 * day)
  expect(await project()).toMatchObject({ plan_id: 'free', status: 'active', next_plan: null })
  expect(await invoices()).toHaveLength(1)
})

test('a dearer plan is had at once alone, and takes back an end that was set', async () => {
  const { cancel, change, project } = await aSoldProject()
  expect(reasonOf(await change('enterprise', { at: 'periodEnd' }))).toBe('notOffered')
  await cancel()
  expect((await change('enterprise')).result).toEqual({})
  expect(await project()).toMatchObject({ plan_id: 'enterprise', ends: null, ends_by: null })
})

test('a smaller plan comes when the paid period ends, for what was shown', async () => {
  const { world, change, previewed, project, invoices, kinds } = await aSoldProject({
    plan: 'enterprise',
    price: { frequency: 'month', every: 3 },
  })
  const { renews } = await project()
  const price = { frequency: 'year' } as const
  const said = await previewed('pro', { price })
  expect(said).toMatchObject({
    starts: renews,
    due: 0,
    lines: [{ kind: 'period', plan_id: 'pro', amount: 400_00 }],
    next_charge: renews,
  })
  for (const _ of ['once', 'again'])
    expect(await change('pro', { price })).toMatchObject({ result: {} })
  expect(await project()).toMatchObject({
    plan_id: 'enterprise',
    next_plan: { plan_id: 'pro', price: said.recurring, at: renews },
  })
  await world.passAtProvider(93 * day)
  expect(await project()).toMatchObject({ plan_id: 'pro', price: said.recurring, next_plan: null })
  expect((await invoices()).map(({ total }) => total)).toEqual([400_00, 330_00])
  expect(await kinds()).toEqual(['planChanged', 'planChangeScheduled'])
})

test('a scheduled change can be replaced, undone twice, and gives way to an end', async () => {
  const { change, undo, cancel, resume, project } = await aSoldProject({ plan: 'enterprise' })
  await change('pro')
  const weekly = { price: { frequency: 'week' } } as const
  expect((await change('pro', { ...weekly, at: 'periodEnd' })).result).toEqual({})
  expect((await project()).next_plan).toMatchObject({ price: { frequency: 'week' } })
  expect((await undo()).result).toEqual({})
  expect(reasonOf(await undo())).toBe('nothingToUndo')
  await change('pro')
  expect((await cancel()).result).toEqual({})
  expect(await project()).toMatchObject({ next_plan: null, ends_by: 'owner' })
  await resume()
  expect((await change('pro')).result).toEqual({})
  expect((await undo()).result).toEqual({})
  expect(await project()).toMatchObject({ plan_id: 'enterprise', next_plan: null, ends: null })
})

test('a change at once, and a transfer, take a scheduled change back', async () => {
  const { world, owner, subscriptionId, change, project } = await aSoldProject({
    plan: 'enterprise',
  })
  await change('pro')
  expect((await change('pro', { at: 'now' })).result).toEqual({})
  expect(await project()).toMatchObject({ plan_id: 'pro', next_plan: null })
  await change('free')
  const bob = await world.aPerson('bob')
  await world.addMember(subscriptionId, bob, ['admin'])
  await owner.transfers(subscriptionId, bob)
  await bob.does('acceptOwnership', { subscriptionId })
  expect(await bob.project(subscriptionId)).toMatchObject({ plan_id: 'pro', next_plan: null })
})

test('only the owner of an active project can take something back', async () => {
  const { world, owner, subscriptionId, cancel } = await aSoldProject()
  await cancel()
  const bob = await world.aPerson('bob')
  await world.addMember(subscriptionId, bob, ['admin'])
  for (const call of ['resumeSubscription', 'undoPlanChange'] as const) {
    expect(reasonOf(await bob.call(call, { subscriptionId }))).toBe('ownerOnly')
    await cancel('now')
    expect(reasonOf(await owner.call(call, { subscriptionId }))).toBe('subscriptionCanceled')
  }
})

test('a project that was bought after a free one can change at the end of its period too', async () => {
  const { change, project } = await aSoldProject({ plan: 'free' })
  await change('enterprise', { trial: false, billingInfo: billingInfo('pm_card_visa') })
  expect((await change('pro')).result).toEqual({})
  expect((await project()).next_plan).toMatchObject({ plan_id: 'pro' })
})

test('after a lost answer at any step, what waits for the end can be asked for again', async () => {
  const world = await aWorld()
  const { change, undo, cancel, resume, project } = await aSoldProject({
    world,
    plan: 'enterprise',
  })
  const acts = [() => change('pro'), undo, () => cancel('periodEnd'), resume]
  const outcomes: (string | undefined)[] = []
  for (let skip = 0; skip < 9; skip++)
    for (const act of acts) {
      // The SDK repeats a request once.
      await world.control({ api: { fault: 500, skip, times: 2, at: 'after' } })
      const answer = await act()
      outcomes.push(answer.error && reasonOf(answer))
      await world.control({ reset: true })
      const again = await act()
      expect(again.result ?? reasonOf(again)).toEqual(
        act === undo || act === resume ? expect.toBeOneOf([{}, 'nothingToUndo']) : {},
      )
      const { next_plan: next, ends } = await project()
      expect([next?.plan_id, ends !== null]).toEqual(
        act === acts[0] ? ['pro', false] : [undefined, act === acts[2]],
      )
    }
  expect(new Set(outcomes)).toEqual(new Set([undefined, 'paymentsUnavailable']))
  const { stripe } = await aDashboard(world)
  const schedules = await stripe.subscriptionSchedules.list({ limit: 100 })
  expect(schedules.data.filter(({ status }) => status === 'active')).toEqual([])
})
