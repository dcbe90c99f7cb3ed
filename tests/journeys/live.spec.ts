import type { Browser, Page } from '@playwright/test'
import { call, password, signedInAs } from './people.ts'
import { aProject, ask } from './projects.ts'
import { expect, mailedLink, newAddress, test, watch } from './visitor.ts'

/** Somebody else, in a window of their own that shows what they would see. */
async function another(
  browser: Browser,
  page: Page,
  name: string,
  { expectedRefusals = [] as string[] } = {},
) {
  const context = await browser.newContext({ baseURL: new URL(page.url()).origin })
  const window = await context.newPage()
  const problems = watch(window, expectedRefusals)
  const address = await signedInAs(window, name)
  await window.goto('/dashboard')
  await expect(window.getByRole('heading', { name: 'Your projects' })).toBeVisible()
  return {
    window,
    address,
    async leave() {
      expect(problems).toEqual([])
      await context.close()
    },
  }
}

/** Ann with a project, and Bob beside her, who comes in with the permissions. */
async function twoPeople(
  page: Page,
  browser: Browser,
  { permissions = [] as ('editor' | 'admin')[], expectedRefusals = [] as string[] } = {},
) {
  await signedInAs(page, 'Ann Archer')
  await page.goto('/dashboard')
  const subscriptionId = await aProject(page, { plan: 'free' })
  const bob = await another(browser, page, 'Bob Baker', { expectedRefusals })
  const { inviteId } = await ask(page, 'createInvite', {
    subscriptionId,
    email: bob.address,
    permissions,
  })
  return { subscriptionId, bob, joins: () => ask(bob.window, 'acceptInvite', { inviteId }) }
}

async function idOf(page: Page, subscriptionId: string, address: string) {
  const { users } = await ask(page, 'getSubscriptionUsers', { subscriptionId })
  return users.find(({ email }) => email === address)!.id
}

test('an invitation comes while the dashboard is open, and the one who accepts it is seen by who invited', async ({
  page,
  browser,
}) => {
  await signedInAs(page, 'Ann Archer')
  await page.goto('/dashboard')
  const subscriptionId = await aProject(page, { plan: 'free' })
  await expect(page.getByRole('link', { name: 'Bridge renewal' })).toBeVisible()
  const bob = await another(browser, page, 'Bob Baker')
  await page.goto(`/subscription/${subscriptionId}/users/invite`)
  await page.getByLabel('E-mail', { exact: true }).fill(bob.address)
  await page.getByRole('button', { name: 'Send invitation' }).click()
  const accept = bob.window.getByRole('button', { name: 'Accept' })
  await expect(accept).toBeVisible()

  await expect(page.getByRole('row', { name: bob.address })).toContainText('Pending')
  await accept.click()
  await expect(page.getByRole('row', { name: bob.address })).toContainText('Active')
  await expect(bob.window.getByRole('link', { name: 'Bridge renewal' })).toBeVisible()
  await bob.leave()
})

test('a permission gives the menu its places and takes them again, and says why it leads away', async ({
  page,
  browser,
}) => {
  const { subscriptionId, bob, joins } = await twoPeople(page, browser, {
    expectedRefusals: ['getSubscriptionUsers'],
  })
  await joins()
  const { window } = bob
  await window.goto(`/subscription/${subscriptionId}`)
  await expect(window.getByRole('heading', { name: 'Bridge renewal' })).toBeVisible()
  await expect(window.getByRole('link', { name: 'Users' })).toHaveCount(0)

  const userId = await idOf(page, subscriptionId, bob.address)
  await ask(page, 'updateUserPermissions', { subscriptionId, userId, permissions: ['admin'] })
  await expect(window.getByRole('link', { name: 'Users' })).toBeVisible()
  await window.getByRole('link', { name: 'Users' }).click()
  await expect(window.getByRole('heading', { name: 'Users' })).toBeVisible()

  await ask(page, 'updateUserPermissions', { subscriptionId, userId, permissions: [] })
  await expect(
    window.getByText('You are no longer an administrator of Bridge renewal.'),
  ).toBeVisible()
  await expect(window).toHaveURL(new RegExp(`/subscription/${subscriptionId}$`))
  await expect(window.getByRole('link', { name: 'Users' })).toHaveCount(0)
  await window.getByRole('button', { name: 'Dismiss' }).click()
  await expect(window.getByText('You are no longer an administrator')).toHaveCount(0)
  await bob.leave()
})

