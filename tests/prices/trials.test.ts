// @module-tag slow
import { expect, test } from 'vitest'
import { billingJobs } from '../../server/billing/jobs.ts'
import { aWorld, billingInfo, countOutcomes, reasonOf, type Person } from '../world.ts'
import { aSoldProject } from './a-sold-project.ts'

const day = 24 * 3600

/** A project in a trial of pro, by default without a card. */
const aTrial = (wish: Parameters<typeof aSoldProject>[0] = {}) =>
  aSoldProject({ trial: true, card: null, ...wish })

const begins = (person: Person, card?: string, more: object = {}) =>
  person.call('createSubscription', {
    planId: 'pro',
    trial: true,
    billingInfo: billingInfo(card),
    ...more,
  })

test('a trial begins without a card and without a charge, as its preview says', async () => {
  const { preview, project, invoices, kinds, row, owner, subscriptionId } = await aTrial()
  expect(preview).toMatchObject({
    due: 0,
    starts: 'now',
    lines: [{ kind: 'period', plan_id: 'pro', amount: 40_00 }],
    recurring: { amount: 40_00, frequency: 'month' },
    next_charge: preview.trial_ends,
  })
  const { trial_ends, renews, ...shown } = await project()
  expect(Math.abs(trial_ends! - preview.trial_ends!)).toBeLessThan(60)
  expect(renews).toBe(trial_ends)
  expect(shown).toMatchObject({
    status: 'active',
    plan_id: 'pro',
    payment: 'ok',
    needs_card: false,
    access: 'full',
  })
  expect((await invoices()).map(({ total }) => total)).toEqual([0])
  expect(await kinds()).toEqual(['trialBegun'])
  expect((await row()).hasCard).toBe(false)
  expect((await owner.seats(subscriptionId)).total).toBe(20)
})

test('a card that is added within a trial pays at its end', async () => {
  const { world, owner, subscriptionId, project, invoices, until, kinds, subjects } = await aTrial()
  await world.addCard(owner, subscriptionId, 'pm_card_visa')
  await world.passAtProvider(1)
  expect(await owner.cards(subscriptionId)).toMatchObject([{ isDefault: true }])
  const ben = await world.aPerson('ben')
  expect(reasonOf(await begins(ben, 'pm_card_visa'))).toBe('trialUsed')
  const { trial_ends: ends } = await project()
  await until(ends! + 2 * 3600)
  expect(await project()).toMatchObject({ trial_ends: null, payment: 'ok', look_only: null })
  expect((await invoices())[0]).toMatchObject({ status: 'paid', amount_paid: 40_00 })
  expect(await kinds()).toEqual(['trialEnded', 'trialBegun'])
  expect(await subjects()).not.toContainEqual(expect.stringContaining('Add a card'))
})

test('three days before the end the owner reads what is charged to which card', async () => {
  const { world, owner, project, until } = await aTrial({ card: 'pm_card_visa' })
  const { trial_ends: ends } = await project()
  const told = async () =>
    (await world.mails(owner.email)).filter(({ subject }) => subject.startsWith('The trial'))
  await until(ends! - 3 * day - 60)
  expect(await told()).toEqual([])
  await until(ends! - 3 * day + 60)
  const [mail] = await told()
  expect(mail!.text).toContain('$40.00 is charged to Visa •••• 4242 that day')
  await until(ends! + day)
  expect(await told()).toHaveLength(1)
})

test('without a card, the mail before the end says what becomes of the project', async () => {
  const small = await aTrial()
  await small.until((await small.project()).trial_ends! - 2 * day)
  const [mail] = await small.world.mails(small.owner.email)
  expect(mail!.text).toContain('$40.00 is charged that day')
  expect(mail!.text).toContain('the project changes to Free')
  const large = await aTrial()
  await large.world.addMembers(large.subscriptionId, 11)
  await large.until((await large.project()).trial_ends! - 2 * day)
  const [other] = await large.world.mails(large.owner.email)
  expect(other!.text).toContain('30 days later')
})

