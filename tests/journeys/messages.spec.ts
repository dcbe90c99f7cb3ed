import { signedInAs } from './people.ts'
import { annsProject } from './projects.ts'
import { expect, refuseNext, test } from './visitor.ts'

test.use({ expectedRefusals: ['createSubscription', 'updateSubscriptionSettings'] })

test('a project that is not made, and a name that is not kept, show the specification’s messages', async ({
  page,
}) => {
  await signedInAs(page, 'Ann Archer')
  await refuseNext(page, 'createSubscription', 'internal')
  await page.goto('/create-plan')
  const choose = page.getByRole('button', { name: 'Choose Free' })
  await choose.click()
  await expect(page.getByText('Failed to create subscription')).toBeVisible()
  await refuseNext(page, 'updateSubscriptionSettings', 'internal', 2)
  await choose.click()
  await page.getByLabel('Project Name').fill('Bridge')
  const save = page.getByRole('button', { name: 'Save settings' })
  await save.click()
  await expect(page.getByText('Failed to update project name')).toBeVisible()
})

test('a later change of the settings that is not kept shows the message of the settings', async ({
  page,
}) => {
  const id = await annsProject(page, { plan: 'free' })
  await refuseNext(page, 'updateSubscriptionSettings', 'internal')
  await page.goto(`/subscription/${id}/settings`)
  await page.getByRole('button', { name: 'Save settings' }).click()
  await expect(page.getByText('Failed to update. Please try again.')).toBeVisible()
})

test('an address that is not complete shows a message above its fields, and one at each missing field', async ({
  page,
}) => {
  const id = await annsProject(page, { plan: 'free' })
  for (const [address, button] of [
    [`/subscription/${id}/billing/update-details`, 'Save billing details'],
    ['/create-plan?plan=pro', 'Create project'],
  ] as const) {
    await page.goto(address)
    await page.getByRole('button', { name: button }).click()
    await expect(page.getByText('Please fill in all required address fields')).toBeVisible()
    await expect(page.getByLabel('City')).toHaveAccessibleDescription('Fill in this field.')
  }
})

test('user data that could not be fetched is logged, and the profile says so and asks again', async ({
  page,
}) => {
  await signedInAs(page, 'Ann Archer')
  // Not watched, for what is logged here is meant to be.
  const profile = await page.context().newPage()
  const logged: string[] = []
  profile.on('console', (message) => logged.push(message.text()))
  let isRefused = true
  await profile.route('**/api/getUser', async (route) => {
    if (isRefused)
      return route.fulfill({ status: 500, json: { error: { details: { reason: 'internal' } } } })
    const response = await route.fetch()
    const { result } = (await response.json()) as { result: { user: object } }
    return route.fulfill({
      json: { result: { user: { ...result.user, avatar_url: '/icon-any-192.png' } } },
    })
  })
  // What asks again by itself has done so before the button is pressed.
  await profile.route('**/live', (route) => route.abort())
  await profile.goto('/profile')
  await profile.waitForLoadState('networkidle')
  await expect(profile.getByText('Failed to load your profile')).toBeVisible()
  expect(logged.join()).toContain('The user data could not be fetched.')
  const picture = profile.getByRole('button', { name: 'Your account' }).locator('img')
  await expect(picture).toHaveCount(0)
  isRefused = false
  await profile.getByRole('button', { name: 'Try again' }).click()
  await expect(profile.getByText('Failed to load your profile')).toHaveCount(0)
  await expect(picture).toBeVisible()
})
