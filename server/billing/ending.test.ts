// @module-tag slow
import { findPlan } from '#contract/access.ts'
import { expect, test } from 'vitest'
import { aBilledProject, aDashboard, customersAt } from '../../tests/a-billed-project.ts'
import { cancelProject } from './cancel.ts'
import { billingJobs } from './jobs.ts'
import { withBillingLease } from './lease.ts'
import type { SubscriptionId } from '../platform/ids.ts'
import { aWorld, reasonOf, countOutcomes, type World } from '../../tests/world.ts'

const day = 24 * 3600

test('after its owner cancels a project, no charge follows, its invitations end, and nobody can change it', async () => {
  const { world, owner, subscriptionId, project, invoices, subjects } = await aBilledProject()
  await owner.invites(subscriptionId, 'guest@example.com')
  const cancel = (confirmationId: string) =>
    owner.call('cancelSubscription', { subscriptionId, confirmationId })
  expect(reasonOf(await cancel(subscriptionId.toUpperCase()))).toBe('subscriptionIdMismatch')
  expect((await cancel(subscriptionId)).result).toEqual({})
  expect(await project()).toMatchObject({ status: 'canceled', plan_id: 'pro', renews: null })
  expect(reasonOf(await cancel(subscriptionId))).toBe('subscriptionCanceled')
  const users = await owner.does('getSubscriptionUsers', { subscriptionId })
  expect(users.total).toBe(1)
  await world.passAtProvider(30 * day)
  expect(await invoices()).toHaveLength(1)
  expect(await subjects()).toContain('Untitled Project is canceled')
})

test('when a project is canceled several times at once, one call succeeds and the others are refused', async () => {
  const { owner, subscriptionId } = await aBilledProject()
  const answers = await Promise.all([1, 2, 3].map(() => owner.cancels(subscriptionId)))
  expect(countOutcomes(answers)).toEqual({ done: 1, subscriptionCanceled: 2 })
})

test('a cancellation that comes just after the provider ended the project leaves nothing begun', async () => {
  const world = await aWorld()
  const { subscriptionId, project, row } = await aBilledProject({ world })
  const { services } = world
  const { stripe, advance } = await aDashboard(world)
  await withBillingLease(subscriptionId as SubscriptionId, services, async (lease) => {
    await stripe.subscriptions.cancel((await row()).providerSubscriptionId!)
    await advance(1)
    await world.untilWorkedOff()
    expect((await project()).status).toBe('canceled')
    await cancelProject(lease, { by: { operator: 'maria' } }, services)
  })
  expect((await row()).requestedBy).toBe(null)
})

test('the owner gets a mail about an overdue payment and can pay it with another card', async () => {
  const { world, owner, subscriptionId, project, invoices, subjects } = await aBilledProject()
  const [good] = await owner.cards(subscriptionId)
  await owner.cannot('payInvoice', { subscriptionId }, 'notOverdue')
  await world.payWith(owner, subscriptionId, 'pm_card_chargeCustomerFail')
  await world.passAtProvider(7 * day + 7200)
  expect(await project()).toMatchObject({ status: 'active', payment: 'past_due' })
  expect((await invoices())[0]).toMatchObject({
    status: 'open',
    next_payment_attempt: expect.any(Number),
  })
  expect(await subjects()).toContain("The payment for Untitled Project didn't go through")
  await owner.cannot(
    'changeSubscriptionPlan',
    { subscriptionId, planId: 'enterprise' },
    'planChangeNotPaid',
  )
  await owner.cannot('payInvoice', { subscriptionId }, 'cardDeclined')
  await owner.cannot(
    'payInvoice',
    { subscriptionId, paymentMethodId: 'pm_made_up' },
    'paymentMethodNotFound',
  )
  expect(await owner.does('payInvoice', { subscriptionId, paymentMethodId: good!.id })).toEqual({})
  expect(await project()).toMatchObject({ status: 'active', payment: 'ok' })
  expect((await invoices())[0]!.status).toBe('paid')
})

