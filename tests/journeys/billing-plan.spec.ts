import type { Page } from '@playwright/test'
import { fillCheckout, newAddress } from './people.ts'
import { annsProject, ask, joins, switchToCard } from './projects.ts'
import { expect, expectPassing, hold, nextFrames, test } from './visitor.ts'
import { expectScreen } from './keys.ts'

const actions = [
  'Update billing details',
  'Manage payment methods',
  'Change plan',
  'Transfer ownership',
  'Cancel subscription',
]
const asksEveryTime = '4000002760003184'
const refusesCharges = '4000000000000341'

async function openBilling(page: Page, id: string) {
  await page.goto(`/subscription/${id}/billing`)
  await expect(page.getByRole('heading', { name: 'Billing Information' })).toBeVisible()
}

/** From the billing page to what a change costs. */
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

test('the owner sees plan, seats and next payment; another admin sees why nothing can be pressed; a canceled project says so', async ({
  page,
  another,
}) => {
  const id = await annsProject(page)
  const guest = await another('Bob Baker')
  await joins(guest, page, id, ['admin'])

  await openBilling(page, id)
  await expect(page.getByText('2 of 20 seats')).toBeVisible()
  await expect(page.getByText(/^Next payment: \$10\.00 on \w+ \d+, \d{4}$/)).toBeVisible()
  await expect(page.getByText('with Visa •••• 4242')).toBeVisible()
  for (const name of actions) await expect(page.getByRole('link', { name })).toBeEnabled()

  await openBilling(guest, id)
  await expect(guest.getByText('Only the subscription owner can perform this action')).toBeVisible()
  for (const name of actions) await expect(guest.getByRole('link', { name })).toBeDisabled()
  await expect(guest.getByText('Visa')).toBeHidden()
  await guest.goto(`/subscription/${id}/billing/change-plan`)
  await expect(guest).toHaveURL(/\/dashboard$/)

  await ask(page, 'cancelSubscription', { subscriptionId: id, confirmationId: id })
  await openBilling(page, id)
  await expect(page.getByText('This subscription has been canceled')).toBeVisible()
  await expect(
    page.getByText(/^Canceled on \w+ \d+, \d{4} by Ann Archer\. Nothing more is charged\./),
  ).toBeVisible()
  for (const name of actions) await expect(page.getByRole('link', { name })).toBeDisabled()
  await page.goto(`/subscription/${id}/billing/change-plan`)
  await expect(page.getByText('This subscription has been canceled')).toBeVisible()
  await page.getByRole('link', { name: 'Back to billing' }).click()
  await isOn(page, 'Pro')
})

test('a larger plan is charged as the preview said, and a smaller one leaves credit', async ({
  page,
}) => {
  const id = await annsProject(page)
  await chooses(page, id, 'Enterprise')
  await expect(page.getByText('Unused time on Pro')).toBeVisible()
  await expect(page.getByText('Rest of this week on Enterprise')).toBeVisible()
  await expect(page.getByText('From then on $30.00 per week')).toBeVisible()
  const due = await page.getByRole('definition').last().innerText()
  expect(due).toMatch(/^\$(19\.\d\d|20\.00)$/)
  await page.goBack()
  await expect(page.getByRole('button', { name: 'Current plan' })).toBeDisabled()
  await page.goForward()
  await expectPassing(page, 'The project is on Enterprise now.', () =>
    page.getByRole('button', { name: /^Pay \$[\d.]+ and change to Enterprise$/ }).click(),
  )
  await isOn(page, 'Enterprise')
  await expect(page.getByRole('row').filter({ hasText: due.slice(0, 4) })).toContainText('Paid')

  await chooses(page, id, 'Pro')
  await expect(page.getByText('Charged today')).toBeVisible()
  await expect(page.getByText('Credited for later payments')).toBeVisible()
  await expect(page.getByRole('definition').filter({ hasText: /^\$0\.00$/ })).toBeVisible()
  await expect(page.getByRole('definition').last()).toHaveText(/^\$(19\.\d\d|20\.00)$/)
  await page.getByRole('button', { name: 'Change to Pro' }).click()
  await isOn(page, 'Pro')
})