test('a trial that ends without a card changes the project to the free plan if it fits', async () => {
  const { project, until, kinds, subjects, invoices } = await aTrial()
  await until((await project()).trial_ends! + 3600)
  expect(await project()).toMatchObject({
    plan_id: 'free',
    status: 'active',
    trial_ends: null,
    look_only: null,
    price: null,
  })
  expect(await kinds()).toEqual(['planChanged', 'trialEnded', 'trialBegun'])
  expect((await subjects())[0]).toContain('is on Free now')
  expect((await invoices()).map(({ amount_paid: paid }) => paid)).toEqual([0])
})

test('a project that does not fit may be looked at for thirty days, and is then canceled', async () => {
  const { world, subscriptionId, project, until, subjects, kinds } = await aTrial()
  await world.addMembers(subscriptionId, 11)
  const ends = (await project()).trial_ends!
  await until(ends + 3600)
  const waits = await project()
  expect(waits).toMatchObject({ plan_id: 'pro', access: 'lookOnly', renews: null })
  expect(waits.look_only!.because).toBe('trialEnded')
  expect(Math.abs(waits.look_only!.until! - ends - 30 * day)).toBeLessThan(60)
  expect((await subjects())[0]).toContain('is over')
  await until(ends + 30 * day - 3600)
  expect((await project()).status).toBe('active')
  await until(ends + 30 * day + 3600)
  expect((await project()).status).toBe('canceled')
  expect(await kinds()).toEqual(['projectCanceled', 'trialEnded', 'trialBegun'])
  expect((await subjects())[0]).toContain("because it wasn't paid")
})

async function aProjectAfterTrial(wish: Parameters<typeof aTrial>[0] = {}) {
  const sold = await aTrial(wish)
  const { world, subscriptionId, owner } = sold
  await world.addMembers(subscriptionId, 11)
  await sold.until((await sold.project()).trial_ends! + 3600)
  const owed = async () => (await owner.does('previewPayment', { subscriptionId })).owed
  const pays = (paymentMethodId?: string) =>
    owner.call('payInvoice', { subscriptionId, paymentMethodId })
  return { ...sold, owed, pays }
}

test('its owner starts a project again whose trial is over, with a whole period from then on', async () => {
  const { world, owner, subscriptionId, owed, pays, project, invoices, until, kinds } =
    await aProjectAfterTrial()
  expect(await owed()).toEqual({ due: 40_00, currency: 'usd', declined: null })
  expect(reasonOf(await pays())).toBe('paymentMethodRequired')
  const card = await world.addCard(owner, subscriptionId, 'pm_card_visa')
  expect((await pays(card)).result).toEqual({})
  const now = await world.passAtProvider(1)
  const paid = await project()
  expect(paid).toMatchObject({ payment: 'ok', look_only: null, trial_ends: null, plan_id: 'pro' })
  expect(paid.renews! - now).toBeGreaterThan(27 * day)
  expect((await invoices())[0]).toMatchObject({ status: 'paid', amount_paid: 40_00 })
  expect(await owner.cards(subscriptionId)).toMatchObject([{ id: card, isDefault: true }])
  expect(await kinds()).not.toContain('projectCanceled')
  expect(reasonOf(await pays())).toBe('notOverdue')
  await until(now + 35 * day)
  expect(await project()).toMatchObject({ status: 'active', payment: 'ok' })
  expect((await invoices())[0]!.amount_paid).toBe(40_00)
})

test('a declined card starts nothing, and another one can still', async () => {
  const { world, owner, subscriptionId, owed, pays, project } = await aProjectAfterTrial()
  const bad = await world.addCard(owner, subscriptionId, 'pm_card_chargeCustomerFail')
  const declined = await pays(bad)
  expect(reasonOf(declined)).toBe('cardDeclined')
  await world.untilWorkedOff()
  expect(await project()).toMatchObject({ access: 'lookOnly', payment: 'ok' })
  expect(await owed()).toMatchObject({ due: 40_00 })
  const good = await world.addCard(owner, subscriptionId, 'pm_card_mastercard')
  expect((await pays(good)).result).toEqual({})
  expect(await project()).toMatchObject({ access: 'full', payment: 'ok' })
})

