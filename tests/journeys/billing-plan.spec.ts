import { projectPath } from '#contract/paths.ts'
import type { Page } from '@playwright/test'
import { bankFrame, fillCheckout, newAddress } from './people.ts'
import { annsProject, ask, invites, switchToCard } from './projects.ts'
import {
  answered,
  changeAnswers,
  changeProject,
  expect,
  expectPassing,
  hold,
  mayRefuse,
  nextFrames,
  refuseNext,
  shows,
  test,
} from './visitor.ts'
import { expectScreen } from './keys.ts'

const actions = [
  'Update billing details',
  'Manage payment methods',
  'Change plan',
  'Transfer ownership',
  'Cancel subscription',
]
const refusesCharges = '4000000000000341'

async function openBilling(page: Page, id: string) {
  await page.goto(`/subscription/${id}/billing`)
  await expect(page.getByRole('heading', { name: 'Billing Information' })).toBeVisible()
}

/** Goes from the billing page to the preview of a change to this plan. */
async function chooses(page: Page, id: string, plan: string) {
  await openBilling(page, id)
  await page.getByRole('link', { name: 'Change plan' }).click()
  await page.getByRole('button', { name: `Choose ${plan}` }).click()
  await expectScreen(page, 'Confirm the change')
  await expect(page.getByRole('button', { name: `Change to ${plan}` })).toBeVisible()
}

async function isOn(page: Page, plan: string) {
  await expect(page).toHaveURL(/\/billing$/)
  await expect(
    page.locator('section', { hasText: 'Current plan' }).getByText(plan, { exact: true }),
  ).toBeVisible()
}

test('only owners can change billing, and only in active projects', async ({ page, another }) => {
  const guest = await another('Bob Baker')
  const id = await annsProject(page, { plan: 'pro', admin: guest })

  await openBilling(page, id)
  await shows(page, '2 of 20 seats', 'Next payment', /^\$10\.00 on \w+ \d+, \d{4}$/)
  await shows(page, 'Visa •••• 4242, expires 12/34')
  await shows(page, 'Ann Archer · 1 Main Street · Springfield IL 62701')
  for (const name of actions) await expect(page.getByRole('link', { name })).toBeEnabled()

  await openBilling(guest, id)
  await shows(guest, 'Only the subscription owner can perform this action')
  for (const name of actions) await expect(guest.getByRole('link', { name })).toBeDisabled()
  await expect(guest.getByText('Visa')).toBeHidden()
  await shows(guest.getByRole('definition'), 'Ann Archer')
  await guest.goto(`/subscription/${id}/billing/change-plan`)
  await expect(guest).toHaveURL(/\/dashboard$/)

  // The screen may hear of it, and read again, before the page leaves it.
  mayRefuse(page, 'getBillingDetails')
  await ask(page, 'cancelSubscription', { subscriptionId: id, confirmationId: id })
  await openBilling(page, id)
  await shows(page, 'This subscription has been canceled')
  await expect(page.getByRole('group', { name: 'Manage billing' })).toHaveAccessibleDescription(
    'This project is canceled, so its billing can no longer be changed.',
  )
  await shows(page, /^Canceled on \w+ \d+, \d{4} by Ann Archer\. Nothing more is charged\./)
  for (const name of actions) await expect(page.getByRole('link', { name })).toBeDisabled()
  const cards = { name: 'Your cards' }
  await expect(page.getByRole('main').getByRole('link', cards)).toBeVisible()
  await openBilling(guest, id)
  await shows(guest, /^Canceled on .+ by Ann Archer\. Nothing more is charged\.$/)
  await expect(guest.getByRole('link', cards)).toHaveCount(0)
  await page.goto(`/subscription/${id}/settings`)
  await expect(page.getByRole('definition')).toHaveText(['Bridge renewal'])
  await page.goto(`/subscription/${id}/billing/change-plan`)
  await shows(page, 'This subscription has been canceled')
  await expect(page.getByRole('heading', { level: 1, name: 'Change plan' })).toBeVisible()
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumbs' })
  await crumbs.getByRole('link', { name: 'Billing Information' }).click()
  await isOn(page, 'Pro')
})

