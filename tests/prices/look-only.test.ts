// @module-tag slow
import { expect, test } from 'vitest'
import { reasonOf } from '../world.ts'
import { aSoldProject } from './a-sold-project.ts'

const day = 24 * 3600
/** As tests/selling/billing.ts says. */
const grace = 7 * day

/** A monthly project whose second payment the bank declines. `due`: when that was to be paid. */
async function anOverdueProject() {
  const sold = await aSoldProject()
  const { world, owner, subscriptionId, project, until, invoices } = sold
  await world.payWith(owner, subscriptionId, 'pm_card_chargeCustomerFail')
  const { renews } = await project()
  await until(renews! + 2 * 3600)
  const [invoice] = await invoices()
  return { ...sold, due: invoice!.created }
}

test('after the grace, members of an overdue project may only look until it is paid', async () => {
  const { owner, subscriptionId, until, project, due, world } = await anOverdueProject()
  const settings = { subscriptionId, settings: { name: 'Bridge' } }
  const [mail] = await world.mails(owner.email)
  expect(mail!.text).toContain("the project can only be looked at until it's paid")
  await until(due + grace - 3600)
  expect(await project()).toMatchObject({ access: 'full', look_only: null, payment: 'past_due' })
  await owner.does('updateSubscriptionSettings', settings)

  await until(due + grace + 3600)
  const lookOnly = { because: 'overdue', until: due + 14 * day }
  expect(await project()).toMatchObject({ access: 'lookOnly', look_only: lookOnly })
  const refused = await owner.call('updateSubscriptionSettings', settings)
  expect(refused.error?.details).toEqual({ reason: 'lookOnly', ...lookOnly })

  const paymentMethodId = await world.addCard(owner, subscriptionId, 'pm_card_visa')
  await owner.does('payInvoice', { subscriptionId, paymentMethodId })
  expect(await project()).toMatchObject({ access: 'full', look_only: null, payment: 'ok' })
  await owner.does('updateSubscriptionSettings', settings)
})

test('while members may only look, nobody joins, and what takes away or settles goes on', async () => {
  const { owner, subscriptionId, until, due, world } = await anOverdueProject()
  const [admin, member, guest] = await world.somePeople('admin', 'member', 'guest')
  await world.addMember(subscriptionId, admin, ['admin'])
  await world.addMember(subscriptionId, member)
  const { inviteId } = await owner.invites(subscriptionId, guest.email)
  await until(due + grace + 3600)
  const of = { subscriptionId }
  await guest.cannot('acceptInvite', { inviteId }, 'lookOnly')
  await admin.cannot('createInvite', { ...of, email: 'x@example.com', permissions: [] }, 'lookOnly')
  await owner.cannot('createDocument', { ...of, title: 'Plan', text: '' }, 'lookOnly')
  await guest.does('rejectInvite', { inviteId })
  await admin.does('removeUser', { ...of, userId: member.uid })
  await owner.does('exportActivity', of)
  await owner.transfers(subscriptionId, admin)
  await admin.does('acceptOwnership', of)
  await owner.does('leaveSubscription', of)
  await admin.does('cancelSubscription', { ...of, confirmationId: subscriptionId })
  expect((await admin.project(subscriptionId)).status).toBe('canceled')
  expect(reasonOf(await owner.call('getSubscription', of))).toBe('accessDenied')
})