test('to start again, the bank may ask the owner, whose refusal changes nothing', async () => {
  const { world, owner, subscriptionId, pays, project } = await aProjectAfterTrial()
  const card = await world.addCard(owner, subscriptionId, 'pm_card_authenticationRequired')
  const asked = (await pays(card)).result!
  expect(asked.clientSecret).toMatch(/^pi_/)
  await world.answerChallenge(asked.clientSecret!, 'fail')
  for (const _ of ['first', 'again'])
    expect(await owner.refusal('completePayment', { subscriptionId })).toBe('cardDeclined')
  expect((await project()).access).toBe('lookOnly')
  const again = (await pays(card)).result!
  await world.answerChallenge(again.clientSecret!, 'succeed')
  expect(await owner.does('completePayment', { subscriptionId })).toEqual({})
  expect((await project()).access).toBe('full')
})

test('a charge that is declined at the end of a trial is overdue like any other', async () => {
  const { project, until, kinds, subjects } = await aTrial({ card: 'pm_card_chargeCustomerFail' })
  await until((await project()).trial_ends! + 2 * 3600)
  expect(await project()).toMatchObject({
    payment: 'past_due',
    trial_ends: null,
    look_only: null,
    status: 'active',
  })
  expect(await kinds()).toContain('paymentFailed')
  expect((await subjects())[0]).toContain("didn't go through")
})

test('a person has one trial, also in another project, and pays what is shown without one', async () => {
  const { owner } = await aTrial()
  const wish = { planId: 'enterprise' }
  const { preview } = await owner.does('previewSubscription', wish)
  expect(preview).toMatchObject({ trial_ends: null, due: 120_00 })
  const bought = { ...wish, billingInfo: billingInfo('pm_card_visa') }
  await owner.cannot('createSubscription', { ...bought, trial: true }, 'trialUsed')
  expect(await owner.projects()).toHaveLength(1)
  for (const trial of [undefined, false]) {
    const { subscriptionId } = await owner.does('createSubscription', { ...bought, trial })
    expect((await owner.invoices(subscriptionId))[0]!.amount_paid).toBe(120_00)
    expect((await owner.project(subscriptionId)).trial_ends).toBeNull()
  }
})

test('a project has one trial, whoever owns it', async () => {
  const { world, owner, subscriptionId, project, until } = await aTrial()
  const heir = await world.aPerson('heir')
  await world.addMember(subscriptionId, heir, ['access', 'admin'])
  await until((await project()).trial_ends! + 3600)
  expect((await project()).plan_id).toBe('free')
  await owner.transfers(subscriptionId, heir)
  await heir.does('acceptOwnership', { subscriptionId })
  const wish = { subscriptionId, planId: 'pro' }
  expect((await heir.does('previewPlanChange', wish)).preview).toMatchObject({
    trial_ends: null,
    due: 40_00,
  })
  const bought = { ...wish, billingInfo: billingInfo('pm_card_visa') }
  await heir.cannot('changeSubscriptionPlan', { ...bought, trial: true }, 'trialUsed')
  expect((await begins(heir)).status).toBe(200)
})

test('a card has one trial, whoever has it, and a refusal leaves nothing behind', async () => {
  const { world } = await aTrial({ plan: 'enterprise', card: 'pm_card_visa' })
  const ben = await world.aPerson('ben')
  const { preview } = await ben.does('previewSubscription', { planId: 'pro' })
  expect(preview.trial_ends).not.toBeNull()
  expect(reasonOf(await begins(ben, 'pm_card_visa'))).toBe('trialUsed')
  expect(await ben.projects()).toEqual([])
  expect((await begins(ben, 'pm_card_mastercard')).status).toBe(200)
})

test('who deletes an account and makes it again has had the trial', async () => {
  const { world, owner, cancel } = await aTrial()
  await cancel()
  await owner.does('deleteAccount', { confirmationId: owner.uid })
  const again = await world.aPerson('owner')
  const { preview } = await again.does('previewSubscription', { planId: 'pro' })
  expect(preview.trial_ends).toBeNull()
  expect(reasonOf(await begins(again))).toBe('trialUsed')
})

