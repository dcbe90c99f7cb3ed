import { signedInAs, submit } from './people.ts'
import { annsProject } from './projects.ts'
import { changeAnswers, expect, refuseNext, shows, test } from './visitor.ts'

test('the app says why a project or its name could not be saved', async ({ page }) => {
  await signedInAs(page, 'Ann Archer')
  await refuseNext(page, 'createSubscription', 'internal')
  await page.goto('/create-plan')
  const choose = page.getByRole('button', { name: 'Choose Free' })
  await choose.click()
  await shows(page, 'Failed to create subscription')
  await refuseNext(page, 'updateSubscriptionSettings', 'internal', 2)
  await choose.click()
  await submit(page, 'Save settings', { 'Project Name': 'Bridge' })
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
    await expect(page.getByLabel('City')).toHaveAccessibleDescription('Fill in this field.')
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