test('billing tells an owner that the cards can’t be read, and a button reads them again', async ({
  context,
}) => {
  // Without live updates nothing reads them but the button. This page isn't watched for errors.
  const page = await context.newPage()
  await page.route('**/live**', (route) => route.abort())
  const answer = await refuseNext(page, 'getPaymentMethods', 'paymentsUnavailable', Infinity)
  const id = await annsProject(page, { plan: 'pro' })
  await openBilling(page, id)
  const manage = page.getByRole('group', { name: 'Manage billing' })
  await shows(manage, 'Failed to load payment methods')
  await expect(manage).not.toContainText('Only the owner sees')
  answer()
  await manage.getByRole('button', { name: 'Try again' }).click()
  await shows(manage, 'Visa •••• 4242, expires 12/34')
})

test('a larger plan costs what the preview said; a smaller one leaves credit', async ({ page }) => {
  const id = await annsProject(page, { plan: 'pro' })
  await chooses(page, id, 'Enterprise')
  await shows(page, 'Unused time on Pro', /^−\$[\d.]+$/, 'Remaining time on Enterprise')
  await shows(page, /^You pay \$\d+\.\d\d today, then \$30\.00 per week, next on /)
  const due = await page.getByRole('definition').last().innerText()
  expect(due).toMatch(/^\$(19\.\d\d|20\.00)$/)
  await page.goBack()
  await expect(page.getByRole('button', { name: 'Current plan' })).toBeDisabled()
  await shows(page.getByRole('listitem').filter({ hasText: 'Current plan' }), 'Your plan')
  await expect(page.getByText('Most popular')).toHaveCount(0)
  await page.goForward()
  await expectPassing(page, 'The project is now on Enterprise.', () =>
    page.getByRole('button', { name: /^Pay \$[\d.]+ and change to Enterprise$/ }).click(),
  )
  await isOn(page, 'Enterprise')
  await expect(page.getByRole('row').filter({ hasText: due.slice(0, 4) })).toContainText('Paid')

  await page.goto(projectPath('changePlan', id))
  await expect(page.getByRole('listitem').filter({ hasText: 'Your plan' })).toContainText('$30')
  await expect(page.getByText('Most popular')).toHaveCount(0)
  await page.getByRole('button', { name: 'Choose Pro' }).click()
  await shows(page, 'Charged today', 'Credit for later payments')
  await expect(page.getByRole('definition').filter({ hasText: /^\$0\.00$/ })).toBeVisible()
  await expect(page.getByRole('definition').last()).toHaveText(/^\$(19\.\d\d|20\.00)$/)
  await page.getByRole('button', { name: 'Change to Pro' }).click()
  await isOn(page, 'Pro')
})

test('an owner moves to a paid plan and back to a free one without refund', async ({ page }) => {
  const id = await annsProject(page)
  await openBilling(page, id)
  await shows(page, '1 of 10 seats, just you so far')
  await page.getByRole('link', { name: 'Upgrade to Pro' }).click()
  await expectScreen(page, 'Confirm the change')
  await shows(page, 'First payment for Pro', /^The receipt goes to ann/)
  await fillCheckout(page, '4242424242424242')
  await page.getByRole('button', { name: 'Pay $10.00 and change to Pro' }).click()
  await isOn(page, 'Pro')
  await shows(page, 'The project is on Pro now.')
  await shows(page, 'Visa •••• 4242, expires 12/34')

  await chooses(page, id, 'Free')
  await shows(page, /is not refunded/)
  await page.getByRole('button', { name: 'Change to Free' }).click()
  await isOn(page, 'Free')
  await expect(page.getByText('Next payment')).toBeHidden()
})

