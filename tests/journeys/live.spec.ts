import type { Page } from '@playwright/test'
import { chooseFor, confirm, signedInAs, signedUpAs, submit, verify } from './people.ts'
import { addressOf, annsProject, aProject, ask, idOf, invites, renames } from './projects.ts'
import { expect, mayRefuse, shows, test } from './visitor.ts'

const verification = (page: Page) => page.getByRole('button', { name: 'Send again' })

test('guest and host see an invitation and its acceptance at once', async ({ page, another }) => {
  await signedInAs(page, 'Ann Archer')
  await page.goto('/dashboard')
  const id = await aProject(page)
  await expect(page.getByRole('link', { name: 'Bridge renewal' })).toBeVisible()
  const bob = await another('Bob Baker')
  await bob.goto('/dashboard')
  await expect(bob.getByRole('heading', { name: 'Your projects' })).toBeVisible()
  const address = await addressOf(bob)
  await page.goto(`/subscription/${id}/users/invite`)
  await submit(page, 'Send invitation', { Email: address })
  const accept = bob.getByRole('button', { name: 'Accept' })
  await expect(accept).toBeVisible()

  await expect(page.getByRole('row', { name: address })).toContainText('Pending')
  await accept.click()
  await expect(page.getByRole('row', { name: address })).toContainText('Active')
  await expect(bob.getByRole('link', { name: 'Bridge renewal' })).toBeVisible()
})

test('invitations that come while the dashboard first loads are shown, and read once', async ({
  page,
  another,
}) => {
  const projects = [await annsProject(page), await aProject(page, { name: 'Ferry line' })]
  const bob = await another('Bob Baker')
  let count = 0
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  await bob.route('**/api/listInvites', async (route) => {
    count++
    const response = await route.fetch()
    await held
    await route.fulfill({ response })
  })
  await bob.goto('/dashboard')
  await expect(bob.getByRole('heading', { name: 'Your projects' })).toBeVisible()
  const address = await addressOf(bob)
  for (const id of projects) {
    // The list of projects, which is there, is read again as soon as the tab hears of the change.
    const again = bob.waitForRequest('**/api/listSubscriptions')
    await invites(page, id, address)
    await again
  }
  expect(count).toBe(1)
  letGo()
  await expect(bob.getByRole('button', { name: 'Accept' })).toHaveCount(2)
  expect(count).toBe(2)
})

test('a new permission adds menu entries, its removal hides them', async ({ page, another }) => {
  const bob = await another('Bob Baker')
  mayRefuse(bob, 'getSubscriptionUsers', 'listJoinRequests')
  const subscriptionId = await annsProject(page, { member: bob })
  await bob.goto(`/subscription/${subscriptionId}`)
  await expect(bob.getByRole('heading', { name: 'Bridge renewal' })).toBeVisible()
  const users = bob.getByRole('link', { name: 'Users' })
  await expect(users).toHaveCount(0)

  const userId = await idOf(bob)
  await ask(page, 'updateUserPermissions', { subscriptionId, userId, permissions: ['admin'] })
  await users.click()
  await expect(bob.getByRole('heading', { name: 'Users' })).toBeVisible()

  await ask(page, 'updateUserPermissions', { subscriptionId, userId, permissions: [] })
  await shows(bob, "You're no longer an administrator of Bridge renewal.")
  await expect(bob).toHaveURL(new RegExp(`/subscription/${subscriptionId}$`))
  await expect(users).toHaveCount(0)
  await bob.getByRole('button', { name: 'Dismiss' }).click()
  await expect(bob.getByText("You're no longer an administrator")).toHaveCount(0)
})

test('a removed member reads of it, is denied access and can rejoin', async ({ page, another }) => {
  const bob = await another('Bob Baker')
  mayRefuse(bob, 'getSubscription', 'getUsage')
  const id = await annsProject(page, { member: bob, screen: 'users' })
  await bob.goto(`/subscription/${id}`)
  await expect(bob.getByRole('heading', { name: 'Bridge renewal' })).toBeVisible()

  await chooseFor(page, 'Bob Baker', 'Remove from project')
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Actions for Bob Baker' })).toBeFocused()
  await chooseFor(page, 'Bob Baker', 'Remove from project')
  await confirm(page, 'Remove Bob Baker?', 'Remove from project')
  await shows(page, 'Bob Baker has been removed.', "It's just you so far")
  await expect(page.getByRole('row', { name: 'Bob Baker' })).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Users' })).toBeFocused()

  const notice = bob.getByText("You're no longer a member of Bridge renewal.")
  await expect(notice).toBeVisible()
  await expect(bob).toHaveURL(/\/dashboard$/)
  await expect(bob.getByRole('link', { name: 'Bridge renewal' })).toHaveCount(0)
  await bob.getByRole('button', { name: 'Dismiss' }).click()
  await expect(notice).toHaveCount(0)
  await bob.goto(`/subscription/${id}`)
  await expect(bob.getByRole('heading', { name: 'Access denied' })).toBeVisible()

  await bob.goto('/dashboard')
  await invites(page, id, await addressOf(bob))
  await bob.getByRole('button', { name: 'Accept' }).click()
  await bob.getByRole('link', { name: 'Open project' }).click()
  await expect(bob.getByRole('heading', { name: 'Bridge renewal' })).toBeVisible()
})

