import type { Browser, BrowserContext, Page } from '@playwright/test'
import { changePassword, password, signedInAs, signIn } from './people.ts'
import { expect, expectPassing, refuseNext, test } from './visitor.ts'

const firefox = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0'

/** The same person on another device. */
async function onOtherDevice(browser: Browser, page: Page, address: string) {
  const context = await browser.newContext({ baseURL: new URL(page.url()).origin, userAgent: firefox, locale: 'en-US' })
  const other = await context.newPage()
  await signIn(other, address)
  await expect(other.getByRole('heading', { name: 'Your projects' })).toBeVisible()
  return { context, other }
}
async function expectSignedOut(page: Page, context?: BrowserContext) {
  await expect(page).toHaveURL(/\/signin/)
  await expect(page.getByText('Your session has ended. Sign in again.')).toBeVisible()
  await context?.close()
}

test('signing out waits for a session that is just being renewed, and asks for nothing after it', async ({ page }) => {
  await signedInAs(page, 'Ann Archer')
  const renewing = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  let renewals = 0
  await page.route('**/api/refreshSession', async (route) => {
    // The first one opens the page, the second one asks anew who its profile is of.
    if (++renewals === 2) renewing.resolve()
    if (renewals > 1) await held.promise
    await route.continue()
  })
  await page.goto('/profile')
  await renewing.promise
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  held.resolve()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  expect(asked.filter((path) => path.startsWith('/api/'))).toEqual(['/api/signOut'])
})

test('signing out waits for what is just being saved', async ({ page }) => {
  await signedInAs(page, 'Ann Archer')
  const seen: string[] = []
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>()
  await page.route('**/api/saveUser', async (route) => {
    seen.push('saving')
    await held
    const response = await route.fetch()
    seen.push('saved')
    await route.fulfill({ response })
  })
  await page.route('**/api/signOut', async (route) => {
    seen.push('signing out')
    await route.continue()
  })
  await page.goto('/dashboard')
  // Where somebody signs in for the first time, their language is kept.
  await expect.poll(() => seen).toContain('saving')
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  goOn()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  expect(seen.indexOf('signing out')).toBe(seen.length - 1)
})

test.describe('a sign-in that is not recent', () => {
  test.use({ expectedRefusals: ['updatePassword', 'reauthenticate'] })

  test('is repeated in place, and what was asked for goes on', async ({ page }) => {
    await signedInAs(page, 'Ann Archer')
    await refuseNext(page, 'updatePassword', 'auth/requires-recent-login', 2)
    await page.goto('/change-password')
    await changePassword(page)
    const dialog = page.getByRole('dialog', { name: 'Is it still you?' })
    await expect(dialog.getByText('Please sign in again before retry.')).toBeVisible()
    await expect(dialog.getByLabel('Password', { exact: true })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    const save = page.getByRole('button', { name: 'Save password' })
    await expect(save).toBeFocused()
    await expect(page.getByText('Failed to update your password')).toBeVisible()
    await expect(page.getByText('Please sign in again before retry.')).toBeVisible()

    await save.click()
    await dialog.getByLabel('Password', { exact: true }).fill('not the password')
    await page.keyboard.press('Enter')
    await expect(dialog.getByText('The password is wrong. Try again.')).toBeVisible()
    await dialog.getByLabel('Password', { exact: true }).fill(password)
    await expectPassing(page, 'Your password is changed', () => page.keyboard.press('Enter'))
    await expect(dialog).toHaveCount(0)
    await expect(page).toHaveURL(/\/profile$/)
  })

  test('is not asked for any more where it was not needed', async ({ page }) => {
    await signedInAs(page, 'Ann Archer')
    await refuseNext(page, 'updatePassword', 'auth/requires-recent-login')
    await page.goto('/profile')
    await page.getByRole('link', { name: 'Change password' }).click()
    await changePassword(page)
    await expect(page.getByRole('dialog', { name: 'Is it still you?' })).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('heading', { name: 'My Profile' })).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
})

test.describe('sessions', () => {
  test('are listed by device; one is ended, and that device is out at once', async ({ page, browser }) => {
    const ann = await signedInAs(page, 'Ann Archer')
    await page.goto('/profile')
    const list = page.getByRole('list', { name: "Where you're signed in" })
    await expect(list.getByRole('listitem')).toHaveCount(1)
    const { other, context } = await onOtherDevice(browser, page, ann)

    await page.reload()
    await expect(list.getByRole('listitem')).toHaveCount(2)
    await expect(list.getByRole('listitem').filter({ hasText: 'This device' })).toContainText('Chrome on Linux')
    await list.getByRole('button', { name: 'Sign out Firefox on macOS' }).click()
    await expect(list.getByRole('listitem')).toHaveCount(1)
    await expectSignedOut(other, context)
  })

  test('all but the present one are ended together', async ({ page, browser }) => {
    const ann = await signedInAs(page, 'Ann Archer')
    await page.goto('/profile')
    const first = await onOtherDevice(browser, page, ann)
    const second = await onOtherDevice(browser, page, ann)
    await page.reload()
    const list = page.getByRole('list', { name: "Where you're signed in" })
    await expect(list.getByRole('listitem')).toHaveCount(3)
    await page.getByRole('button', { name: 'Sign out all others' }).click()
    await expect(list.getByRole('listitem')).toHaveCount(1)
    await expect(page.getByRole('button', { name: 'Sign out all others' })).toHaveCount(0)
    await expectSignedOut(first.other, first.context)
    await expectSignedOut(second.other, second.context)
  })
})
