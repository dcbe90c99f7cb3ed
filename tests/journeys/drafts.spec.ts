import type { CallOutput } from '#contract/calls.ts'
import { projectPath } from '#contract/paths.ts'
import { request, type Page } from '@playwright/test'
import {
  call,
  fillCard,
  fill,
  newAddress,
  password,
  signedInAs,
  signIn,
  signInHere,
  signOut,
} from './people.ts'
import { addressOf, annsProject, aProject } from './projects.ts'
import { expect, expectPassing, mayRefuse, shows, test } from './visitor.ts'

const typedBefore = 'What you typed is here again.'
const ended = 'Your session has ended. Sign in again.'

/** Signs the same person in on another device and ends all other sessions from there. */
async function endSession(page: Page, email: string) {
  // Calls that a screen may have under way when its session ends.
  const reads = [
    'getSubscription',
    'getSubscriptionUsers',
    'getPaymentMethods',
    'listAccessTokens',
    'listFactors',
    'listJoinRequests',
    'listSubscriptions',
    'getJoinLink',
  ]
  const others = ['getUser', 'live', 'refreshSession', 'saveUser', 'updateSubscriptionSettings']
  mayRefuse(page, ...reads, ...others)
  const device = await request.newContext({ baseURL: test.info().project.use.baseURL! })
  const signedIn = await call(device, 'signIn', { email, password })
  await call(device, 'revokeOtherSessions', {}, (signedIn as CallOutput<'signIn'>).token)
  await device.dispose()
}

test('the app restores what a user typed before the session ended', async ({ page }) => {
  const id = await annsProject(page, { screen: 'invite' })
  const ann = await addressOf(page)
  const name = page.getByLabel('Name')
  await name.fill('Carla Cruz')
  await page.getByLabel('Email', { exact: true }).fill('carla@example.com')
  const roles = ['Editor', 'Administrator'].map((role) =>
    page.getByRole('checkbox', { name: role }),
  )
  for (const role of roles) await role.check()
  await endSession(page, ann)
  await shows(page, ended)
  await signInHere(page, ann)

  await expect(page).toHaveURL(projectPath('invite', id))
  await shows(page, typedBefore)
  await expect(name).toHaveValue('Carla Cruz')
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue('carla@example.com')
  for (const role of roles) await expect(role).toBeChecked()
  await page.getByRole('button', { name: 'Discard' }).press('Enter')
  await expect(page.getByText(typedBefore)).toBeHidden()
  await expect(name).toHaveValue('')
  for (const role of roles) await expect(role).not.toBeChecked()
  await expect(name).toBeFocused()

  await page.reload()
  await expect(name).toBeVisible()
  await expect(name).toHaveValue('')
  await expect(page.getByText(typedBefore)).toBeHidden()
})

test('a form keeps what was typed when its user leaves by a link or reloads', async ({ page }) => {
  await annsProject(page, { screen: 'settings' })
  const name = page.getByLabel('Project Name')
  await name.fill('Bridge and tunnel')
  await page.getByRole('link', { name: 'Users' }).click()
  await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible()
  await page.goBack()
  await shows(page, typedBefore)
  await expect(name).toHaveValue('Bridge and tunnel')
  await page.reload()
  await shows(page, typedBefore)
  await expect(name).toHaveValue('Bridge and tunnel')

  // Another project has a draft of its own.
  await page.goto(projectPath('settings', await aProject(page)))
  await expect(name).toHaveValue('Bridge renewal')
  await expect(page.getByText(typedBefore)).toBeHidden()
})

test('saving and canceling a form end its draft, and so does signing out', async ({ page }) => {
  const id = await annsProject(page, { screen: 'settings' })
  const ann = await addressOf(page)
  const edit = page.getByRole('link', { name: 'Settings' })
  const name = page.getByLabel('Project Name')
  await name.fill('Ferry line')
  await page.getByRole('link', { name: 'Cancel' }).click()
  await edit.click()
  await expect(name).toHaveValue('Bridge renewal')

  await name.fill('Harbour')
  await expectPassing(page, 'Changes saved successfully', 'Save settings')
  await edit.click()
  await expect(name).toHaveValue('Harbour')
  await expect(page.getByText(typedBefore)).toBeHidden()

  await name.fill('Pier')
  await page.getByRole('link', { name: 'Users' }).click()
  expect(await page.evaluate(() => sessionStorage.getItem('drafts'))).toContain('Pier')
  await Promise.all([page.waitForResponse('**/api/signOut'), signOut(page)])
  await expect(page).toHaveURL(/\/signin/)
  expect(await page.evaluate(() => sessionStorage.getItem('drafts'))).toBeNull()
  await signIn(page, ann)
  await expect(page.getByRole('heading', { name: 'Your projects' })).toBeVisible()
  await page.goto(projectPath('settings', id))
  await expect(name).toHaveValue('Harbour')
})