test('a plan changes only after the owner has confirmed to the bank', async ({ page }) => {
  mayRefuse(page, 'changeSubscriptionPlan', 'completePayment')
  const id = await annsProject(page, { plan: 'pro', card: '4000002760003184' })
  await chooses(page, id, 'Enterprise')
  const bank = bankFrame(page)
  await page.getByRole('button', { name: 'Change to Enterprise' }).click()
  await bank.getByRole('button', { name: 'Fail authentication' }).click()
  await shows(page, "didn't confirm it was you")
  const { subscription } = await ask(page, 'getSubscription', { subscriptionId: id })
  expect(subscription.plan_id).toBe('pro')
  await page.getByRole('button', { name: 'Change to Enterprise' }).click()
  await bank.getByRole('button', { name: 'Complete authentication' }).click()
  await isOn(page, 'Enterprise')
})

test('a declined card does not change the plan; a link leads to the cards', async ({ page }) => {
  mayRefuse(page, 'changeSubscriptionPlan')
  const id = await annsProject(page, { plan: 'pro' })
  await switchToCard(page, id, refusesCharges)
  await chooses(page, id, 'Enterprise')
  await page.getByRole('button', { name: 'Change to Enterprise' }).click()
  await shows(page, 'The card was declined')
  const manage = page.getByRole('main').getByRole('link', { name: 'Manage payment methods' })
  await expect(manage).toBeVisible()
  await openBilling(page, id)
  await isOn(page, 'Pro')
})

test('outdated amounts are shown anew, and the owner confirms them once more', async ({ page }) => {
  const id = await annsProject(page, { plan: 'pro' })
  await chooses(page, id, 'Enterprise')
  await refuseNext(page, 'changeSubscriptionPlan', 'previewOutdated')
  const goOn = await hold(page, '**/api/previewPlanChange')
  const confirm = page.getByRole('button', { name: /^Pay \$[\d.]+ and change to Enterprise$/ })
  await confirm.click()
  await shows(page, 'The amounts have changed. Check them, then confirm. Nothing was charged.')
  await expect(confirm).toBeDisabled()
  goOn()
  await confirm.click()
  await isOn(page, 'Enterprise')
})

test('a plan with too few seats can’t be chosen and lists the people', async ({ page }) => {
  mayRefuse(page, 'previewPlanChange')
  const id = await annsProject(page, { plan: 'pro' })
  const guests = Array.from({ length: 10 }, () => newAddress('guest'))
  for (const email of guests) await invites(page, id, email)
  await page.goto(projectPath('cancelSubscription', id))
  await shows(page, 'This plan has 10 seats, and 11 are taken.')
  const makeRoom = page.getByRole('link', { name: 'Make room on the users page' })
  const goOn = await hold(page, '**/api/previewPlanChange')
  const isAskedAgain = page.waitForRequest('**/api/previewPlanChange')
  await invites(page, id, newAddress('guest'))
  await isAskedAgain
  await nextFrames(page)
  await expect(makeRoom).toBeVisible({ timeout: 1 })
  goOn()
  await shows(page, 'This plan has 10 seats, and 12 are taken.')
  await makeRoom.click()
  await expect(page).toHaveURL(/\/users$/)

  await page.goto(`${projectPath('changePlan', id)}?plan=free`)
  await shows(page, 'Failed to change subscription plan')
  await shows(page, 'This plan has 10 seats, and 12 are taken.')
  for (const name of ['Ann Archer', ...guests])
    await expect(page.getByText(name, { exact: true })).toBeVisible()
  await makeRoom.click()
  await expect(page).toHaveURL(/\/users$/)
})