test('of two tabs that begin a trial at once, one is told that it is used', async () => {
  const world = await aWorld()
  const ann = await world.aPerson('ann')
  const answers = await Promise.all([begins(ann), begins(ann)])
  expect(countOutcomes(answers)).toEqual({ done: 1, trialUsed: 1 })
  expect(await ann.projects()).toHaveLength(1)
})

test('who has not verified the address pays at once, or is asked to verify it', async () => {
  const world = await aWorld()
  const ann = await world.aPerson('ann', { verified: false })
  const wish = { planId: 'pro' }
  expect((await ann.does('previewSubscription', wish)).preview).toMatchObject({
    trial_ends: null,
    due: 40_00,
  })
  expect(reasonOf(await begins(ann))).toBe('claimRequired')
  expect(reasonOf(await begins(ann, 'pm_card_visa'))).toBe('claimRequired')
  expect(reasonOf(await begins(ann, undefined, { trial: undefined }))).toBe('claimRequired')
  const { subscriptionId } = await ann.does('createSubscription', {
    ...wish,
    billingInfo: billingInfo('pm_card_visa'),
  })
  expect((await ann.invoices(subscriptionId))[0]!.amount_paid).toBe(40_00)
})

test('a card may only be missing where a trial begins without one', async () => {
  const world = await aWorld()
  const ann = await world.aPerson('ann')
  const without = { billingInfo: billingInfo() }
  for (const wish of [
    { planId: 'enterprise' },
    { planId: 'enterprise', trial: true },
    { planId: 'pro', trial: false },
  ])
    expect(await ann.refusal('createSubscription', { ...wish, ...without })).toBe(
      'paymentMethodRequired',
    )
  const { subscriptionId } = await ann.starts()
  const change = { subscriptionId, planId: 'enterprise', ...without }
  expect(await ann.refusal('changeSubscriptionPlan', change)).toBe('paymentMethodRequired')
  expect(await ann.projects()).toHaveLength(1)
})

test('a free project begins a trial by a change of plan', async () => {
  const { owner, subscriptionId, previewed, change, project, invoices, kinds } = await aSoldProject(
    { plan: 'free' },
  )
  const shown = await previewed('pro')
  expect(shown).toMatchObject({ due: 0, next_charge: shown.trial_ends })
  expect((await change('pro', { billingInfo: billingInfo() })).result).toEqual({})
  const { trial_ends: ends, plan_id: plan } = await project()
  expect([plan, Math.abs(ends! - shown.trial_ends!) < 60]).toEqual(['pro', true])
  expect((await invoices()).map(({ total }) => total)).toEqual([0])
  expect(await kinds()).toEqual(['trialBegun', 'planChanged'])
  const { next } = await owner.does('getBillingDetails', { subscriptionId })
  expect(next!.due).toBe(40_00)
})

test('a trial goes on with another plan, which is charged at its end', async () => {
  const { previewed, change, project, invoices, until } = await aTrial({ card: 'pm_card_visa' })
  const { trial_ends: ends } = await project()
  const price = { frequency: 'year' } as const
  const shown = await previewed('enterprise', { price })
  expect(shown).toMatchObject({
    starts: 'now',
    due: 0,
    trial_ends: ends,
    next_charge: ends,
    lines: [{ kind: 'period', amount: 1200_00 }],
  })
  expect((await change('enterprise', { price })).result).toEqual({})
  expect(await project()).toMatchObject({ plan_id: 'enterprise', trial_ends: ends, renews: ends })
  expect((await change('pro')).result).toEqual({})
  expect((await change('enterprise', { price })).result).toEqual({})
  expect((await invoices()).every(({ total }) => total === 0)).toBe(true)
  await until(ends! + 2 * 3600)
  expect((await invoices())[0]).toMatchObject({ status: 'paid', amount_paid: 1200_00 })
})