test('a screen reads once after its own change, and once after each change from elsewhere', async ({
  page,
  another,
}) => {
  const bob = await another('Bob Baker')
  const subscriptionId = await annsProject(page, { member: bob, screen: 'users' })
  const row = (tab: Page) => tab.getByRole('row', { name: 'Bob Baker' })
  const tab = await page.context().newPage()
  await tab.goto(page.url())
  await expect(row(tab)).toContainText('Member')
  let count = 0
  page.on('request', (request) => void (request.url().endsWith('/getSubscription') && count++))

  await chooseFor(page, 'Bob Baker', 'Edit permissions')
  await page.getByRole('checkbox', { name: 'Editor' }).check()
  await page.getByRole('button', { name: 'Save permissions' }).click()
  // The other tab hears of it at the same time as this one.
  await expect(row(tab)).toContainText('Editor')
  await expect(row(page)).toContainText('Editor')
  expect(count).toBe(1)
  const userId = await idOf(bob)
  await ask(page, 'updateUserPermissions', { subscriptionId, userId, permissions: ['admin'] })
  await expect(row(page)).toContainText('Administrator')
  expect(count).toBe(2)

  // Somebody else's change that comes with the own one.
  const other = ask(page, 'updateSubscriptionSettings', {
    subscriptionId,
    settings: { name: 'Ferry line' },
  })
  await chooseFor(page, 'Bob Baker', 'Edit permissions')
  await page.getByRole('checkbox', { name: 'Administrator' }).uncheck()
  await page.getByRole('button', { name: 'Save permissions' }).click()
  await other
  await expect(page).toHaveTitle(/Ferry line/)
  await expect(row(page)).not.toContainText('Administrator')

  // Tabs hear of the first transactions of this call before the call is answered.
  await page.goto(`/subscription/${subscriptionId}/billing/cancel`)
  await page.getByLabel('Type the project ID to confirm').fill(subscriptionId)
  const { promise: told, resolve: letGo } = Promise.withResolvers<void>()
  await page.route('**/api/cancelSubscription', async (route) => {
    const response = await route.fetch()
    await told
    await route.fulfill({ response })
  })
  const reads = count
  await page.getByRole('button', { name: 'Cancel subscription' }).click()
  await shows(tab, 'This project has been canceled.')
  expect(count).toBe(reads)
  letGo()
  await shows(page, 'This subscription has been canceled')
  expect(count).toBe(reads + 1)
})

test('a member’s screen keeps a canceled project, which says so', async ({ page, another }) => {
  const bob = await another('Bob Baker')
  const subscriptionId = await annsProject(page, { admin: bob })
  await bob.goto(`/subscription/${subscriptionId}`)
  await expect(bob.getByText('Active', { exact: true })).toBeVisible()
  await ask(page, 'cancelSubscription', { subscriptionId, confirmationId: subscriptionId })
  await shows(bob, 'This project has been canceled.')
  await expect(bob.getByText('Canceled', { exact: true })).toBeVisible()
  await bob.getByRole('link', { name: 'Users' }).click()
  await expect(bob.getByRole('heading', { name: 'Users' })).toBeVisible()
})

test('a page shows at once that the address was verified elsewhere', async ({ page, another }) => {
  const bob = await another()
  const address = await signedUpAs(bob, 'Bob Baker')
  await invites(page, await annsProject(page), address)
  const profile = await bob.context().newPage()
  await profile.goto('/profile')
  const verified = profile.locator('dl > div', { hasText: 'Email verified' })
  await expect(verified).toContainText('No')
  await bob.goto('/dashboard')
  await expect(verification(bob)).toBeVisible()
  await verify(bob, address)
  await expect(bob.getByRole('button', { name: 'Accept' })).toBeVisible()
  await expect(verified).toContainText('Yes')
})

test('a change that comes during the refresh of the session is not lost', async ({ page }) => {
  const address = await signedUpAs(page, 'Ann Archer')
  const stream = page.waitForResponse('**/live')
  await page.goto('/dashboard')
  await expect(verification(page)).toBeVisible()
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
  await expect(verification(page)).toHaveCount(0)
})

test('seven tabs show a change, and the last open tab shows the next one', async ({ page }) => {
  await signedInAs(page, 'Ann Archer')
  await page.goto('/dashboard')
  const id = await aProject(page)
  const others = []
  for (let index = 0; index < 6; index++) {
    const tab = await page.context().newPage()
    others.push(tab)
    await tab.goto('/dashboard')
    await expect(tab.getByRole('link', { name: 'Bridge renewal' })).toBeVisible()
  }
  await renames(page, id, 'Ferry line')
  for (const tab of [page, ...others])
    await expect(tab.getByRole('link', { name: 'Ferry line' })).toBeVisible()
  for (const tab of others) await tab.close()
  await renames(page, id, 'Harbour')
  await expect(page.getByRole('link', { name: 'Harbour' })).toBeVisible()
})