test('from a free plan to a paid one with a new card, and back, which gives nothing back but credit', async ({
  page,
}) => {
  const id = await annsProject(page, { plan: 'free' })
  await chooses(page, id, 'Pro')
  await expect(page.getByText('First week on Pro')).toBeVisible()
  await fillCheckout(page, '4242424242424242')
  await page.getByRole('button', { name: 'Pay $10.00 and change to Pro' }).click()
  await isOn(page, 'Pro')
  await expect(page.getByText('with Visa •••• 4242')).toBeVisible()

  await chooses(page, id, 'Free')
  await expect(page.getByText(/is not refunded/)).toBeVisible()
  await page.getByRole('button', { name: 'Change to Free' }).click()
  await isOn(page, 'Free')
  await expect(page.getByText('Next payment')).toBeHidden()
})

test.describe('payments that do not come', () => {
  test.use({ expectedRefusals: ['changeSubscriptionPlan', 'completePayment', 'payment_methods'] })

  test('a bank that says no leaves the plan as it is, and one that says yes changes it', async ({
    page,
  }) => {
    const id = await annsProject(page, { card: asksEveryTime })
    await chooses(page, id, 'Enterprise')
    const change = page.getByRole('button', { name: 'Change to Enterprise' })
    await change.click()
    await page.frameLocator('iframe').getByRole('button', { name: 'Fail authentication' }).click()
    await expect(page.getByText('did not confirm that it was you')).toBeVisible()
    expect((await ask(page, 'getSubscription', { subscriptionId: id })).subscription.plan_id).toBe(
      'pro',
    )
    await change.click()
    await page
      .frameLocator('iframe')
      .getByRole('button', { name: 'Complete authentication' })
      .click()
    await isOn(page, 'Enterprise')
  })

  test('a declined card leaves the plan as it is, and says where another one is chosen', async ({
    page,
  }) => {
    const id = await annsProject(page)
    await switchToCard(page, id, refusesCharges)
    await chooses(page, id, 'Enterprise')
    await page.getByRole('button', { name: 'Change to Enterprise' }).click()
    await expect(page.getByText('The card was declined')).toBeVisible()
    await expect(
      page.getByRole('main').getByRole('link', { name: 'Manage payment methods' }),
    ).toBeVisible()
    await openBilling(page, id)
    await isOn(page, 'Pro')
  })
})

test.describe('a plan that is too small', () => {
  test.use({ expectedRefusals: ['previewPlanChange'] })

  test('names its members, and links to the users page', async ({ page }) => {
    const id = await annsProject(page)
    const guests = Array.from({ length: 10 }, () => newAddress('guest'))
    for (const email of guests)
      await ask(page, 'createInvite', { subscriptionId: id, email, permissions: ['access'] })
    await page.goto(`/subscription/${id}/billing/change-plan?plan=free`)
    await expect(page.getByText('Failed to change subscription plan')).toBeVisible()
    await expect(page.getByText('This plan has 10 seats, and 11 are taken.')).toBeVisible()
    for (const name of ['Ann Archer', ...guests])
      await expect(page.getByText(name, { exact: true })).toBeVisible()
    await page.getByRole('link', { name: 'Make room on the users page' }).click()
    await expect(page).toHaveURL(/\/users$/)
  })
})

