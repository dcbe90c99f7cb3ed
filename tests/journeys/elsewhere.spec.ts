import type { Page } from '@playwright/test'
import { chooseFor, confirm, confirmOwnId, fillCard, signedInAs, submit } from './people.ts'
import { annsProject } from './projects.ts'
import {
  answered,
  expect,
  expectPassing,
  hold,
  mayRefuse,
  refuseNext,
  shows,
  test,
} from './visitor.ts'

// A user who has moved on to another screen stays there when an earlier call is answered.

test.describe('a member who leaves a project', () => {
  /** Makes Bob a member, who goes from his profile to the dashboard and into the project. */
  async function aMember(page: Page, host: Page) {
    await signedInAs(page, 'Bob Baker')
    await annsProject(host, { admin: page })
    await page.goto('/profile')
    await page.getByRole('banner').getByRole('link').first().click()
    await page.getByRole('link', { name: 'Bridge renewal' }).click()
  }

  async function leave(page: Page) {
    await page.getByRole('dialog').getByRole('button', { name: 'Leave project' }).click()
    await expect(page.getByRole('heading', { name: 'Your projects' })).toBeVisible()
  }

  async function expectDashboard(page: Page) {
    await expect(page.getByRole('heading', { name: 'Start with a project' })).toBeVisible()
    await expect(page).toHaveURL(/\/dashboard$/)
  }

  test('stays on an earlier screen that they went back to', async ({ page, another }) => {
    await aMember(page, await another())
    await page.getByRole('button', { name: 'Leave project' }).click()
    const letGo = await hold(page, '**/api/leaveSubscription')
    await leave(page)
    await page.goBack()
    await page.goBack()
    await expect(page).toHaveURL(/\/profile$/)
    await expectPassing(page, "You've left Bridge renewal.", letGo)
    await expect(page).toHaveURL(/\/profile$/)
    await page.getByRole('banner').getByRole('link').first().click()
    await expectDashboard(page)
  })

  test('comes to the dashboard even after going back to the project', async ({ page, another }) => {
    await aMember(page, await another())
    await page.getByRole('link', { name: 'Users' }).click()
    await chooseFor(page, 'Bob Baker', 'Leave project')
    const letGo = await hold(page, '**/api/leaveSubscription')
    await leave(page)
    await page.goBack()
    await expect(page.getByRole('heading', { name: 'Bridge renewal', exact: true })).toBeVisible()
    await expectPassing(page, "You've left Bridge renewal.", letGo)
    await expectDashboard(page)
  })

  test('stays a member and reads an error if the server refuses', async ({ page, another }) => {
    await aMember(page, await another())
    await page.getByRole('button', { name: 'Leave project' }).click()
    await refuseNext(page, 'leaveSubscription', 'internal')
    await leave(page)
    await shows(page, 'Failed to leave the project')
    await page.getByRole('link', { name: 'Bridge renewal' }).click()
    await expect(page.getByRole('button', { name: 'Leave project' })).toBeVisible()
  })
})

test('a user on the profile comes to the sign-in once the account is deleted', async ({ page }) => {
  // Calls that the profile may have under way when the account is deleted.
  mayRefuse(
    page,
    'refreshSession',
    'getUser',
    'listSessions',
    'listAccessTokens',
    'listFactors',
    'listOwnPaymentMethods',
    'listSubscriptions',
    'saveUser',
  )
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

test('a toast says what was done even if the dialog is closed early', async ({ page, another }) => {
  await annsProject(page, { admin: await another('Bob Baker'), screen: 'users' })
  await chooseFor(page, 'Bob Baker', 'Remove from project')
  const letGo = await hold(page, '**/api/removeUser')
  await confirm(page, 'Remove Bob Baker?', 'Remove from project')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expectPassing(page, 'Bob Baker has been removed.', letGo)
})

test('a late answer about a card does not move a user who canceled', async ({ page }) => {
  await annsProject(page, { screen: 'managePaymentMethods' })
  await page.getByRole('link', { name: 'Add card' }).click()
  const letGo = await hold(page, '**/api/createSetupIntent')
  const asked = page.waitForRequest('**/api/createSetupIntent')
  await fillCard(page, '4242424242424242')
  await submit(page, 'Save card', { 'Cardholder name': 'Ann' })
  await asked
  await page.getByRole('link', { name: 'Cancel' }).click()
  await shows(page, 'No card yet')
  await answered(page, '**/api/createSetupIntent', letGo)
  await shows(page, 'No card yet')
})

test('a late answer about a plan does not move a user who chose another', async ({ page }) => {
  await signedInAs(page, 'Ann Archer')
  await page.goto('/create-plan')
  const letGo = await hold(page, '**/api/createSubscription')
  await page.getByRole('button', { name: 'Choose Free' }).click()
  await page.getByRole('button', { name: 'Choose Pro' }).click()
  const pay = page.getByRole('button', { name: 'Create project' })
  await expect(pay).toBeVisible()
  await answered(page, '**/api/createSubscription', letGo)
  await expect(pay).toBeVisible()
  await expect(page).toHaveURL(/\/create-plan\?plan=pro$/)
})
