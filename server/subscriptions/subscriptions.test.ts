import { ownerPermissions } from '#contract/access.ts'
import { expect, test } from 'vitest'
import { untilSomebodyWaits } from '../../tests/database.ts'
import { aProject, aWorldWith, billingInfo, reasonOf } from '../../tests/world.ts'
import { receiveEvent } from '../billing/sync.ts'
import { recoverPurchases } from '../billing/jobs.ts'
import { openDatabase } from '../store/database.ts'
import { idFrom } from '../platform/ids.ts'
import { openStore } from '../store/store.ts'

test('a free project is there at once, with its maker as owner and administrator', async () => {
  const [, ann] = await aWorldWith('ann')
  const { subscriptionId } = await ann.starts()
  expect(await ann.projects()).toMatchObject([
    {
      id: subscriptionId,
      owner_id: ann.uid,
      plan_id: 'free',
      status: 'active',
      payment: 'ok',
      settings: {},
      permissions: { access: [ann.uid], admin: [ann.uid] },
    },
  ])
})

test('a paid project is paid for at once and has its invoice', async () => {
  const [world, ann] = await aWorldWith('ann')
  const bought = await ann.buys()
  expect(bought).toEqual({ subscriptionId: expect.any(String) })
  const { subscriptionId } = bought
  const state = { plan_id: 'pro', status: 'active', payment: 'ok' }
  expect(await ann.project(subscriptionId)).toMatchObject(state)
  const { invoices, total } = await ann.does('listInvoices', { subscriptionId })
  expect(total).toBe(1)
  const paid = { total: 1000, currency: 'usd', status: 'paid', number: expect.any(String) }
  expect(invoices[0]).toMatchObject(paid)
  const page = await world.request(await world.providerAddress(invoices[0]!.hosted_invoice_url!))
  expect(await page.text()).toContain(invoices[0]!.number)
  const pdf = await world.request(await world.providerAddress(invoices[0]!.invoice_pdf!))
  expect(pdf.headers.get('content-type')).toBe('application/pdf')
  const key = new URL(invoices[0]!.hosted_invoice_url!).pathname.split('/').at(-1)
  for (const unknown of ['none', 'none.pdf', invoices[0]!.id, `${key}.html`])
    expect((await world.request(`/invoices/${unknown}`)).status).toBe(404)
})

test.each(['pm_card_chargeDeclined', 'pm_card_chargeCustomerFail'])(
  'the declined card %s is refused in the bank’s words and leaves nothing behind',
  async (card) => {
    const [, ann] = await aWorldWith('ann')
    const { status, error } = await ann.pays(card)
    const details = { reason: 'cardDeclined', declineCode: 'generic_decline' }
    expect({ status, error }).toMatchObject({ status: 400, error: { details } })
    expect(await ann.projects()).toEqual([])
    expect((await ann.pays()).status).toBe(200)
  },
)

test('unknown, legacy and unpaid plans are refused by name, and nothing is kept', async () => {
  const [, ann] = await aWorldWith('ann')
  const create = (planId: string, more = {}) => ann.call('createSubscription', { planId, ...more })
  const paid = { billingInfo: billingInfo('pm_card_visa') }
  expect(reasonOf(await create('diamond'))).toBe('planNotFound')
  expect(reasonOf(await create('constructor'))).toBe('planNotFound')
  expect(reasonOf(await create('gold', paid))).toBe('planNotAvailable')
  expect(reasonOf(await create('pro'))).toBe('billingInfoRequired')
  expect(reasonOf(await create('free', paid))).toBe('billingInfoNotWanted')
  expect(reasonOf(await create('pro', { billingInfo: billingInfo('pm_made_up') }))).toBe(
    'paymentMethodNotFound',
  )
  expect(await ann.projects()).toEqual([])
})

test('address fields that are missing are named; fields nobody knows are refused', async () => {
  const [, ann] = await aWorldWith('ann')
  const info = billingInfo('pm_card_visa')
  const buy = (billingDetails: object, more = {}) =>
    ann.call('createSubscription', {
      planId: 'pro',
      billingInfo: {
        ...info,
        billingDetails: billingDetails as typeof info.billingDetails,
        ...more,
      },
    })
  for (const field of ['line1', 'city', 'state', 'postal_code', 'country'] as const) {
    const { [field]: _, ...address } = info.billingDetails.address
    const { error } = await buy({ ...info.billingDetails, address })
    const missing = Object.keys(error!.details!['fields'] as object)
    expect(missing).toEqual([`billingInfo.billingDetails.address.${field}`])
  }
  const { phone: _, ...withoutPhone } = info.billingDetails
  expect(reasonOf(await buy(withoutPhone))).toBe('addressIncomplete')
  const unknown = await buy(info.billingDetails, { coupon: 'FREE' })
  expect(unknown.error!.details).toMatchObject({
    reason: 'invalidInput',
    fields: { 'billingInfo.coupon': 'unknown' },
  })
  const address = { ...info.billingDetails.address, state: '', country: 'DE' }
  expect((await buy({ ...info.billingDetails, address })).status).toBe(200)
})

