// @module-tag slow
import { ownerPermissions } from '#contract/access.ts'
import { expect, test } from 'vitest'
import { untilSomebodyWaits } from '../../tests/database.ts'
import { aProject, aWorldWith, billingInfo, reasonOf } from '../../tests/world.ts'
import { receiveEvent } from '../billing/sync.ts'
import { billingJobs } from '../billing/jobs.ts'
import { inTransaction } from '../sql/database.ts'
import { idFrom } from '../platform/ids.ts'
import { openStore } from '../store/store.ts'

test('a user who creates a free project gets it at once and is its owner and administrator', async () => {
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

test('creating a paid project charges the first week at once and stores the invoice', async () => {
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

test('a project that is named at its purchase has its name on the first invoice', async () => {
  const [world, ann] = await aWorldWith('ann')
  const name = '  Harbour lights  '
  const purchase = { planId: 'pro', name, billingInfo: billingInfo('pm_card_visa') }
  const { subscriptionId } = await ann.does('createSubscription', purchase)
  expect((await ann.project(subscriptionId)).settings).toEqual({ name: 'Harbour lights' })
  const { rows } = await world.pool.query(
    `select body->'custom_fields' fields from sandbox.objects where type = 'invoice'`,
  )
  expect(JSON.stringify(rows)).toContain('Harbour lights')
})

test.each(['', ' ', 'a'.repeat(101), 'two\nlines', 'Win at https://example.com', 7])(
  'a new project is not named %j, and is not made',
  async (name) => {
    const [, ann] = await aWorldWith('ann')
    const input = { planId: 'free', name } as never
    expect(reasonOf(await ann.call('createSubscription', input))).toMatch(
      /invalidInput|nameNotAllowed/,
    )
    expect(await ann.projects()).toEqual([])
  },
)

test.each(['pm_card_chargeDeclined', 'pm_card_chargeCustomerFail'])(
  'a purchase of a project with %s is refused with the bank’s decline code, and no project is left',
  async (card) => {
    const [, ann] = await aWorldWith('ann')
    const { status, error } = await ann.pays(card)
    const details = { reason: 'cardDeclined', declineCode: 'generic_decline' }
    expect({ status, error }).toMatchObject({ status: 400, error: { details } })
    expect(await ann.projects()).toEqual([])
    expect((await ann.pays()).status).toBe(200)
  },
)

test('creating a project is refused if its plan is unknown, legacy, paid but without billing details, or free but with them', async () => {
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

test('a purchase is refused if a part of the address or the phone number is missing, or if a field is unknown', async () => {
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

test('a project that waits for 3-D Secure is not visible until the bank has confirmed the payment', async () => {
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

test('a purchase whose 3-D Secure fails leaves no project', async () => {
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

test('webhooks complete a paid purchase whose buyer closed the browser, and remove an abandoned purchase', async () => {
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

test('a purchase that is completed after the second week began has the invoices of both weeks', async () => {
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

test('completing the purchase of another user is refused in the same way as a purchase that does not exist', async () => {
  const [, ann, mallory] = await aWorldWith('ann', 'mallory')
  const { subscriptionId } = await ann.buys('pm_card_authenticationRequired')
  const foreign = await mallory.call('completePayment', { subscriptionId })
  const missing = await mallory.call('completePayment', { subscriptionId: 'x'.repeat(20) })
  expect(foreign.error).toEqual(missing.error)
})

test('a request to create a project that is sent several times with one idempotency key creates one project', async () => {
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

test('only administrators can change the settings of a project, and empty, unknown or too long settings are refused', async () => {
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

test('who saves settings that somebody else has changed meanwhile reads who it was and what they are now, and can save after that', async () => {
  const people = { bob: ['admin' as const], mia: [] }
  const { id: subscriptionId, owner, bob, mia } = await aProject({ people })
  const save = (person: typeof owner, name: string, ifUnchangedSince?: string) =>
    person.call('updateSubscriptionSettings', {
      subscriptionId,
      settings: { name },
      ...(ifUnchangedSince && { ifUnchangedSince }),
    })
  const seen = await owner.project(subscriptionId)
  expect(seen).toMatchObject({ settings_changed_by: null })
  expect((await save(bob, 'Ferry line', seen.settings_changed)).result).toEqual({})
  const refused = await save(owner, 'Harbour', seen.settings_changed)
  expect(reasonOf(refused)).toBe('settingsChanged')
  const now = await owner.project(subscriptionId)
  expect(now).toMatchObject({ settings: { name: 'Ferry line' }, settings_changed_by: 'bob' })
  expect(refused.error!.details).toMatchObject({
    settings: now.settings,
    by: 'bob',
    at: now.settings_changed,
  })
  // What is so already is no conflict, and no change.
  expect((await save(owner, 'Ferry line', seen.settings_changed)).result).toEqual({})
  expect(await owner.project(subscriptionId)).toEqual(now)
  expect((await save(owner, 'Harbour', now.settings_changed)).result).toEqual({})
  expect((await save(bob, 'Pier')).result).toEqual({})
  const [first, second] = await Promise.all(
    [owner, bob].map(async (person) => {
      const { settings_changed } = await person.project(subscriptionId)
      return () => save(person, `of ${person.uid}`, settings_changed)
    }),
  )
  const answers = await Promise.all([first!(), second!()])
  expect(answers.filter(({ error }) => error).map(reasonOf)).toEqual(['settingsChanged'])
  expect((await mia.project(subscriptionId)).settings_changed_by).toBeNull()
})

test('reading another user’s project is refused with accessDenied, and an unknown one with subscriptionNotFound', async () => {
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

test('a call about a project is refused if it has no project id', async () => {
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

test('a purchase that is repeated after the server crashed returns the project of the first attempt', async () => {
  const [world, ann] = await aWorldWith('ann')
  const buy = () => ann.pays('pm_card_visa', { 'idempotency-key': 'before-the-crash' })
  const first = await buy()
  // As if the server had crashed before it stored its answer under the idempotency key.
  await world.services.store.idempotency.removeOlder(new Date(Date.now() + 60_000))
  const again = await buy()
  expect(again.result).toEqual(first.result)
  expect(await ann.projects()).toHaveLength(1)
})

test('a purchase that is repeated while its failed first attempt is being removed is refused, and succeeds when repeated again', async () => {
  const [world, ann] = await aWorldWith('ann')
  // A starting server looks for purchases like this one.
  await world.untilWorkedOff()
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
  const { repeated } = await inTransaction(world.pool, async (tx) => {
    const { subscriptions } = openStore(tx)
    await subscriptions.lockRow(row.id)
    const repeated = buy()
    await untilSomebodyWaits(world.pool)
    await subscriptions.removeIncomplete(row.id)
    return { repeated }
  })
  expect(reasonOf(await repeated)).toBe('billingBusy')
  const { subscriptionId } = (await buy()).result!
  expect((await ann.project(subscriptionId)).status).toBe('active')
})

test('a purchase that is repeated after its 3-D Secure expired starts again with a new payment', async () => {
  const [world, ann] = await aWorldWith('ann')
  const buy = () =>
    ann.pays('pm_card_authenticationRequired', { 'idempotency-key': 'one-purchase' })
  const first = (await buy()).result!
  // As if the server had crashed before it stored its answer under the idempotency key.
  await world.services.store.idempotency.removeOlder(new Date(Date.now() + 60_000))
  await world.control({ webhooks: { mode: 'drop' } })
  await world.passAtProvider(24 * 3600)
  expect(reasonOf(await buy())).toBe('billingBusy')
  const again = (await buy()).result!
  expect(again.clientSecret).toMatch(/^pi_/)
  expect(again.clientSecret).not.toBe(first.clientSecret)
})

test('an expired purchase is not removed from the database while a request holds its billing lease', async () => {
  const [world, ann] = await aWorldWith('ann')
  const { store, now } = world.services
  const { subscriptionId } = await ann.buys('pm_card_authenticationRequired')
  const until = new Date(now().getTime() + 3_600_000)
  const lease = await store.billing.acquireLease(subscriptionId, {
    by: 'another',
    now: now(),
    until,
  })
  await world.passAtProvider(24 * 3600)
  expect(await store.billing.find(subscriptionId)).toMatchObject({ status: 'incomplete' })
  await store.billing.releaseLease(lease!)
  const begunBefore = new Date(now().getTime() + 1000).toISOString()
  await billingJobs.recoverPurchases({ begunBefore }, world.services)
  expect(await store.billing.find(subscriptionId)).toBeUndefined()
})
