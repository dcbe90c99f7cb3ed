import type { Page } from '@playwright/test'
import { signedInAs, signedUpAs, signIn, verify } from './people.ts'
import { addressOf, annsProject, aProject, ask, joins } from './projects.ts'
import { expect, test } from './visitor.ts'

/** Opens another person's dashboard. */
async function onDashboard(page: Page) {
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Your projects' })).toBeVisible()
  return page
}

async function idOf(page: Page) {
  return (await ask(page, 'refreshSession', {})).user.uid
}

test('an open dashboard shows a new invitation, and the host sees the guest accept it', async ({
  page,
  another,
}) => {
  await signedInAs(page, 'Ann Archer')
  await page.goto('/dashboard')
  const subscriptionId = await aProject(page, { plan: 'free' })
  await expect(page.getByRole('link', { name: 'Bridge renewal' })).toBeVisible()
  const bob = await onDashboard(await another('Bob Baker'))
  const address = await addressOf(bob)
  await page.goto(`/subscription/${subscriptionId}/users/invite`)
  await page.getByLabel('E-mail', { exact: true }).fill(address)
  await page.getByRole('button', { name: 'Send invitation' }).click()
  const accept = bob.getByRole('button', { name: 'Accept' })
  await expect(accept).toBeVisible()

  await expect(page.getByRole('row', { name: address })).toContainText('Pending')
  await accept.click()
  await expect(page.getByRole('row', { name: address })).toContainText('Active')
  await expect(bob.getByRole('link', { name: 'Bridge renewal' })).toBeVisible()
})

test('a permission adds entries to the menu, and its removal takes them away and says why', async ({
  page,
  another,
}) => {
  const subscriptionId = await annsProject(page, { plan: 'free' })
  const bob = await another('Bob Baker', { expectedRefusals: ['getSubscriptionUsers'] })
  await joins(bob, page, subscriptionId)
  await bob.goto(`/subscription/${subscriptionId}`)
  await expect(bob.getByRole('heading', { name: 'Bridge renewal' })).toBeVisible()
  await expect(bob.getByRole('link', { name: 'Users' })).toHaveCount(0)

  const userId = await idOf(bob)
  await ask(page, 'updateUserPermissions', { subscriptionId, userId, permissions: ['admin'] })
  await expect(bob.getByRole('link', { name: 'Users' })).toBeVisible()
  await bob.getByRole('link', { name: 'Users' }).click()
  await expect(bob.getByRole('heading', { name: 'Users' })).toBeVisible()

  await ask(page, 'updateUserPermissions', { subscriptionId, userId, permissions: [] })
  await expect(bob.getByText('You are no longer an administrator of Bridge renewal.')).toBeVisible()
  await expect(bob).toHaveURL(new RegExp(`/subscription/${subscriptionId}$`))
  await expect(bob.getByRole('link', { name: 'Users' })).toHaveCount(0)
  await bob.getByRole('button', { name: 'Dismiss' }).click()
  await expect(bob.getByText('You are no longer an administrator')).toHaveCount(0)
})

test('a member who is removed sees the dashboard and a message, and can come back', async ({
  page,
  another,
}) => {
  const subscriptionId = await annsProject(page, { plan: 'free' })
  const bob = await another('Bob Baker', { expectedRefusals: ['getSubscription'] })
  await joins(bob, page, subscriptionId)
  await bob.goto(`/subscription/${subscriptionId}`)
  await expect(bob.getByRole('heading', { name: 'Bridge renewal' })).toBeVisible()
  await ask(page, 'removeUser', {
    subscriptionId,
    userId: await idOf(bob),
  })
  const notice = bob.getByText('You are no longer in the project Bridge renewal.')
  await expect(notice).toBeVisible()
  await expect(bob).toHaveURL(/\/dashboard$/)
  await expect(bob.getByRole('link', { name: 'Bridge renewal' })).toHaveCount(0)
  await bob.getByRole('button', { name: 'Dismiss' }).click()
  await expect(notice).toHaveCount(0)

  await ask(page, 'createInvite', {
    subscriptionId,
    email: await addressOf(bob),
    permissions: [],
  })
  await bob.getByRole('button', { name: 'Accept' }).click()
  await bob.getByRole('link', { name: 'Open project' }).click()
  await expect(bob.getByRole('heading', { name: 'Bridge renewal' })).toBeVisible()
})