test('3-D Secure: nobody sees the project until the bank has said yes', async () => {
  const [world, ann] = await aWorldWith('ann')
  const { subscriptionId, clientSecret } = await ann.buys('pm_card_authenticationRequired')
  expect(clientSecret).toMatch(/^pi_\w+_secret_\w+$/)
  expect(await ann.projects()).toEqual([])
  await ann.cannot('getSubscription', { subscriptionId }, 'subscriptionNotFound')
  await ann.cannot('completePayment', { subscriptionId }, 'paymentIncomplete')
  await world.answerChallenge(clientSecret!, 'succeed')
  expect(await ann.does('completePayment', { subscriptionId })).toEqual({})
  expect((await ann.project(subscriptionId)).status).toBe('active')
  expect((await ann.invoices(subscriptionId))[0]!.status).toBe('paid')
})

test('3-D Secure refused at the bank leaves nothing behind', async () => {
  const [world, ann] = await aWorldWith('ann')
  const { subscriptionId, clientSecret } = await ann.buys('pm_card_authenticationRequired')
  await world.answerChallenge(clientSecret!, 'fail')
  const refused = await ann.call('completePayment', { subscriptionId })
  expect([reasonOf(refused), refused.error!.details!['declineCode']]).toEqual([
    'cardDeclined',
    'authentication_required',
  ])
  await ann.cannot('completePayment', { subscriptionId }, 'subscriptionNotFound')
})

test('without the browser coming back, the provider’s events finish a purchase, or end an abandoned one', async () => {
  const [world, ann] = await aWorldWith('ann')
  const paid = await ann.pays('pm_card_authenticationRequired')
  const abandoned = await ann.buys('pm_card_authenticationRequired')
  const { store, payments } = world.services
  const { customerId } = (await store.billing.find(abandoned.subscriptionId))!
  await world.answerChallenge(paid.result!.clientSecret!, 'succeed')
  await world.passAtProvider(24 * 3600)
  const { subscriptions } = await ann.does('listSubscriptions', {})
  expect(subscriptions.map(({ id }) => id)).toEqual([paid.result!.subscriptionId])
  expect(await store.billing.find(abandoned.subscriptionId)).toBeUndefined()
  expect(await payments.findBillingDetails(customerId!)).toBeUndefined()
})

test('the first invoice is kept even when the purchase is completed a week later, after a second invoice', async () => {
  const [world, ann] = await aWorldWith('ann')
  const { subscriptionId, clientSecret } = await ann.buys('pm_card_authenticationRequiredOnSetup')
  await world.control({ webhooks: { mode: 'drop' } })
  await world.answerChallenge(clientSecret!, 'succeed')
  for await (const event of world.services.payments.listUndeliveredEvents())
    if (event.type === 'invoice.paid') await receiveEvent(event, world.services)
  await world.untilWorkedOff()
  await world.passAtProvider(8 * 24 * 3600)
  expect(await ann.does('completePayment', { subscriptionId })).toEqual({})
  const { invoices } = await ann.does('listInvoices', { subscriptionId })
  expect(invoices.map(({ status }) => status)).toEqual(['paid', 'paid'])
})

test('somebody else’s purchase can’t be completed or seen', async () => {
  const [, ann, mallory] = await aWorldWith('ann', 'mallory')
  const { subscriptionId } = await ann.buys('pm_card_authenticationRequired')
  const foreign = await mallory.call('completePayment', { subscriptionId })
  const missing = await mallory.call('completePayment', { subscriptionId: 'x'.repeat(20) })
  expect(foreign.error).toEqual(missing.error)
})

test('three clicks on submit make one project', async () => {
  const [, ann] = await aWorldWith('ann')
  const key = { 'idempotency-key': 'one-attempt' }
  const click = () => ann.pays('pm_card_visa', key)
  const clicks = await Promise.all([click(), click(), click()])
  const later = await click()
  expect(new Set([...clicks, later].map(({ result }) => result!.subscriptionId)).size).toBe(1)
  expect(await ann.projects()).toHaveLength(1)
  const other = await ann.call('createSubscription', { planId: 'free' }, key)
  expect(reasonOf(other)).toBe('idempotencyKeyReused')
})

