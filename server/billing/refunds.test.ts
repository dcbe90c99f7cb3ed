// @module-tag slow
import { expect, test } from 'vitest'
import { aBilledProject, aDashboard, aLoggedWorld } from '../../tests/a-billed-project.ts'
import { aTab } from '../../tests/tab.ts'
import { syncRefunds } from './refunds.ts'

/** A project whose owner has paid $10.00, and functions of the payment provider's dashboard. */
async function aPaidProject(card?: string) {
  const { world, lines } = await aLoggedWorld('info')
  const dashboard = await aDashboard(world)
  const billed = await aBilledProject({ world, card })
  await world.untilWorkedOff()
  const [payment] = (await dashboard.overview()).payments
  const seenThrough = async () => {
    await dashboard.advance(1)
    await world.untilWorkedOff()
  }
  const dispute = async (outcome: 'open' | 'won' | 'lost') => {
    await dashboard.control({ dispute: { payment: payment!.id, outcome } })
    await world.untilWorkedOff()
  }
  const said = () =>
    lines
      .filter(({ msg }) => /disput/.test(msg))
      .map(({ level, subscription, invoice: id }) => ({ level, subscription, id }))
  const invoice = async () => (await billed.invoices())[0]!
  /** The amounts in the activity log, the newest first. */
  const recorded = async () => {
    const { owner, subscriptionId } = billed
    const { activity } = await owner.does('listActivity', { subscriptionId, area: 'billing' })
    return activity
      .filter(({ kind }) => kind === 'paymentRefunded')
      .map(({ actor, details }) => ({ actor, amount: details['amount'] }))
  }
  const more = { payment: payment!.id, invoice, seenThrough, dispute, said, recorded }
  return { ...dashboard, ...billed, ...more }
}

const [info, warn, error] = [30, 40, 50]

test('the owner sees partial and full refunds that an operator made in Stripe’s dashboard, each once in the activity log', async () => {
  const { stripe, payment, invoice, seenThrough, recorded } = await aPaidProject()
  expect(await invoice()).toMatchObject({ amount_refunded: 0, dispute: null })
  await stripe.refunds.create({ payment_intent: payment, amount: 400 })
  await seenThrough()
  expect(await invoice()).toMatchObject({ status: 'paid', amount_paid: 1000, amount_refunded: 400 })
  await stripe.refunds.create({ payment_intent: payment })
  await seenThrough()
  const refunded = { status: 'paid', amount_paid: 1000, amount_refunded: 1000 }
  expect(await invoice()).toMatchObject(refunded)
  expect(await recorded()).toEqual([
    { actor: null, amount: '600' },
    { actor: null, amount: '400' },
  ])
})

test('an owner sees a refund once when it was made with a credit note', async () => {
  const { stripe, invoice, seenThrough } = await aPaidProject()
  const { id } = await invoice()
  await stripe.creditNotes.create({ invoice: id, amount: 250, refund_amount: 250 })
  await seenThrough()
  expect(await invoice()).toMatchObject({ amount_refunded: 250 })
})

test('an owner does not see a refund that the bank rejected', async () => {
  const { stripe, payment, invoice, seenThrough, world, recorded } =
    await aPaidProject('pm_card_refundFail')
  await stripe.refunds.create({ payment_intent: payment, amount: 400 })
  await seenThrough()
  expect(await invoice()).toMatchObject({ amount_refunded: 0 })
  expect(await recorded()).toEqual([])
  expect(
    await world.services.payments.findRefunds({ objectType: 'charge', objectId: 'ch_none' }),
  ).toBeUndefined()
})

test.each([
  ['lost', warn],
  ['won', info],
] as const)(
  'a dispute of a payment is logged for the operator and shown to the owner, when it is opened and when it is %s',
  async (outcome, level) => {
    const { subscriptionId, invoice, dispute, said } = await aPaidProject()
    await dispute('open')
    expect(await invoice()).toMatchObject({ status: 'paid', dispute: 'open' })
    const { id } = await invoice()
    expect(said()).toEqual([{ level: error, subscription: subscriptionId, id }])
    await dispute(outcome)
    expect(await invoice()).toMatchObject({ dispute: outcome })
    expect(said().slice(1)).toEqual([{ level, subscription: subscriptionId, id }])
  },
)

test('webhooks about refunds and disputes can come in any order and more than once', async () => {
  const { control, stripe, payment, invoice, seenThrough, world, dispute, recorded } =
    await aPaidProject()
  await control({ webhooks: { mode: 'hold', copies: 3 } })
  await stripe.refunds.create({ payment_intent: payment, amount: 100 })
  await dispute('open')
  await dispute('won')
  await control({ release: { order: 'shuffled', seed: 3 } })
  await control({ reset: true })
  await seenThrough()
  expect(await invoice()).toMatchObject({ amount_refunded: 100, dispute: 'won' })
  expect(await recorded()).toEqual([{ actor: null, amount: '100' }])
  expect(await world.services.jobs.isBusy()).toBe(false)
})

test('when two jobs read refunds at once, older data never replaces newer data', async () => {
  const { world, stripe, payment, invoice, recorded } = await aPaidProject()
  const { services } = world
  const about = {
    objectType: 'charge',
    objectId: (await stripe.charges.list({ payment_intent: payment })).data[0]!.id,
  }
  const stale = await services.payments.findRefunds(about)
  await stripe.refunds.create({ payment_intent: payment, amount: 400 })
  await syncRefunds(about, services)
  const answers = [stale]
  const late = {
    ...services.payments,
    findRefunds: async () => answers.shift() ?? services.payments.findRefunds(about),
  }
  await syncRefunds(about, { ...services, payments: late })
  expect(await invoice()).toMatchObject({ amount_refunded: 400 })
  expect(await recorded()).toHaveLength(1)
})

test('an open browser tab learns at once of a dispute', async () => {
  const { world, owner, invoices, dispute } = await aPaidProject()
  const tab = await aTab(world, owner)
  await dispute('open')
  expect((await tab.heard()).what).toContain('invoices')
  expect(await invoices()).toHaveLength(1)
})

test('a refund for another product in the account is ignored', async () => {
  const { stripe, aCustomer, subscribes, seenThrough, invoice, world, pool } = await aPaidProject()
  const { customer, card } = await aCustomer('pm_card_visa')
  const price = (await stripe.prices.list({ limit: 1 })).data[0]!.id
  const { latest_invoice: foreign } = await subscribes(customer.id, card!.id, price, { expand: [] })
  const paid = (await stripe.invoicePayments.list({ invoice: foreign as string })).data[0]!.payment
    .payment_intent as string
  await stripe.refunds.create({ payment_intent: paid })
  await seenThrough()
  expect(await invoice()).toMatchObject({ amount_refunded: 0 })
  expect(
    (await pool.query('select from provider_events where processed_at is null')).rowCount,
  ).toBe(0)
  expect(await world.services.jobs.isBusy()).toBe(false)
})