test('a member who leaves sees only the message that they have left', async ({ page, another }) => {
  const subscriptionId = await annsProject(page, { plan: 'free' })
  const bob = await another('Bob Baker')
  await joins(bob, page, subscriptionId)
  await bob.goto(`/subscription/${subscriptionId}`)
  await bob.getByRole('button', { name: 'Leave project' }).click()
  await bob.getByRole('dialog').getByRole('button', { name: 'Leave project' }).click()
  await expect(bob.getByText('You have left Bridge renewal.')).toBeVisible()
  await expect(bob.getByRole('heading', { name: 'Start with a project' })).toBeVisible()
  await expect(bob.getByText('You are no longer in the project')).toHaveCount(0)
})

test('a project that is canceled while a member looks at it stays on the screen and says so', async ({
  page,
  another,
}) => {
  const subscriptionId = await annsProject(page, { plan: 'free' })
  const bob = await another('Bob Baker')
  await joins(bob, page, subscriptionId, ['admin'])
  await bob.goto(`/subscription/${subscriptionId}`)
  await expect(bob.getByText('Active', { exact: true })).toBeVisible()
  await ask(page, 'cancelSubscription', { subscriptionId, confirmationId: subscriptionId })
  await expect(bob.getByText('This project has been canceled.')).toBeVisible()
  await expect(bob.getByText('Canceled', { exact: true })).toBeVisible()
  await bob.getByRole('link', { name: 'Users' }).click()
  await expect(bob.getByRole('heading', { name: 'Users' })).toBeVisible()
})

test('an address that is verified on another device is verified here too, and shows its invitations', async ({
  page,
  another,
}) => {
  await signedInAs(page, 'Ann Archer')
  await page.goto('/dashboard')
  const subscriptionId = await aProject(page, { plan: 'free' })
  const bob = await another()
  const address = await signedUpAs(bob, 'Bob Baker')
  await ask(page, 'createInvite', { subscriptionId, email: address, permissions: [] })
  await bob.goto('/dashboard')
  await expect(bob.getByRole('button', { name: 'Send verification e-mail' })).toBeVisible()
  await verify(page, address)
  await expect(bob.getByRole('button', { name: 'Accept' })).toBeVisible()
})

test('a change that comes while the session is being refreshed is fetched again', async ({
  page,
}) => {
  const address = await signedUpAs(page, 'Ann Archer')
  const stream = page.waitForResponse('**/live')
  await page.goto('/dashboard')
  await expect(page.getByRole('button', { name: 'Send verification e-mail' })).toBeVisible()
  await stream

  const asked = Promise.withResolvers<void>()
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>()
  await page.route('**/api/refreshSession', async (route) => {
    const response = await route.fetch()
    asked.resolve()
    await held
    await route.fulfill({ response })
  })
  await ask(page, 'updateProfile', { displayName: 'Ann Baker' })
  await asked.promise
  const change = page.waitForRequest('**/api/listSubscriptions')
  await verify(page, address)
  await change
  goOn()
  await expect(page.getByRole('button', { name: 'Send verification e-mail' })).toHaveCount(0)
})

test('each of seven tabs works and hears of changes, and the last one still does when the others are closed', async ({
  page,
}) => {
  await signedInAs(page, 'Ann Archer')
  await page.goto('/dashboard')
  const subscriptionId = await aProject(page, { plan: 'free' })
  const tabs = [page]
  for (let index = 1; index < 7; index++) tabs.push(await page.context().newPage())
  for (const tab of tabs.slice(1)) {
    await tab.goto('/dashboard')
    await expect(tab.getByRole('link', { name: 'Bridge renewal' })).toBeVisible()
  }
  const rename = (name: string) =>
    ask(page, 'updateSubscriptionSettings', { subscriptionId, settings: { name } })
  await rename('Ferry line')
  for (const tab of tabs) await expect(tab.getByRole('link', { name: 'Ferry line' })).toBeVisible()
  for (const tab of tabs.slice(1)) await tab.close()
  await rename('Harbour')
  await expect(page.getByRole('link', { name: 'Harbour' })).toBeVisible()
})

test.describe('elsewhere', () => {
  test.use({ expectedRefusals: ['refreshSession', 'getUser', 'saveUser'] })

  test('a session that is ended on another device leads to the sign-in', async ({
    page,
    another,
  }) => {
    const address = await signedInAs(page, 'Ann Archer')
    const stream = page.waitForResponse('**/live')
    await page.goto('/edit-name')
    await expect(page.getByRole('heading', { name: 'Edit name' })).toBeVisible()
    await stream
    const other = await another()
    await signIn(other, address)
    await expect(other.getByRole('heading', { name: 'Your projects' })).toBeVisible()
    await ask(other, 'revokeOtherSessions', {})
    await expect(page).toHaveURL(/\/signin\?next=/)
  })
})