test('who is removed while looking is led to the dashboard, which says so, and can come back', async ({
  page,
  browser,
}) => {
  const { subscriptionId, bob, joins } = await twoPeople(page, browser, {
    expectedRefusals: ['getSubscription'],
  })
  await joins()
  const { window } = bob
  await window.goto(`/subscription/${subscriptionId}`)
  await expect(window.getByRole('heading', { name: 'Bridge renewal' })).toBeVisible()
  await ask(page, 'removeUser', {
    subscriptionId,
    userId: await idOf(page, subscriptionId, bob.address),
  })
  const notice = window.getByText('You are no longer in the project Bridge renewal.')
  await expect(notice).toBeVisible()
  await expect(window).toHaveURL(/\/dashboard$/)
  await expect(window.getByRole('link', { name: 'Bridge renewal' })).toHaveCount(0)
  await window.getByRole('button', { name: 'Dismiss' }).click()
  await expect(notice).toHaveCount(0)

  await ask(page, 'createInvite', { subscriptionId, email: bob.address, permissions: [] })
  await window.getByRole('button', { name: 'Accept' }).click()
  await window.getByRole('link', { name: 'Open project' }).click()
  await expect(window.getByRole('heading', { name: 'Bridge renewal' })).toBeVisible()
  await bob.leave()
})

test('who leaves by themselves hears only that they have left', async ({ page, browser }) => {
  const { subscriptionId, bob, joins } = await twoPeople(page, browser)
  await joins()
  const { window } = bob
  await window.goto(`/subscription/${subscriptionId}`)
  await window.getByRole('button', { name: 'Leave project' }).click()
  await window.getByRole('dialog').getByRole('button', { name: 'Leave project' }).click()
  await expect(window.getByText('You have left Bridge renewal.')).toBeVisible()
  await expect(window.getByRole('heading', { name: 'Start with a project' })).toBeVisible()
  await expect(window.getByText('You are no longer in the project')).toHaveCount(0)
  await bob.leave()
})

test('a project that is canceled while somebody looks stays, and says so', async ({
  page,
  browser,
}) => {
  const { subscriptionId, bob, joins } = await twoPeople(page, browser, { permissions: ['admin'] })
  await joins()
  const { window } = bob
  await window.goto(`/subscription/${subscriptionId}`)
  await expect(window.getByText('Active', { exact: true })).toBeVisible()
  await ask(page, 'cancelSubscription', { subscriptionId, confirmationId: subscriptionId })
  await expect(window.getByText('This project has been canceled.')).toBeVisible()
  await expect(window.getByText('Canceled', { exact: true })).toBeVisible()
  await window.getByRole('link', { name: 'Users' }).click()
  await expect(window.getByRole('heading', { name: 'Users' })).toBeVisible()
  await bob.leave()
})

test('an address that is verified on another device is known here, with the invitations for it', async ({
  page,
  browser,
}) => {
  await signedInAs(page, 'Ann Archer')
  await page.goto('/dashboard')
  const subscriptionId = await aProject(page, { plan: 'free' })
  const context = await browser.newContext({ baseURL: new URL(page.url()).origin })
  const window = await context.newPage()
  const problems = watch(window)
  const address = newAddress('bob')
  await call(window.request, 'signUp', { fullName: 'Bob Baker', email: address, password })
  const oobCode = new URL(await mailedLink(page, address)).searchParams.get('oobCode')
  await ask(page, 'createInvite', { subscriptionId, email: address, permissions: [] })
  await window.goto('/dashboard')
  await expect(window.getByRole('button', { name: 'Send verification e-mail' })).toBeVisible()
  await call(page.request, 'applyActionCode', { oobCode })
  await expect(window.getByRole('button', { name: 'Accept' })).toBeVisible()
  expect(problems).toEqual([])
  await context.close()
})

test('a change that comes while who is signed in is being asked is asked for once more', async ({
  page,
}) => {
  const address = newAddress('ann')
  await call(page.request, 'signUp', { fullName: 'Ann Archer', email: address, password })
  const oobCode = new URL(await mailedLink(page, address)).searchParams.get('oobCode')
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
  await call(page.request, 'applyActionCode', { oobCode })
  await change
  goOn()
  await expect(page.getByRole('button', { name: 'Send verification e-mail' })).toHaveCount(0)
})

test('however many tabs are open, each of them works and hears what changes, and goes on when the others are closed', async ({
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
    browser,
  }) => {
    const address = await signedInAs(page, 'Ann Archer')
    const stream = page.waitForResponse('**/live')
    await page.goto('/edit-name')
    await expect(page.getByRole('heading', { name: 'Edit name' })).toBeVisible()
    await stream
    const context = await browser.newContext({ baseURL: new URL(page.url()).origin })
    const other = await context.newPage()
    await other.goto('/signin')
    await other.getByLabel('E-mail', { exact: true }).fill(address)
    await other.getByLabel('Password', { exact: true }).fill(password)
    await other.keyboard.press('Enter')
    await expect(other.getByRole('heading', { name: 'Your projects' })).toBeVisible()
    await ask(other, 'revokeOtherSessions', {})
    await expect(page).toHaveURL(/\/signin\?next=/)
    await context.close()
  })
})