test('a trial can be left for the free plan or canceled at once, and costs nothing', async () => {
  const free = await aTrial({ card: 'pm_card_visa' })
  expect(await free.previewed('free')).toMatchObject({ due: 0, credited: 0, trial_ends: null })
  expect((await free.change('free')).result).toEqual({})
  expect(await free.project()).toMatchObject({ plan_id: 'free', trial_ends: null })
  const { credit } = await free.owner.does('getBillingDetails', {
    subscriptionId: free.subscriptionId,
  })
  expect(credit).toBe(0)
  expect(await free.subjects()).not.toContainEqual(expect.stringContaining('is on Free now'))
  const canceled = await aTrial()
  expect(reasonOf(await canceled.cancel('periodEnd'))).toBe('notOffered')
  expect((await canceled.cancel()).result).toEqual({})
  expect((await canceled.project()).status).toBe('canceled')
  expect((await canceled.subjects())[0]).toContain('is canceled')
})

test('a trial goes on with a new owner, and ends as one without a card', async () => {
  const { world, owner, subscriptionId, project, until } = await aTrial({ card: 'pm_card_visa' })
  const heir = await world.aPerson('heir')
  await world.addMember(subscriptionId, heir, ['access', 'admin'])
  const { trial_ends: ends } = await project()
  await owner.transfers(subscriptionId, heir)
  await heir.does('acceptOwnership', { subscriptionId })
  expect(await heir.project(subscriptionId)).toMatchObject({ trial_ends: ends, needs_card: false })
  await until(ends! + 3600)
  expect(await heir.project(subscriptionId)).toMatchObject({ plan_id: 'free', trial_ends: null })
})

test('a card that a trial needs is confirmed with the bank before the trial begins', async () => {
  const world = await aWorld()
  const ann = await world.aPerson('ann')
  const wish = { planId: 'enterprise' }
  const asked = await begins(ann, 'pm_card_authenticationRequired', wish)
  expect(asked.result!.clientSecret).toMatch(/^seti_/)
  const { subscriptionId } = asked.result!
  expect(await ann.projects()).toEqual([])
  await world.answerChallenge(asked.result!.clientSecret!, 'succeed')
  expect(await ann.does('completePayment', { subscriptionId })).toEqual({})
  expect(await ann.project(subscriptionId)).toMatchObject({ plan_id: 'enterprise', payment: 'ok' })
  expect(await ann.cards(subscriptionId)).toMatchObject([{ isDefault: true }])
})

test('a trial whose card is not confirmed is undone, and can begin with another one', async () => {
  const world = await aWorld()
  const ann = await world.aPerson('ann')
  const wish = { planId: 'enterprise' }
  const asked = (await begins(ann, 'pm_card_authenticationRequired', wish)).result!
  await world.answerChallenge(asked.clientSecret!, 'fail')
  const { subscriptionId } = asked
  expect(await ann.refusal('completePayment', { subscriptionId })).toBe('cardDeclined')
  expect(await ann.projects()).toEqual([])
  expect((await begins(ann, 'pm_card_visa', wish)).status).toBe(200)
})

test('a buyer who never answers the bank has no trial, and nothing is ever charged', async () => {
  const { world, owner, subscriptionId, change, project, until, invoices } = await aSoldProject({
    plan: 'free',
  })
  const asked = await change('enterprise', {
    billingInfo: billingInfo('pm_card_authenticationRequired'),
  })
  expect(asked.result!.clientSecret).toMatch(/^seti_/)
  expect(await project()).toMatchObject({ plan_id: 'free', trial_ends: null })
  const now = await world.passAtProvider(24 * 3600)
  await world.services.jobs.add('recoverPurchase', { subscriptionId }, { key: 'recover' })
  await world.untilWorkedOff()
  expect((await project()).changing_to).toBeNull()
  await until(now + 40 * day)
  expect(await project()).toMatchObject({ plan_id: 'free', trial_ends: null })
  expect((await invoices()).map(({ total }) => total)).toEqual([0])
  expect(await owner.cards(subscriptionId)).toEqual([])
  const { preview } = await owner.does('previewPlanChange', { subscriptionId, planId: 'pro' })
  expect(preview.trial_ends).not.toBeNull()
})