test('an owner passes 3-D Secure for a renewal in the app', async () => {
  const { world, owner, subscriptionId, project, subjects, confirm } = await aBilledProject()
  await world.payWith(owner, subscriptionId, 'pm_card_authenticationRequired')
  await world.passAtProvider(7 * day + 7200)
  expect(await project()).toMatchObject({ payment: 'action_required' })
  expect(await subjects()).toContain('Confirm the payment for Untitled Project')
  const { clientSecret } = await owner.does('payInvoice', { subscriptionId })
  await world.answerChallenge(clientSecret!, 'fail')
  await owner.cannot('completePayment', { subscriptionId }, 'cardDeclined')
  const again = await owner.does('payInvoice', { subscriptionId })
  expect(await confirm(again.clientSecret)).toEqual({})
  expect(await project()).toMatchObject({ payment: 'ok', status: 'active' })
})

test('each try to charge that fails is recorded once and mailed at most once a day to the owner and the administrators, with the sum and the dates, and so is the coming end', async () => {
  const { world, owner, subscriptionId, subjects } = await aBilledProject()
  const [bob, carl] = await world.somePeople('bob', 'carl')
  await world.addMember(subscriptionId, bob, ['admin'])
  await world.addMember(subscriptionId, carl)
  const told = async ({ email } = owner) =>
    (await world.mails(email)).filter(({ text }) => /hasn't been made|was declined/.test(text))
  await world.control({ charges: { fail: 100 }, webhooks: { copies: 2 } })
  await world.passAtProvider(7 * day + 7200)
  const failed = "The payment for Untitled Project didn't go through"
  expect(await told()).toMatchObject([
    {
      subject: failed,
      text: expect.stringMatching(
        /Visa •••• 4242 was declined when \$10\.00 for .* was due\. We'll try again on \w+ \d+, \d+\. If it isn't paid by \w+ \d+, \d+, \d+:\d\d [AP]M UTC, the project is canceled\./,
      ),
    },
  ])
  const [forBob] = await told(bob)
  expect(forBob).toMatchObject({ subject: failed })
  expect(forBob!.text).toContain('Only the owner, owner, can pay it.')
  expect(forBob!.text).not.toContain('Visa')
  expect(await told(carl)).toEqual([])
  await world.passAtProvider(2 * day)
  expect(await told()).toHaveLength(2)
  // The server's clock, which has not moved so far, comes to two days before the end.
  world.pass(20 * day * 1000)
  for (const _ of ['once', 'again']) {
    await billingJobs.warnOfEnd({}, world.services)
    await world.untilWorkedOff()
  }
  expect(await told()).toHaveLength(3)
  expect((await subjects())[0]).toMatch(/^Untitled Project is canceled on .* unless it's paid$/)
  // The next tries come within a day of the last mail.
  await world.passAtProvider(2 * day)
  await world.passAtProvider(2 * day)
  expect(await told()).toHaveLength(3)
  const again = await world.signedIn(owner)
  const { activity } = await again.does('listActivity', { subscriptionId, area: 'billing' })
  const failures = activity.filter(({ kind }) => kind === 'paymentFailed')
  expect(failures.map(({ details }) => details['amount'])).toEqual(['1000', '1000', '1000', '1000'])
  expect(activity.find(({ kind }) => kind === 'paymentMade')).toMatchObject({
    actor: null,
    details: { amount: '1000', currency: 'usd', invoice: expect.any(String) },
  })
})

test('after the last failed payment the project ends, the owner is mailed, and the invoice is voided', async () => {
  const { world, owner, subscriptionId, project, invoices, subjects } = await aBilledProject()
  await world.control({ charges: { fail: 100 } })
  await world.passAtProvider(30 * day)
  expect(await project()).toMatchObject({ status: 'canceled' })
  expect(await subjects()).toContain("Untitled Project was canceled because it wasn't paid")
  await world.untilWorkedOff()
  expect((await invoices()).filter(({ status }) => status === 'open')).toEqual([])
  await owner.cannot('payInvoice', { subscriptionId }, 'subscriptionCanceled')
})

test('a week whose invoice is still a draft when the project is canceled is never charged', async () => {
  const { world, owner, subscriptionId } = await aBilledProject()
  await world.passAtProvider(7 * day)
  expect((await owner.cancels(subscriptionId)).status).toBe(200)
  await world.passAtProvider(3 * day)
  expect(await paidAtProvider(world)).toEqual([0, 1000])
})

test('a draft invoice is not charged when Stripe fails right after it ended the subscription', async () => {
  const { world, row, project } = await aBilledProject()
  await world.passAtProvider(7 * day)
  const { providerSubscriptionId } = await row()
  await world.control({ webhooks: { mode: 'hold' }, api: { fault: 500, skip: 2, times: 2 } })
  await expect(
    world.services.payments.endProviderSubscription(providerSubscriptionId!),
  ).rejects.toThrow()
  await world.control({ reset: true })
  await world.untilWorkedOff()
  expect(await project()).toMatchObject({ status: 'canceled' })
  await world.passAtProvider(3 * day)
  expect(await paidAtProvider(world)).toEqual([0, 1000])
})

test('the sandbox’s time waits for a call under way, so no draft is charged in the middle of a cancellation', async () => {
  const { world, owner, subscriptionId, row } = await aBilledProject()
  await world.passAtProvider(7 * day)
  await world.control({ api: { delay: 50 } })
  const canceling = owner.cancels(subscriptionId)
  const lease = async () => (await row()).billingLeaseUntil
  await expect.poll(lease, { interval: 5, timeout: 20_000 }).not.toBeNull()
  await world.passAtProvider(day)
  expect((await canceling).status).toBe(200)
  expect(await paidAtProvider(world)).toEqual([0, 1000])
})

test('of an ended subscription no draft is charged, also if it is not the newest invoice', async () => {
  const world = await aWorld()
  const { stripe, advance } = await aDashboard(world)
  const { row, project } = await aBilledProject({ world })
  await world.passAtProvider(7 * day)
  const id = (await row()).providerSubscriptionId!
  const { items } = await stripe.subscriptions.retrieve(id)
  await stripe.subscriptions.update(id, {
    items: [{ id: items.data[0]!.id, price: findPlan('enterprise')!.priceIds[0]! }],
    proration_behavior: 'always_invoice',
  })
  await stripe.subscriptions.cancel(id)
  await advance(1)
  await world.passAtProvider(3 * day)
  expect(await project()).toMatchObject({ status: 'canceled' })
  expect(await paidAtProvider(world)).toEqual([2000, 0, 1000])
})

test('the credit for a week that began in the moment of a change to free pays that week', async () => {
  const world = await aWorld()
  const { stripe, advance } = await aDashboard(world)
  const { row, project, invoices } = await aBilledProject({ world })
  await world.passAtProvider(7 * day)
  await stripe.subscriptions.cancel((await row()).providerSubscriptionId!, {
    invoice_now: true,
    prorate: true,
    cancellation_details: { comment: 'Changed to plan free' },
  })
  await advance(1)
  await world.untilWorkedOff()
  expect(await project()).toMatchObject({ status: 'active', plan_id: 'free' })
  expect((await invoices()).map(({ status }) => status)).toEqual(['paid', 'paid', 'paid'])
  expect(await paidAtProvider(world)).toEqual([0, 0, 1000])
})

test.each(['void', 'uncollectible'])(
  'with STRIPE_UNPAID=%s the invoice of an unpaid week gets that status after the last attempt, or when the owner cancels',
  async (STRIPE_UNPAID) => {
    for (const end of ['the last try', 'the owner']) {
      const { world, owner, subscriptionId, project, invoices } = await aBilledProject({
        world: await aWorld({ STRIPE_UNPAID }),
      })
      await world.control({ charges: { fail: 100 } })
      await world.passAtProvider(8 * day)
      if (end === 'the owner') await owner.cancels(subscriptionId)
      else await world.passAtProvider(30 * day)
      await world.untilWorkedOff()
      expect((await project()).status, end).toBe('canceled')
      const statuses = new Set((await invoices()).map(({ status }) => status))
      expect(statuses, end).toEqual(new Set(['paid', STRIPE_UNPAID]))
    }
  },
)

/** The paid amount of each invoice at the payment provider, newest first, in cents. */
async function paidAtProvider(world: World) {
  const [customer] = await customersAt(world)
  return customer!.invoices.map(({ amount_paid }) => amount_paid)
}
