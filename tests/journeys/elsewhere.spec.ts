import type { Page } from '@playwright/test'
import { cardFields, confirmOwnId, fill, signedInAs } from './people.ts'
import { annsProject, joins } from './projects.ts'
import { expect, expectPassing, hold, nextFrames, refuseNext, test } from './visitor.ts'

// A visitor who has gone elsewhere is not led away by the answer to an earlier call.

test.describe('a member who leaves a project', () => {
  /** The member comes from the profile by the dashboard. */
  async function aMember(page: Page, host: Page) {
    const id = await annsProject(host, { plan: 'free' })
    await signedInAs(page, 'Bob Baker')
    await joins(page, host, id, ['admin'])
    await page.goto('/profile')
    await page.getByRole('banner').getByRole('link').first().click()
    await page.getByRole('link', { name: 'Bridge renewal' }).click()
  }

  async function leave(page: Page) {
    await page.getByRole('dialog').getByRole('button', { name: 'Leave project' }).click()
    await expect(page.getByRole('heading', { name: 'Your projects' })).toBeVisible()
  }

  const expectSaid = (page: Page, letGo: () => void) =>
    expectPassing(page, 'You have left Bridge renewal.', async () => letGo())

  async function expectDashboard(page: Page) {
    await expect(page.getByRole('heading', { name: 'Start with a project' })).toBeVisible()
    await expect(page).toHaveURL(/\/dashboard$/)
  }

  test('goes back to earlier screens meanwhile, and stays there', async ({ page, another }) => {
    await aMember(page, await another())
    await page.getByRole('button', { name: 'Leave project' }).click()
    const letGo = await hold(page, '**/api/leaveSubscription')
    await leave(page)
    await page.goBack()
    await page.goBack()
    await expect(page).toHaveURL(/\/profile$/)
    await expectSaid(page, letGo)
    await expect(page).toHaveURL(/\/profile$/)
    await page.getByRole('banner').getByRole('link').first().click()
    await expectDashboard(page)
  })

  test('goes back to another of its screens meanwhile, and comes to the dashboard', async ({
    page,
    another,
  }) => {
    await aMember(page, await another())
    await page.getByRole('link', { name: 'Users' }).click()
    await page.getByRole('button', { name: 'Actions for Bob Baker' }).click()
    await page.getByRole('menuitem', { name: 'Leave project' }).click()
    const letGo = await hold(page, '**/api/leaveSubscription')
    await leave(page)
    await page.goBack()
    await expect(page.getByRole('heading', { name: 'Bridge renewal', exact: true })).toBeVisible()
    await expectSaid(page, letGo)
    await expectDashboard(page)
  })

  test.describe('when that is refused', () => {
    test.use({ expectedRefusals: ['leaveSubscription'] })

    test('says so on the dashboard, and the project is still there', async ({ page, another }) => {
      await aMember(page, await another())
      await page.getByRole('button', { name: 'Leave project' }).click()
      await refuseNext(page, 'leaveSubscription', 'internal')
      await leave(page)
      await expect(page.getByText('Failed to leave the project')).toBeVisible()
      await page.getByRole('link', { name: 'Bridge renewal' }).click()
      await expect(page.getByRole('button', { name: 'Leave project' })).toBeVisible()
    })
  })
})

test.describe('an account that is being deleted', () => {
  // The profile may still be reading.
  test.use({
    expectedRefusals: [
      'refreshSession',
      'getUser',
      'listSessions',
      'listOwnPaymentMethods',
      'saveUser',
    ],
  })

  test('leads to the sign-in from the profile, too', async ({ page }) => {
    await signedInAs(page, 'Ann Archer')
    await page.goto('/delete-account')
    await confirmOwnId(page)
    const letGo = await hold(page, '**/api/deleteAccount')
    await page.getByRole('button', { name: 'Delete account' }).click()
    await page.getByRole('link', { name: 'Cancel' }).click()
    await expect(page).toHaveURL(/\/profile$/)
    letGo()
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  })
})

test('a dialog that is closed before its answer comes still says what was done', async ({
  page,
  another,
}) => {
  const id = await annsProject(page, { plan: 'free' })
  await joins(await another('Bob Baker'), page, id, ['admin'])
  await page.goto(`/subscription/${id}/users`)
  await page.getByRole('button', { name: 'Actions for Bob Baker' }).click()
  await page.getByRole('menuitem', { name: 'Remove from project' }).click()
  const letGo = await hold(page, '**/api/removeUser')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove from project' }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expectPassing(page, 'Bob Baker is removed from the project.', async () => letGo())
})

test.describe('a visitor who gave a step up stays where they are when its answer comes', () => {
  async function answered(page: Page, call: string, letGo: () => void) {
    const answer = page.waitForResponse(`**/api/${call}`)
    letGo()
    await answer
    await nextFrames(page)
  }

  test('a card', async ({ page }) => {
    const id = await annsProject(page, { plan: 'free' })
    await page.goto(`/subscription/${id}/billing/payment-methods?add`)
    await fill(page, { 'Cardholder name': 'Ann', ...cardFields('4242424242424242') })
    const letGo = await hold(page, '**/api/createSetupIntent')
    await page.getByRole('button', { name: 'Save card' }).click()
    await page.getByRole('link', { name: 'Cancel' }).click()
    await expect(page.getByText('No card yet')).toBeVisible()
    await answered(page, 'createSetupIntent', letGo)
    await expect(page.getByText('No card yet')).toBeVisible()
  })

  test('a plan', async ({ page }) => {
    await signedInAs(page, 'Ann Archer')
    await page.goto('/create-plan')
    const letGo = await hold(page, '**/api/createSubscription')
    await page.getByRole('button', { name: 'Choose Free' }).click()
    await page.getByRole('button', { name: 'Choose Pro' }).click()
    const pay = page.getByRole('button', { name: 'Create project' })
    await expect(pay).toBeVisible()
    await answered(page, 'createSubscription', letGo)
    await expect(pay).toBeVisible()
    await expect(page).toHaveURL(/\/create-plan\?plan=pro$/)
  })
})
