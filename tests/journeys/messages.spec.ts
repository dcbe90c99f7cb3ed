import type { Page } from '@playwright/test'
import { newAddress, password, signedInAs, signedUpAs, submit } from './people.ts'
import { annsProject } from './projects.ts'
import { changeAnswers, expect, refuseNext, shows, test } from './visitor.ts'

const tooMany = 'Too many verification email requests. Please wait a while before trying again.'
const again = 'Please sign in again before retry.'
const notSent = 'Failed to send reset email. Please try again.'
const early = 'Verify your current email address first.'

/** A path, the call of its form, the reason of a refusal, and the words on the screen. */
const ofVisitors = [
  ['/signin', 'signIn', 'internal', 'Failed to sign in'],
  ['/signup', 'signUp', 'internal', 'Failed to create an account'],
  ['/reset-password', 'sendPasswordResetEmail', 'internal', notSent],
] as const
const ofTheSignedIn = [
  ['/edit-name', 'updateProfile', 'internal', 'Failed to update your name'],
  ['/edit-email', 'updateEmail', 'internal', 'Failed to update your email'],
  ['/edit-email', 'updateEmail', 'auth/operation-not-allowed', early],
  ['/edit-email', 'updateEmail', 'auth/too-many-requests', tooMany],
  ['/edit-email', 'updateEmail', 'auth/requires-recent-login', again],
  ['/change-password', 'updatePassword', 'internal', 'Failed to update your password'],
  ['/change-password', 'updatePassword', 'auth/requires-recent-login', again],
  ['/delete-account', 'deleteAccount', 'internal', 'Failed to delete your account'],
  ['/delete-account', 'deleteAccount', 'auth/requires-recent-login', again],
] as const

for (const row of [...ofVisitors, ...ofTheSignedIn]) {
  const [path, call, reason, words] = row
  test(`when ${call} is refused with ${reason}, the screen says “${words}”`, async ({ page }) => {
    if (ofTheSignedIn.some((each) => each === row)) await signedInAs(page, 'Ann Archer')
    await refuseNext(page, call, reason)
    await page.goto(path)
    await fillAndSend(page)
    await shows(page, words)
  })
}

test('the app says why it did not send a verification mail', async ({ page }) => {
  await signedUpAs(page, 'Ann Archer')
  await page.goto('/profile')
  for (const [reason, words] of [
    ['internal', 'Failed to send verification email'],
    ['auth/too-many-requests', tooMany],
  ] as const) {
    await refuseNext(page, 'sendVerificationEmail', reason)
    await page.getByRole('button', { name: 'Send again' }).click()
    await shows(page, words)
  }
})

test('the app says why a project or its name could not be saved', async ({ page }) => {
  await signedInAs(page, 'Ann Archer')
  await refuseNext(page, 'createSubscription', 'internal')
  await page.goto('/create-plan')
  const choose = page.getByRole('button', { name: 'Choose Free' })
  await choose.click()
  await shows(page, 'Failed to create subscription')
  await refuseNext(page, 'updateSubscriptionSettings', 'internal', 2)
  await choose.click()
  await submit(page, 'Save and invite people', { 'Project Name': 'Bridge' })
  await shows(page, 'Failed to update project name')
})

test('the app says why a later change of the settings could not be saved', async ({ page }) => {
  await refuseNext(page, 'updateSubscriptionSettings', 'internal')
  await annsProject(page, { screen: 'settings' })
  await page.getByRole('button', { name: 'Save settings' }).click()
  await shows(page, 'Failed to update. Please try again.')
})

test('an incomplete address brings an error for the form and one per field', async ({ page }) => {
  const id = await annsProject(page)
  for (const [address, button] of [
    [`/subscription/${id}/billing/update-details`, 'Save billing details'],
    ['/create-plan?plan=pro', 'Create project'],
  ] as const) {
    await page.goto(address)
    await page.getByRole('button', { name: button }).click()
    await shows(page, 'Please fill in all required address fields')
    await expect(page.getByLabel('City')).toHaveAccessibleDescription('Enter a city.')
  }
})

test('a failure to fetch user data is logged, and “Try again” fetches it', async ({ page }) => {
  await signedInAs(page, 'Ann Archer')
  // This page isn't watched for errors, because the test expects one in its log.
  const profile = await page.context().newPage()
  const logged: string[] = []
  profile.on('console', (message) => logged.push(message.text()))
  await changeAnswers(profile, 'getUser', ({ user }) => (user.avatar_url = '/icon-any-192.png'))
  const recover = await refuseNext(profile, 'getUser', 'internal', Infinity)
  // Without a live stream the page's own retries end before the test presses the button.
  await profile.route('**/live', (route) => route.abort())
  await profile.goto('/profile')
  await profile.waitForLoadState('networkidle')
  await shows(profile, 'Failed to load your profile')
  expect(logged.join()).toContain('The user data could not be fetched.')
  const picture = profile.getByRole('button', { name: 'Your account' }).locator('img')
  await expect(picture).toHaveCount(0)
  recover()
  await profile.getByRole('button', { name: 'Try again' }).click()
  await expect(profile.getByText('Failed to load your profile')).toHaveCount(0)
  await expect(picture).toBeVisible()
})

async function fillAndSend(page: Page) {
  const form = page.locator('main form')
  await form.waitFor()
  const id = page.locator('main .id-text').first()
  const text = (await id.count()) > 0 ? await id.innerText() : 'Ann Archer'
  for (const input of await form.locator('input:visible').all()) {
    const type = await input.getAttribute('type')
    await input.fill(type === 'email' ? newAddress('ann') : type === 'password' ? password : text)
  }
  await form.locator('button[type=submit]').click()
}