test('administrators save settings, which are trimmed; empty, unknown and too long ones are refused', async () => {
  const { id, owner, bob } = await aProject({ people: { bob: ['editor'] } })
  const save = (person: typeof owner, settings: Record<string, string>) =>
    person.call('updateSubscriptionSettings', {
      subscriptionId: id,
      settings: settings as { name: string },
    })
  expect((await save(owner, { name: ' Bridge renewal ' })).result).toEqual({})
  expect((await bob.project(id)).settings).toEqual({ name: 'Bridge renewal' })
  expect(reasonOf(await save(bob, { name: 'Mine' }))).toBe('adminOnly')
  expect((await save(owner, { name: '   ' })).error!.details!['fields']).toEqual({
    'settings.name': 'required',
  })
  expect((await save(owner, { name: 'x', colour: 'red' })).error!.details!['fields']).toEqual({
    'settings.colour': 'unknown',
  })
  expect((await save(owner, { name: 'x'.repeat(101) })).error!.details!['fields']).toEqual({
    'settings.name': 'too_big',
  })
})

test('access to a foreign project is denied; one that never was is not found', async () => {
  const { world, id } = await aProject()
  const mallory = await world.aPerson('mallory')
  const foreign = await mallory.call('getSubscription', { subscriptionId: id })
  expect([foreign.status, foreign.error]).toEqual([
    403,
    { status: 'PERMISSION_DENIED', message: 'Access denied', details: { reason: 'accessDenied' } },
  ])
  const missing = await mallory.call('getSubscription', { subscriptionId: 'x'.repeat(20) })
  expect([missing.status, reasonOf(missing)]).toEqual([404, 'subscriptionNotFound'])
})

test('a call about a project is refused when the id of the project is missing', async () => {
  const [, ann] = await aWorldWith('ann')
  for (const input of [{}, { subscriptionId: '' }]) {
    const { status, error } = await ann.call('getSubscription', input as { subscriptionId: string })
    expect([status, error]).toEqual([
      400,
      {
        status: 'INVALID_ARGUMENT',
        message: 'No subscription ID provided',
        details: { reason: 'noSubscriptionId', fields: { subscriptionId: 'required' } },
      },
    ])
  }
})

test('a purchase repeated after a crash goes on with the project that the first try began', async () => {
  const [world, ann] = await aWorldWith('ann')
  const buy = () => ann.pays('pm_card_visa', { 'idempotency-key': 'before-the-crash' })
  const first = await buy()
  // What a server leaves that dies before it can keep its answer.
  await world.services.store.idempotency.removeOlder(new Date(Date.now() + 60_000))
  const again = await buy()
  expect(again.result).toEqual(first.result)
  expect(await ann.projects()).toHaveLength(1)
})

test('a purchase repeated while the rest of its first try is being removed is refused, and can be repeated again', async () => {
  const [world, ann] = await aWorldWith('ann')
  const buy = () => ann.pays('pm_card_visa', { 'idempotency-key': 'one-purchase' })
  const row = {
    id: idFrom(ann.uid, 'one-purchase'),
    ownerId: ann.uid,
    planId: 'pro',
    status: 'incomplete',
  } as const
  await world.services.store.subscriptions.add({
    ...row,
    permissions: ownerPermissions,
    now: world.services.now(),
  })
  const { repeated } = await openDatabase(world.pool).transaction(async (tx) => {
    const { subscriptions } = openStore(tx)
    await subscriptions.lock(row.id)
    const repeated = buy()
    await untilSomebodyWaits(world.pool)
    await subscriptions.removeIncomplete(row.id)
    return { repeated }
  })
  expect(reasonOf(await repeated)).toBe('billingBusy')
  const { subscriptionId } = (await buy()).result!
  expect((await ann.project(subscriptionId)).status).toBe('active')
})

test('a purchase repeated after nobody answered the bank in time begins anew', async () => {
  const [world, ann] = await aWorldWith('ann')
  const buy = () =>
    ann.pays('pm_card_authenticationRequired', { 'idempotency-key': 'one-purchase' })
  const first = (await buy()).result!
  // What a server leaves that dies before it can keep its answer.
  await world.services.store.idempotency.removeOlder(new Date(Date.now() + 60_000))
  await world.control({ webhooks: { mode: 'drop' } })
  await world.passAtProvider(24 * 3600)
  expect(reasonOf(await buy())).toBe('billingBusy')
  const again = (await buy()).result!
  expect(again.clientSecret).toMatch(/^pi_/)
  expect(again.clientSecret).not.toBe(first.clientSecret)
})

test('the row of a purchase stays while a request holds its lease', async () => {
  const [world, ann] = await aWorldWith('ann')
  const { store, now } = world.services
  const { subscriptionId } = await ann.buys('pm_card_authenticationRequired')
  const until = new Date(now().getTime() + 3_600_000)
  const lease = await store.billing.acquireLease(subscriptionId, { now: now(), until })
  await world.passAtProvider(24 * 3600)
  expect(await store.billing.find(subscriptionId)).toMatchObject({ status: 'incomplete' })
  await store.billing.releaseLease(lease!)
  const begunBefore = new Date(now().getTime() + 1000).toISOString()
  await recoverPurchases({ begunBefore }, world.services)
  expect(await store.billing.find(subscriptionId)).toBeUndefined()
})
