import { projectPath } from '#contract/paths.ts'
import type { Page } from '@playwright/test'
import {
  chooseFor,
  fill,
  newAddress,
  otherPassword,
  signedInAs,
  signIn,
  signOut,
  submit,
} from './people.ts'
import { addressOf, annsProject, ask, invites, renames } from './projects.ts'
import { expect, hide, mayRefuse, nextFrames, refuseNext, shows, test } from './visitor.ts'

/** Makes the next change on the page fail in our own code, before anything is sent. */
function slipOnce(page: Page) {
  return page.evaluate(() => {
    const own = Object.getOwnPropertyDescriptor(Headers.prototype, 'set')!
    Headers.prototype.set = function slip(name: string, value: string) {
      if (name !== 'Idempotency-Key') return void own.value.call(this, name, value)
      Object.defineProperty(Headers.prototype, 'set', own)
      throw new TypeError('a slip')
    }
  })
}

test('permissions are saved after a look at who could own the project', async ({
  page,
  another,
}) => {
  const id = await annsProject(page, { member: await another('Bob Baker'), plan: 'pro' })
  await page.goto(`/subscription/${id}/billing/transfer-ownership`)
  await shows(page, 'No eligible admin users found')
  await page.getByRole('link', { name: 'Users' }).first().click()
  await chooseFor(page, 'Bob Baker', 'Edit permissions')
  await page.getByRole('checkbox', { name: 'Editor' }).check()
  await page.getByRole('button', { name: 'Save permissions' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('row', { name: 'Bob Baker' })).toContainText('Editor')
})

test('a button comes back after an error that nobody expected', async ({ page }) => {
  const id = await annsProject(page)
  const email = newAddress('bob')
  await invites(page, id, email)
  // This page isn't watched for errors, because the test expects one in its log.
  const tab = await page.context().newPage()
  await tab.goto('/edit-name')
  const save = tab.getByRole('button', { name: 'Save name' })
  await save.waitFor()
  await slipOnce(tab)
  await save.click()
  await shows(tab, 'Something went wrong')
  await save.click()
  await expect(tab).toHaveURL(/profile$/)

  await tab.goto(`/subscription/${id}/users`)
  await tab.getByRole('checkbox', { name: `Select ${email}` }).check()
  await tab.getByRole('button', { name: /^Revoke/ }).click()
  await slipOnce(tab)
  const dialog = tab.getByRole('dialog')
  await dialog.getByRole('button', { name: /^Revoke/ }).click()
  await shows(dialog, 'Something went wrong')
  await dialog.getByRole('button', { name: /again/ }).click()
  await expect(tab.getByText(email)).toHaveCount(0)
})

test('a link with any page numbers asks for a few pages, and leads to the last one', async ({
  page,
}) => {
  const id = await annsProject(page)
  let asked = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/listActivity')) asked++
  })
  for (const query of ['page=1000000&from=1', 'page=1e300&from=-5', 'page=Infinity&from=NaN']) {
    await page.goto(`/subscription/${id}/activity?${query}`)
    await shows(page, /created the project/)
  }
  expect(asked).toBeLessThan(100)
})

test('a hidden tab leaves the live stream to a visible one at once', async ({ page }) => {
  await signedInAs(page, 'Ann Archer')
  await page.clock.install()
  let opened = 0
  // A server that is away for a while.
  await page.route('**/live', async (route) => {
    opened++
    if (opened < 8) await route.fulfill({ status: 204 })
  })
  await page.goto('/dashboard')
  // The tab may begin to wait only after the clock was moved.
  const later = async () => {
    await page.clock.runFor(30_000)
    return opened
  }
  await expect.poll(later).toBe(8)
  const visible = await page.context().newPage()
  const stream = visible.waitForRequest('**/live')
  await visible.goto('/dashboard')
  const waiting = () => visible.evaluate(async () => (await navigator.locks.query()).pending)
  await expect.poll(waiting).toHaveLength(1)
  await page.clock.pauseAt(Date.now() + 3_600_000)
  await hide(page, true)
  await page.clock.runFor(15_100)
  await stream
})

test('of two people at one form, each sees what the other saves', async ({ page, another }) => {
  const bob = await another('Bob Baker')
  const id = await annsProject(page, { admin: bob, screen: 'settings' })
  const name = page.getByLabel('Project Name')
  await expect(name).toHaveValue('Bridge renewal')
  await renames(bob, id, 'Ferry line')
  await expect(name).toHaveValue('Ferry line')

  await name.fill('Harbour')
  await renames(bob, id, 'Pier')
  await shows(page, 'Bob Baker has changed this meanwhile', 'Project Name is now “Pier”.')
  await expect(name).toHaveValue('Harbour')
  await page.getByRole('button', { name: 'Use the new value' }).click()
  await expect(name).toHaveValue('Pier')
  await expect(page.getByText('Bob Baker has changed this')).toHaveCount(0)

  // A change that the screen has not heard of is refused, and shown then.
  await name.fill('Harbour')
  await page.route(
    '**/api/updateSubscriptionSettings',
    async (route) => {
      await renames(bob, id, 'Quay')
      await route.fallback()
    },
    { times: 1 },
  )
  mayRefuse(page, 'updateSubscriptionSettings')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await shows(page, 'Someone else has just changed these settings.', 'Project Name is now “Quay”.')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await expect(page).toHaveURL(new RegExp(`${id}$`))
  await expect(page.getByRole('heading', { name: 'Harbour' })).toBeVisible()

  const tab = await page.context().newPage()
  await tab.goto('/edit-name')
  const own = tab.getByLabel('Name', { exact: true })
  await expect(own).toHaveValue('Ann Archer')
  await ask(page, 'updateProfile', { displayName: 'Ann Baker' })
  await expect(own).toHaveValue('Ann Baker')
})