test('an owner who wants to cancel gets an offer of the free plan first', async ({ page }) => {
  const id = await annsProject(page)
  await page.goto(`/subscription/${id}/billing/cancel`)
  await expect(page.getByRole('heading', { name: 'Keep it on Free instead' })).toBeVisible()
  await page.getByRole('link', { name: 'Change to Free' }).click()
  await page.getByRole('button', { name: 'Change to Free' }).click()
  await isOn(page, 'Free')
  await page.goto(`/subscription/${id}/billing/cancel`)
  await expect(page.getByLabel('Type the project ID to confirm')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Keep it on Free instead' })).toHaveCount(0)
})

test.describe('a project that the free plan is too small for', () => {
  test.use({ expectedRefusals: ['previewPlanChange'] })

  test('says so where it would be canceled', async ({ page }) => {
    const id = await annsProject(page)
    for (const email of Array.from({ length: 10 }, () => newAddress('guest')))
      await ask(page, 'createInvite', { subscriptionId: id, email, permissions: ['access'] })
    await page.goto(`/subscription/${id}/billing/cancel`)
    await expect(page.getByText('This plan has 10 seats, and 11 are taken.')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Change to Free' })).toBeDisabled()
  })
})

test('the charge and its date come from the project, not from the prices of today', async ({
  page,
}) => {
  const id = await annsProject(page)
  const { subscription } = await ask(page, 'getSubscription', { subscriptionId: id })
  const answers: Partial<typeof subscription>[] = [
    { weekly: 800 },
    { weekly: 800, ends: subscription.renews },
    { is_paused: true },
  ]
  let answer = answers[0]
  await page.route('**/api/getSubscription', (route) =>
    route.fulfill({ json: { result: { subscription: { ...subscription, ...answer } } } }),
  )
  await openBilling(page, id)
  await expect(page.getByText('$8.00 per week')).toBeVisible()
  await expect(page.getByText(/^Next payment: \$8\.00 on /)).toBeVisible()
  await page.goto(`/subscription/${id}/billing/change-plan`)
  await expect(page.getByText('You pay $8.00 per week')).toBeVisible()
  await page.goto(`/subscription/${id}`)
  await expect(page.getByText('$8.00 per week')).toBeVisible()
  answer = answers[1]
  await openBilling(page, id)
  await expect(page.getByText(/^The plan ends on \w+ \d+, \d{4}\.$/)).toBeVisible()
  await expect(page.getByText('Next payment')).toHaveCount(0)
  answer = answers[2]
  await openBilling(page, id)
  await expect(page.getByText('Nothing is charged for now.')).toBeVisible()
})

test('a project is canceled by typing its id, exactly', async ({ page }) => {
  const id = await annsProject(page)
  await openBilling(page, id)
  await page.getByRole('link', { name: 'Cancel subscription' }).click()
  const cancel = page.getByRole('button', { name: 'Cancel subscription' })
  const field = page.getByLabel('Type the project ID to confirm')
  await expect(cancel).toBeDisabled()
  for (const wrong of [
    id.slice(1),
    `${id}x`,
    id.toUpperCase() === id ? id.toLowerCase() : id.toUpperCase(),
  ]) {
    await field.fill(wrong)
    await expect(cancel).toBeDisabled()
  }
  await field.fill(`  ${id} `)
  const goOn = await hold(page, '**/api/getSubscription')
  const answered = page.waitForResponse('**/api/cancelSubscription')
  await cancel.click()
  await (await answered).finished()
  await nextFrames(page)
  goOn()
  await isOn(page, 'Pro')
  await expect(page.getByText('This subscription has been canceled')).toBeVisible()
  // That is news for others only.
  await expect(page.getByText('This project has been canceled.')).toHaveCount(0)
})

test.describe('a week that is not paid', () => {
  // Its clock is moved, so it has a server that nobody else buys on.
  test.use({ baseURL: process.env['SOCIAL_URL']!, expectedRefusals: ['payInvoice'] })

  test('shows on every screen of the project, and another card pays it', async ({ page }) => {
    const id = await annsProject(page)
    await switchToCard(page, id, refusesCharges)
    await page.request.post('/sandbox/clock', { data: { advanceSeconds: 7 * 86_400 + 7200 } })
    await expect(async () => {
      expect(
        (await ask(page, 'getSubscription', { subscriptionId: id })).subscription.payment,
      ).toBe('past_due')
    }).toPass()
    await page.goto(`/subscription/${id}`)
    await page.getByRole('main').getByRole('link', { name: 'Go to billing' }).click()
    await expect(page.getByText(/^\$10\.00 owed since /)).toBeVisible()
    await expect(
      page.getByText(/The card is tried again on .* the project is canceled/),
    ).toBeVisible()
    const pay = page.getByRole('button', { name: 'Pay $10.00', exact: true })
    await pay.click()
    await expect(page.getByText('The card was declined')).toBeVisible()
    await page.getByRole('radio', { name: /Visa •••• 4242/ }).check()
    await pay.click()
    await expect(page.getByText('Paid. The project goes on as before.')).toBeVisible()
    await expect(pay).toBeHidden()
    await expect(
      page.getByRole('row').filter({ hasText: '$10.00' }).filter({ hasText: 'Open' }),
    ).toHaveCount(0)
  })
})
