import { billingDetails } from '../../operate/seed/billing-details.ts'
import { paths, projectPath } from '#contract/paths.ts'
import type { Page } from '@playwright/test'
import { bankFrame, cardFrame, fillCheckout, signedInAs } from './people.ts'
import { annsProject, ask, invites, switchToCard } from './projects.ts'
import { expect, mayRefuse, shows, test } from './visitor.ts'

test.use({ baseURL: process.env['SELLING_URL'] })
// One after the other, because the last one moves the sandbox's clock.
test.describe.configure({ mode: 'default' })

const refusesCharges = '4000000000000341'

test('on a phone, a buyer chooses a year in euros, and the choice stays to the payment', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(paths.pricing)
  // The choice is in the URL, which follows a moment after the click.
  await page.getByRole('radio', { name: 'yearly' }).click()
  await expect(page.getByRole('radio', { name: 'yearly' })).toBeChecked()
  await page.getByRole('combobox', { name: 'Currency' }).selectOption('eur')
  await shows(page, '30 days free, then €1,080.00 per year')
  await signedInAs(page, 'Ann Archer')
  await page.reload()
  await page.getByRole('link', { name: 'Choose Enterprise' }).click()
  await fillCheckout(page, '4242424242424242')
  await expect(cardFrame(page).getByLabel('Card number')).toHaveValue(/4242$/)
  await page.getByRole('button', { name: 'Create project' }).click()
  await expect(page).toHaveURL(/\/settings$/)
  const [project] = (await ask(page, 'listSubscriptions', {})).subscriptions
  expect(project!.price).toEqual({ amount: 1080_00, currency: 'eur', frequency: 'year', every: 1 })
})

test('somebody whose country has a sold currency is asked once, and keeps what was typed', async ({
  page,
}) => {
  await signedInAs(page, 'Ann Archer')
  await page.goto(`${paths.createPlan}?plan=pro`)
  await page.getByLabel('City').fill('Hamburg')
  await page.getByLabel('Country').selectOption('DE')
  await page.getByRole('button', { name: 'Pay in EUR' }).click()
  await shows(page, /You pay €36\.00 on/)
  await expect(page).toHaveURL(/currency=eur/)
  await expect(page.getByLabel('City')).toHaveValue('Hamburg')
  await page.getByLabel('Country').selectOption('JP')
  await expect(page.getByRole('button', { name: 'Pay in JPY' })).toHaveCount(0)
})

test('a trial begins without a card, and says until when nothing is charged', async ({ page }) => {
  await signedInAs(page, 'Ann Archer')
  await page.goto(`${paths.createPlan}?plan=pro`)
  await shows(
    page,
    /^Nothing is charged today\. You pay \$40\.00 on .*, then \$40\.00 per month\.$/,
  )
  await shows(page, /^You need no card today\./)
  await expect(page.locator('iframe')).toHaveCount(0)
  await fillCheckout(page)
  await page.getByRole('button', { name: 'Create project' }).click()
  await expect(page).toHaveURL(/\/settings$/)
  const [project] = (await ask(page, 'listSubscriptions', {})).subscriptions
  await page.goto(projectPath('billing', project!.id))
  await shows(page, /^Trial until \w+ \d+, \d{4}$/)
  await shows(page, /^To go on after the trial, add a card\./)
  await page.goto(`${paths.createPlan}?plan=pro`)
  await shows(page, /^You pay \$40\.00 today/)
  await expect(page.locator('iframe')).toHaveCount(1)
})

test('a trial that needs a card asks its bank, and begins without a charge', async ({ page }) => {
  await signedInAs(page, 'Ann Archer')
  await page.goto(`${paths.createPlan}?plan=enterprise`)
  await fillCheckout(page, '4000002760003184')
  await page.getByRole('button', { name: 'Create project' }).click()
  await bankFrame(page).getByRole('button', { name: 'Complete' }).click()
  await expect(page).toHaveURL(/\/settings$/)
  const [project] = (await ask(page, 'listSubscriptions', {})).subscriptions
  expect(project).toMatchObject({ plan_id: 'enterprise', payment: 'ok' })
  expect(project!.trial_ends).not.toBeNull()
})