test('a text that is too long is counted instead of cut', async ({ page }) => {
  await signedInAs(page, 'Ann Archer')
  await page.goto('/edit-name')
  const name = page.getByLabel('Name')
  await name.fill('x'.repeat(108))
  await expect(name).toHaveValue('x'.repeat(108))
  await shows(page, '108 of 100 characters')
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect(name).toHaveAccessibleDescription(
    'Shorten it to 100 characters. 108 of 100 characters',
  )
  await expect(name).toBeFocused()
  await name.fill('x'.repeat(90))
  await shows(page, '90 of 100 characters')
  await expectPassing(page, 'Your name is saved', 'Save name')
})

test('the next person who signs in does not see what somebody else typed', async ({
  page,
  another,
}) => {
  const bob = await another('Bob Baker')
  await annsProject(page, { admin: bob, screen: 'settings' })
  const name = page.getByLabel('Project Name')
  await name.fill('Ferry line')
  await endSession(page, await addressOf(page))
  await shows(page, ended)
  await signInHere(page, await addressOf(bob))
  await expect(name).toHaveValue('Bridge renewal')
  await expect(page.getByText(typedBefore)).toBeHidden()
  expect(await page.evaluate(() => sessionStorage.getItem('drafts'))).toBeNull()
})

test('the app keeps no passwords or card numbers when a session ends', async ({ page }) => {
  await annsProject(page, { screen: 'managePaymentMethods' })
  const ann = await addressOf(page)
  await page.getByRole('link', { name: 'Add card' }).click()
  await fill(page, { 'Cardholder name': 'Ann Archer' })
  await fillCard(page, '4242424242424242')
  await page.getByRole('checkbox', { name: 'Use this card' }).check()
  await endSession(page, ann)
  await shows(page, ended)
  expect(await page.evaluate(() => sessionStorage.getItem('drafts'))).toBeNull()

  await page.goto('/change-password')
  await signInHere(page, ann)
  await page.getByLabel('New password', { exact: true }).fill('another good secret')
  await page.getByRole('button', { name: 'Show password' }).first().click()
  await endSession(page, ann)
  await shows(page, ended)
  expect(await page.evaluate(() => sessionStorage.getItem('drafts'))).toBeNull()
})

test('a draft with a payer’s address survives a reload, but not the end of the session', async ({
  page,
}) => {
  const id = await annsProject(page, { plan: 'pro', screen: 'updateBillingDetails' })
  const ann = await addressOf(page)
  const line1 = page.getByLabel('Address line 1')
  await line1.fill('7 Private Lane')
  await page.reload()
  await shows(page, typedBefore)
  await expect(line1).toHaveValue('7 Private Lane')
  await endSession(page, ann)
  await shows(page, ended)
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Private Lane')
  await signInHere(page, ann)
  await expect(page).toHaveURL(projectPath('updateBillingDetails', id))
  await expect(line1).toHaveValue('1 Main Street')

  // A closed tab that the browser opens again learns of the end only when it starts.
  await line1.fill('7 Private Lane')
  const kept = await page.evaluate(() => JSON.stringify(sessionStorage))
  expect(kept).toContain('Private Lane')
  await page.goto('about:blank')
  await page.context().clearCookies()
  await page.goto('/signin')
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Private Lane')
})

test('the app restores a pasted list, and a form that lost its session on save', async ({
  page,
}) => {
  const id = await annsProject(page, { screen: 'invite' })
  const ann = await addressOf(page)
  await page.getByRole('link', { name: 'Several at once' }).click()
  const list = [newAddress('one'), newAddress('two')].join('\n')
  await page.getByLabel('People').fill(list)
  await endSession(page, ann)
  await signInHere(page, ann)
  await expect(page.getByLabel('People')).toHaveValue(list)
  await page.getByRole('button', { name: 'Send 2 invitations' }).click()
  await shows(page, '2 invitations are on their way.')
  await page.getByRole('link', { name: 'Go to users' }).click()
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem('drafts'))).toBeNull()

  // Without its live stream the page learns only from a call that its session has ended.
  await page.route('**/live', (route) => route.abort('aborted'))
  await page.goto(projectPath('settings', id))
  const name = page.getByLabel('Project Name')
  await name.fill('Ferry line')
  // The bell asks once more, when it has loaded.
  await expect(page.getByRole('button', { name: /^Notices: / })).toBeVisible()
  await endSession(page, ann)
  await page.getByRole('button', { name: 'Save settings' }).click()
  await signInHere(page, ann)
  await expect(name).toHaveValue('Ferry line')
  await expectPassing(page, 'Changes saved successfully', 'Save settings')
  await expect(page.getByText(typedBefore)).toBeHidden()
})
