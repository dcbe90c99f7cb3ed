import { signedInAs } from './people.ts'
import { annsProject } from './projects.ts'
import { expect, mayRefuse, shows, test } from './visitor.ts'

test('a person who is not in a project reads that access is denied', async ({ page }) => {
  mayRefuse(page, 'getSubscription')
  const id = await annsProject(page)
  const bob = await signedInAs(page, 'Bob Baker')
  await page.goto(`/subscription/${id}/users`)
  await expect(page.getByRole('heading', { name: 'Access denied' })).toBeVisible()
  await shows(page, `Ask one of its administrators to invite ${bob}`)
  await expect(page).toHaveURL(new RegExp(`/subscription/${id}/users$`))
  await page.getByRole('main').getByRole('link', { name: 'Go to your projects' }).click()
  await expect(page.getByRole('heading', { name: 'Your projects' })).toBeVisible()
  await expect(page.getByText('Access denied')).toHaveCount(0)
})

test('an unknown project id leads to the dashboard, which says so once', async ({ page }) => {
  mayRefuse(page, 'getSubscription')
  await signedInAs(page, 'Ann Archer')
  for (const [address, words] of [
    ['/subscription/nothing', 'Subscription not found'],
    ['/subscription/', 'No subscription ID provided'],
  ] as const) {
    await page.goto(address)
    await shows(page, words, 'Error fetching subscription data')
    await expect(page).toHaveURL(/\/dashboard$/)
    await page.reload()
    await shows(page, 'Start with a project')
    await expect(page.getByText(words)).toHaveCount(0)
  }
  await page.goto('/subscription/nothing')
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByText('Subscription not found')).toHaveCount(0)
})

test('a member reads who may open the administrators’ screens', async ({ page, another }) => {
  const guest = await another('Bob Baker')
  const id = await annsProject(page, { member: guest })
  for (const [screen, words] of [
    ['users', 'Only an administrator of the project can perform this action'],
    ['billing/cancel', 'Only the subscription owner can perform this action'],
  ] as const) {
    await guest.goto(`/subscription/${id}/${screen}`)
    await shows(guest, words)
    await expect(guest).toHaveURL(/\/dashboard$/)
  }
})