test('an owner lets a project end with its period, and keeps it with one click', async ({
  page,
  another,
}) => {
  const admin = await another('Ben Baker')
  const id = await annsProject(page, { plan: 'pro', admin, screen: 'cancelSubscription' })
  await expect(page.getByRole('radio', { name: /^When the paid period ends/ })).toBeChecked()
  await page.getByRole('button', { name: /^Cancel on/ }).click()
  await expect(page).toHaveURL(projectPath('billing', id))
  await shows(page, /The project ends on \w+ \d+, \d{4}\./)
  await admin.goto(projectPath('billing', id))
  await shows(admin, /The project ends on/)
  await expect(admin.getByRole('button', { name: 'Keep the project' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Keep the project' }).first().click()
  await shows(page, 'The project goes on as before.')
  await expect(page.getByText(/The project ends on/)).toHaveCount(0)
  await expect(admin.getByText(/The project ends on/)).toHaveCount(0)
})

test('ending at once says what goes back to the card', async ({ page }) => {
  await annsProject(page, { plan: 'pro', screen: 'cancelSubscription' })
  await page.getByRole('radio', { name: /^Right away/ }).check()
  await shows(page, '$40.00 goes back to the card.')
})

test('a smaller plan is shown for the day on which it comes, and can be undone', async ({
  page,
}) => {
  const id = await annsProject(page, { plan: 'enterprise', screen: 'changePlan' })
  await page.getByRole('button', { name: 'Choose Pro' }).click()
  await shows(
    page,
    /^Nothing is charged today\. You pay \$40\.00 on .*, then \$40\.00 per month\.$/,
  )
  await page.getByRole('button', { name: /^Change on/ }).click()
  await expect(page).toHaveURL(projectPath('billing', id))
  await shows(page, /Changes to Pro on/)
  await page.getByRole('button', { name: 'Undo plan change' }).first().click()
  await shows(page, 'The plan stays as it is.')
  await expect(page.getByText(/Changes to Pro on/)).toHaveCount(0)
})

test('a buyer enters a wrong code, then a right one, and begins what was shown with it', async ({
  page,
}) => {
  await makeCode(page, 'SPRING')
  await signedInAs(page, 'Ann Archer')
  await page.goto(`${paths.createPlan}?plan=pro`)
  await fillCheckout(page)
  await page.getByRole('button', { name: 'I have a code' }).click()
  const field = page.getByLabel('Promotion code')
  await expect(field).toBeFocused()
  mayRefuse(page, 'previewSubscription')
  await page.keyboard.type('SPRNG')
  await page.keyboard.press('Enter')
  await shows(page, "There's no such code. Check the letters and digits.")
  await expect(field).toHaveValue('SPRNG')
  await shows(page, /You pay \$40\.00 on/)
  await field.fill('spring')
  await page.getByRole('button', { name: 'Apply' }).click()
  await shows(page, 'The code spring is applied.')
  await expect(page.getByRole('button', { name: 'Remove code' })).toBeFocused()
  await page.getByLabel('Country').selectOption('DE')
  await page.getByRole('button', { name: 'Pay in EUR' }).click()
  await shows(page, /You pay €27\.00 on .* €27\.00 instead of €36\.00 per month until /)
  await page.reload()
  await shows(page, 'The code spring is applied.')
  await page.getByRole('button', { name: 'Remove code' }).click()
  await shows(page, /You pay €36\.00 on/)
  await page.getByLabel('Promotion code').fill('SPRING')
  await page.keyboard.press('Enter')
  await shows(page, 'The code SPRING is applied.')
  await page.getByRole('button', { name: 'Create project' }).click()
  await expect(page).toHaveURL(/\/settings$/)
  const [project] = (await ask(page, 'listSubscriptions', {})).subscriptions
  await page.goto(projectPath('billing', project!.id))
  await shows(page, /^€27\.00 instead of €36\.00 per month until /)
})

test('on a phone, an owner of a free project changes to a paid plan with a code', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await makeCode(page, 'SUMMER')
  const id = await annsProject(page, { plan: 'free' })
  // Who has had a trial pays at once.
  const tried = { planId: 'pro', trial: true, billingInfo: { billingDetails } }
  await ask(page, 'createSubscription', tried)
  await page.goto(projectPath('changePlan', id))
  await page.getByRole('button', { name: 'Choose Pro' }).click()
  await page.getByRole('button', { name: 'I have a code' }).click()
  await page.getByLabel('Promotion code').fill('SUMMER')
  await page.getByRole('button', { name: 'Apply' }).click()
  await shows(page, 'The code SUMMER is applied.')
  await fillCheckout(page, '4242424242424242')
  await page.getByRole('button', { name: 'Pay $30.00 and change to Pro' }).click()
  await expect(page).toHaveURL(projectPath('billing', id))
  await shows(page, /^\$30\.00 instead of \$40\.00 per month until /)
})

async function makeCode(page: Page, code: string) {
  const promotion = { code, percent_off: 25, months: 3 }
  await page.request.post('/sandbox/control', { data: { promotion } })
}

test('when the grace is over, members may only look until the owner pays', async ({
  page,
  another,
}) => {
  mayRefuse(page, 'payInvoice')
  const member = await another('Mia Miller')
  await member.setViewportSize({ width: 390, height: 844 })
  const id = await annsProject(page, { plan: 'pro', member, screen: 'subscription' })
  await switchToCard(page, id, refusesCharges)
  const passDays = (days: number) =>
    page.request.post('/sandbox/clock', { data: { advanceSeconds: days * 86_400 } })
  await passDays(32)
  await expect(page.getByText('Overdue').first()).toBeVisible()
  await passDays(8)
  await member.goto(projectPath('subscription', id))
  await shows(
    member,
    /^A payment is overdue\. Until it's made, .* It's canceled on .* otherwise\.$/,
  )
  await page.goto(projectPath('invite', id))
  await shows(page, "Until it's paid for, this project can only be looked at.")
  await expect(page.getByRole('textbox')).toHaveCount(0)
  await page.getByRole('link', { name: 'Go to billing' }).click()
  await page.getByRole('radio', { name: /4242/ }).check()
  await page.getByRole('button', { name: 'Pay $40.00', exact: true }).click()
  await expect(page.getByText(/can only be looked at/)).toHaveCount(0)
  await expect(member.getByText(/can only be looked at/)).toHaveCount(0)
})

test('a project whose trial is over waits for its owner to start it again', async ({ page }) => {
  await signedInAs(page, 'Ann Archer')
  const wish = { planId: 'pro', trial: true, billingInfo: { billingDetails } }
  const { subscriptionId: id } = await ask(page, 'createSubscription', wish)
  // Too many for the free plan.
  for (let index = 0; index < 10; index++) await invites(page, id, `invited${index}@example.com`)
  await page.request.post('/sandbox/clock', { data: { advanceSeconds: 15 * 86_400 } })
  await page.goto(projectPath('subscription', id))
  await shows(page, /^The trial has ended\./)
  await expect(page.getByText('This project is free.')).toHaveCount(0)
  await page.getByRole('main').getByRole('link', { name: 'Go to billing' }).click()
  await shows(page, 'The trial is over')
  await shows(
    page,
    /^Nothing was charged\. If nobody starts the project again by .*, it's canceled\.$/,
  )
  await shows(page, /^There's no card to pay with\./)
  await switchToCard(page, id, '4242424242424242')
  await page.getByRole('button', { name: 'Pay $40.00 and start again' }).click()
  await shows(page, '$40.00 paid with Visa •••• 4242')
  await expect(page.getByText('The trial is over')).toHaveCount(0)
})
