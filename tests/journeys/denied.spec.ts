import { signedInAs } from './people.ts'
import { annsProject, joins } from './projects.ts'
import { expect, test } from './visitor.ts'

test.use({ expectedRefusals: ['getSubscription'] })

test('a person who is not in a project reads at its address that access is denied, and what to do', async ({
  page,
}) => {
  const id = await annsProject(page, { plan: 'free' })
  const bob = await signedInAs(page, 'Bob Baker')
  await page.goto(`/subscription/${id}/users`)
  await expect(page.getByRole('heading', { name: 'Access denied' })).toBeVisible()
  await expect(page.getByText(`Ask one of its administrators to invite ${bob}`)).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`/subscription/${id}/users$`))
  await page.getByRole('main').getByRole('link', { name: 'Go to your projects' }).click()
  await expect(page.getByRole('heading', { name: 'Your projects' })).toBeVisible()
  await expect(page.getByText('Access denied')).toHaveCount(0)
})

test('an id of no project leads to the dashboard, which says so once', async ({ page }) => {
  await signedInAs(page, 'Ann Archer')
  for (const [address, words] of [
    ['/subscription/nothing', 'Subscription not found'],
    ['/subscription/', 'No subscription ID provided'],
  ] as const) {
    await page.goto(address)
    await expect(page.getByText(words)).toBeVisible()
    await expect(page.getByText('Error fetching subscription data')).toBeVisible()
    await expect(page).toHaveURL(/\/dashboard$/)
    await page.reload()
    await expect(page.getByText('Start with a project')).toBeVisible()
    await expect(page.getByText(words)).toHaveCount(0)
  }
  await page.goto('/subscription/nothing')
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByText('Subscription not found')).toHaveCount(0)
})

test('a member who opens an administrators’ screen reads on the dashboard who may open it', async ({
  page,
  another,
}) => {
  const id = await annsProject(page, { plan: 'free' })
  const guest = await another('Bob Baker')
  await joins(guest, page, id)
  for (const [screen, words] of [
    ['users', 'Only an administrator of the project can perform this action'],
    ['billing/cancel', 'Only the subscription owner can perform this action'],
  ] as const) {
    await guest.goto(`/subscription/${id}/${screen}`)
    await expect(guest.getByText(words)).toBeVisible()
    await expect(guest).toHaveURL(/\/dashboard$/)
  }
})