test('a browser that refuses storage, locks and channels does all the same', async ({
  another,
}) => {
  const page = await another()
  await page.addInitScript(() => {
    const refuse = () => {
      throw new DOMException('refused', 'SecurityError')
    }
    for (const storage of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, storage, { get: refuse })
    LockManager.prototype.request = async () => refuse()
    window.BroadcastChannel = new Proxy(BroadcastChannel, { construct: refuse })
  })
  const id = await annsProject(page)
  const address = await addressOf(page)
  await page.context().clearCookies()
  await signIn(page, address)
  await page.getByRole('link', { name: 'Bridge renewal' }).click()
  const stream = page.waitForResponse('**/live')
  await page.reload()
  await stream
  await renames(page, id, 'Ferry line')
  await expect(page.getByRole('heading', { name: 'Ferry line' })).toBeVisible()
  await page.goto('/edit-name')
  await submit(page, 'Save name', { Name: 'Ann Baker' })
  await expect(page).toHaveURL(/profile$/)
  await signOut(page)
  await expect(page).toHaveURL(/signin/)
})

test('a browser that refuses cookies is named at every sign-in', async ({ another, page }) => {
  const words = 'Your browser refuses cookies'
  const address = await signedInAs(page, 'Ann Archer')
  // One that scripts can't write either, and one that drops what the server sets.
  const blocked = await another()
  await blocked.addInitScript(() => {
    Object.defineProperty(document, 'cookie', { get: () => '', set() {} })
  })
  await signIn(blocked, address)
  await shows(blocked, words)
  await blocked.goto('/signup')
  const account = { 'Full name': 'Bob', Email: newAddress('bob') }
  await fill(blocked, { ...account, Password: otherPassword })
  await blocked.getByRole('button', { name: 'Create account' }).click()
  await shows(blocked, words)

  const dropping = await another()
  await dropping.route('**/api/signIn', async (route) => {
    const response = await route.fetch()
    await dropping.context().clearCookies()
    const headers = response.headers()
    delete headers['set-cookie']
    await route.fulfill({ response, headers })
  })
  await signIn(dropping, address)
  await shows(dropping, words)
  await expect(dropping.getByRole('button', { name: 'Sign in', exact: true })).toBeEnabled()
})

test('a tab from before an update gets the new version by itself, but not while somebody types', async ({
  page,
}) => {
  const id = await annsProject(page)
  // These pages aren't watched for errors, because their files are missing.
  const openOld = async (path: string) => {
    const tab = await page.context().newPage()
    await tab.goto(path)
    await tab.getByRole('heading', { level: 1 }).waitFor()
    let isOld = true
    await tab.route('**/assets/**', (route) =>
      isOld ? route.fulfill({ status: 404 }) : route.fallback(),
    )
    await tab.route(
      ({ pathname }) => pathname === '/',
      (route) =>
        route.fulfill({ body: '<script src="/assets/newer.js">', contentType: 'text/html' }),
    )
    return { tab, update: () => void (isOld = false) }
  }
  const idle = await openOld('/profile')
  idle.tab.on('request', (request) => request.isNavigationRequest() && idle.update())
  await idle.tab.getByRole('link', { name: 'Edit name' }).click()
  await expect(idle.tab.getByLabel('Name', { exact: true })).toBeVisible()

  // One whose form needs a missing file waits for its user, and keeps what they have typed.
  const { tab, update } = await openOld(projectPath('settings', id))
  let reloads = 0
  tab.on('request', (request) => void (request.isNavigationRequest() && reloads++))
  await refuseNext(tab, 'updateSubscriptionSettings', 'auth/requires-recent-login')
  const name = tab.getByLabel('Project Name')
  await name.fill('Ferry line')
  await tab.getByRole('button', { name: 'Save settings' }).click()
  await expect(tab.getByRole('heading', { name: 'A new version is here' })).toBeVisible()
  await nextFrames(tab)
  expect(reloads).toBe(0)
  update()
  await tab.getByRole('button', { name: 'Reload' }).click()
  await expect(name).toHaveValue('Ferry line')
})

test('a key that belongs to an input method is no command', async ({ page }) => {
  await signedInAs(page, 'Ann Archer')
  await page.goto('/dashboard')
  // Safari sends the last key of a composition after it, with this code alone.
  const compose = (key: string) =>
    page.evaluate((key) => {
      const event = { key, keyCode: 229, bubbles: true, ctrlKey: key === 'k' }
      document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', event))
    }, key)
  await page.getByRole('heading', { name: 'Your projects' }).waitFor()
  await compose('k')
  await expect(page.locator('dialog[open]')).toHaveCount(0)
  await page.keyboard.press('Control+k')
  await page.locator('dialog[open] input').fill('profile')
  await compose('Enter')
  await expect(page).toHaveURL(/dashboard$/)
  await expect(page.locator('dialog[open]')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/profile$/)
  const account = page.getByRole('button', { name: 'Your account' })
  await account.focus()
  await compose('ArrowDown')
  await expect(account).toHaveAttribute('aria-expanded', 'false')
})