test('the card of a plan with too few seats says so, and leads to where there is room to make', async ({
  page,
}) => {
  const id = await annsProject(page, { plan: 'pro' })
  await changeAnswers(page, 'getSubscriptionUsers', ({ seats }) => {
    Object.assign(seats, { members: 12, pending: 2 })
  })
  await page.goto(projectPath('changePlan', id))
  const free = page.getByRole('listitem').filter({ hasText: 'Choose Free' })
  await shows(free, 'This plan has 10 seats, and 14 are taken.')
  await expect(page.getByText('and 14 are taken')).toHaveCount(1)
  const quiet = free.getByRole('button', { name: 'Choose Free' })
  await expect(quiet).toBeEnabled()
  await expect(quiet).toHaveCSS('border-top-color', 'rgba(0, 0, 0, 0)')
  await free.getByRole('link', { name: 'Make room on the users page' }).click()
  await expect(page).toHaveURL(/\/users$/)
})

test('an owner who wants to cancel gets an offer of the free plan first', async ({ page }) => {
  const id = await annsProject(page, { plan: 'pro', screen: 'cancelSubscription' })
  await expect(page.getByRole('heading', { name: 'Keep it on Free instead' })).toBeVisible()
  await page.getByRole('link', { name: 'Change to Free' }).click()
  await page.getByRole('button', { name: 'Change to Free' }).click()
  await isOn(page, 'Free')
  await page.goto(`/subscription/${id}/billing/cancel`)
  await expect(page.getByLabel('Type the project ID to confirm')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Keep it on Free instead' })).toHaveCount(0)
})

test('the page shows the project’s own charge and date, not today’s prices', async ({ page }) => {
  const id = await annsProject(page, { plan: 'pro' })
  const { subscription } = await ask(page, 'getSubscription', { subscriptionId: id })
  const price = { amount: 800, currency: 'usd', frequency: 'week', every: 1 } as const
  let answer: Partial<typeof subscription> = { price }
  await changeProject(page, (subscription) => Object.assign(subscription, answer))
  await openBilling(page, id)
  await shows(page, '$8.00 per week')
  await page.goto(`/subscription/${id}/billing/change-plan`)
  await shows(page, 'You pay $8.00 per week')
  await page.goto(`/subscription/${id}`)
  await shows(page, '$8.00 per week')
  answer = { ends: subscription.renews }
  await openBilling(page, id)
  await shows(page, /^The plan ends on \w+ \d+, \d{4}\.$/)
  await expect(page.getByText('Next payment')).toHaveCount(0)
  answer = { is_paused: true }
  await openBilling(page, id)
  await shows(page, 'Nothing is being charged for now.')
  answer = { plan_id: 'gold' }
  await openBilling(page, id)
  await shows(page, 'No longer offered. This project keeps it until the plan is changed.')
})

test('an owner types the exact id of a project to cancel it', async ({ page }) => {
  const id = await annsProject(page, { plan: 'pro' })
  await openBilling(page, id)
  await page.getByRole('link', { name: 'Cancel subscription' }).click()
  const cancel = page.getByRole('button', { name: 'Cancel subscription' })
  const field = page.getByLabel('Type the project ID to confirm')
  await expect(cancel).toBeDisabled()
  const otherCase = id.toUpperCase() === id ? id.toLowerCase() : id.toUpperCase()
  for (const wrong of [id.slice(1), `${id}x`, otherCase]) {
    await field.fill(wrong)
    await expect(cancel).toBeDisabled()
  }
  await field.fill(`  ${id} `)
  const goOn = await hold(page, '**/api/getSubscription')
  await answered(page, '**/api/cancelSubscription', () => cancel.click())
  goOn()
  await isOn(page, 'Pro')
  await shows(page, 'This subscription has been canceled')
  // Only other members see the notice that the project has been canceled.
  await expect(page.getByText('This project has been canceled.')).toHaveCount(0)
})

test('the billing of a canceled project that never had a card speaks of none', async ({ page }) => {
  const id = await annsProject(page)
  await ask(page, 'cancelSubscription', { subscriptionId: id, confirmationId: id })
  await openBilling(page, id)
  await shows(page, /^Canceled on \w+ \d+, \d{4} by Ann Archer\. Nothing more is charged\.$/)
  await expect(page.getByRole('main').getByRole('link', { name: 'Your cards' })).toHaveCount(0)
})

test.describe('an unpaid week', () => {
  // This test moves the sandbox's clock, so it uses a server on which no other test buys.
  test.use({ baseURL: process.env['SOCIAL_URL']! })

  test('shows on every screen of the project, and another card pays it', async ({ page }) => {
    mayRefuse(page, 'payInvoice', 'previewPayment')
    const id = await annsProject(page, { plan: 'pro' })
    await switchToCard(page, id, refusesCharges)
    await page.request.post('/sandbox/clock', { data: { advanceSeconds: 7 * 86_400 + 7200 } })
    await expect
      .poll(async () => (await ask(page, 'getSubscription', { subscriptionId: id })).subscription)
      .toMatchObject({ payment: 'past_due' })
    await page.goto('/dashboard')
    await shows(page, 'Pay now')
    await page.goto(`/subscription/${id}`)
    await shows(page, /^Visa ••••\s0341 was declined, so the payment isn't made yet\.$/)
    const orEnds = /^If it isn't paid by .* the project is canceled/
    await shows(page, orEnds)
    const toPay = page.getByRole('main').getByRole('link', { name: 'Pay $10.00' })
    await expect(toPay).toHaveAttribute('href', `/subscription/${id}/billing`)
    await page.goto(`/subscription/${id}/users`)
    await shows(page, /You can pay now or choose another card\.$/)
    await page.getByRole('main').getByRole('link', { name: 'Go to billing' }).click()
    await shows(page, /^\$10\.00 owed since /)
    await shows(page, /^Visa ••••\s0341 was declined, so the payment isn't made yet\.$/)
    await shows(page, /We'll try the card again on /, orEnds)
    await shows(page, 'After the overdue payment', /^\$10\.00 per week, renews \w+ \d+, \d{4}$/)
    await expect(page.getByText('Next payment')).toHaveCount(0)
    const manage = page.getByRole('group', { name: 'Manage billing' })
    await expect(manage).toContainText(/Visa ••••\s0341, expires 12\/34Declined/)
    const { paymentMethods } = await ask(page, 'getPaymentMethods', { subscriptionId: id })
    const { id: paymentMethodId } = paymentMethods.find(({ isDefault }) => !isDefault)!
    await ask(page, 'setDefaultPaymentMethod', { subscriptionId: id, paymentMethodId })
    await page.reload()
    await shows(page, /^Visa ••••\s0341 was declined/, /^We'll try Visa ••••\s4242 on /)
    await expect(manage).not.toContainText('Declined')

    const pay = page.getByRole('button', { name: 'Pay $10.00', exact: true })
    const declined = page.getByRole('radio', { name: /Visa ••••\s0341.*Declined/ })
    const other = page.getByRole('radio', { name: /Visa ••••\s4242/ })
    await expect(other).toBeChecked()
    await declined.check()
    await pay.click()
    await shows(page, 'The card was declined. Try another card, or ask your bank.')

    const answer = await refuseNext(page, 'previewPayment', 'paymentsUnavailable', 10)
    await page.reload()
    await page.getByRole('button', { name: 'Pay now' }).click()
    await shows(page, 'Choose the card to pay with.')
    await expect(page.getByRole('radio').first()).toBeFocused()
    answer()
    await page.reload()
    await pay.click()
    await shows(page, /^\$10\.00 paid with Visa ••••\s4242$/)
    await shows(page, /^Next payment: \$10\.00 on \w+ \d+, \d{4}\.$/)
    await expect(pay).toBeHidden()
    const invoices = page.getByRole('row').filter({ hasText: '$10.00' })
    await expect(invoices.filter({ hasText: 'Open' })).toHaveCount(0)
  })
})