test('after a lost answer at any step, a trial can be begun again, and begins once', async () => {
  const world = await aWorld()
  for (let skip = 0; skip < 8; skip++) {
    const ann = await world.aPerson(`ann${skip}`)
    const key = { 'idempotency-key': `key-of-the-trial-${skip}` }
    const wish = { planId: 'pro', trial: true, billingInfo: billingInfo() }
    await world.control({ api: { fault: 500, skip, times: 2, at: 'after' } })
    await ann.call('createSubscription', wish, key)
    await world.control({ reset: true })
    const again = await ann.call('createSubscription', wish, key)
    if (reasonOf(again) === 'paymentsUnavailable') {
      const { subscriptionId } = await ann.does('createSubscription', wish)
      expect(subscriptionId).toBeTruthy()
    }
    await world.untilWorkedOff()
    const projects = await ann.projects()
    expect(projects).toMatchObject([{ plan_id: 'pro', payment: 'ok' }])
    expect(projects[0]!.trial_ends).not.toBeNull()
  }
})

test('after a lost answer at any step, a project is started again and pays once', async () => {
  const world = await aWorld()
  for (let skip = 0; skip < 9; skip++) {
    const name = `owner${skip}`
    const { owner, subscriptionId, pays, project, invoices } = await aProjectAfterTrial({
      world,
      name,
    })
    const card = await world.addCard(owner, subscriptionId, 'pm_card_visa')
    await world.control({ api: { fault: 500, skip, times: 2, at: 'after' } })
    await pays(card)
    await world.control({ reset: true })
    await world.untilWorkedOff()
    const again = await pays(card)
    expect(again.result ?? reasonOf(again)).toEqual(expect.toBeOneOf([{}, 'notOverdue']))
    expect(await project()).toMatchObject({ payment: 'ok', look_only: null, trial_ends: null })
    expect((await invoices()).filter(({ amount_paid: paid }) => paid > 0)).toHaveLength(1)
    expect(await owner.cards(subscriptionId)).toMatchObject([{ isDefault: true }])
  }
})

test('after a lost answer at any step, a project that fits by now changes to the free plan', async () => {
  const world = await aWorld()
  for (let skip = 0; skip < 7; skip++) {
    const wish = { world, name: `owner${skip}` }
    const { subscriptionId, project, subjects, kinds } = await aProjectAfterTrial(wish)
    const strangers = `delete from members where subscription_id = $1 and user_id not in (select owner_id from subscriptions where id = $1)`
    await world.pool.query(strangers, [subscriptionId])
    await world.control({ api: { fault: 500, skip, times: 2, at: 'after' } })
    await billingJobs.endTrial({ subscriptionId }, world.services).catch(() => undefined)
    await world.control({ reset: true })
    // The provider's event may come before the next try.
    await world.untilWorkedOff()
    await billingJobs.endTrial({ subscriptionId }, world.services)
    await world.untilWorkedOff()
    expect(await project()).toMatchObject({ plan_id: 'free', trial_ends: null, changing_to: null })
    expect((await subjects()).filter((subject) => subject.includes('Free now'))).toHaveLength(1)
    expect((await kinds()).filter((kind) => kind === 'planChanged')).toHaveLength(1)
  }
})

test('with tax, the preview of a trial says what is charged at its end with tax', async () => {
  const world = await aWorld({ STRIPE_TAX: '1' })
  const { project, until, invoices, owner, subscriptionId } = await aTrial({
    world,
    card: 'pm_card_visa',
  })
  const address = { country: 'DE' } as const
  const other = await world.aPerson('other')
  const { preview } = await other.does('previewSubscription', { planId: 'pro', address })
  expect(preview.due).toBe(0)
  expect(preview.lines.map(({ kind }) => kind)).toEqual(['period', 'tax'])
  const { next } = await owner.does('getBillingDetails', { subscriptionId })
  await until((await project()).trial_ends! + 2 * 3600)
  expect((await invoices())[0]).toMatchObject({ status: 'paid', amount_paid: next!.due })
})
