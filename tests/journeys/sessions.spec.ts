import type { Page } from '@playwright/test'
import { changePassword, password, signedInAs, signIn, signInHere, signOut } from './people.ts'
import { addressOf, annsProject, ask } from './projects.ts'
import {
  answered,
  expect,
  expectPassing,
  hold,
  mayRefuse,
  refuseNext,
  shows,
  test,
  type Visitors,
} from './visitor.ts'

const firefox =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0'

/** Signs the same person in on another device. */
async function onOtherDevice(another: Visitors['another'], address: string) {
  // This page is not watched, because its requests fail when its session ends.
  const other = await (await another(undefined, { userAgent: firefox })).context().newPage()
  await signIn(other, address)
  await expect(other.getByRole('heading', { name: 'Your projects' })).toBeVisible()
  return other
}

/** Opens Ann's profile here, and signs her in on another device. */
async function twoDevices(page: Page, another: Visitors['another']) {
  const ann = await signedInAs(page, 'Ann Archer')
  await page.goto('/profile')
  const other = await onOtherDevice(another, ann)
  await sessionsSeenFrom(page).toBe(2)
  return { ann, other }
}

async function expectSignedOut(page: Page) {
  await expect(page).toHaveURL(/\/signin/)
  await shows(page, 'Your session has ended. Sign in again.')
}

async function expectSignInScreen(page: Page) {
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
}

/** Waits for the number of sessions that the user on the page sees. */
function sessionsSeenFrom(page: Page) {
  return expect.poll(async () => (await ask(page, 'listSessions', {})).sessions.length)
}

test('a sign-out takes effect at once while the session is being renewed', async ({ page }) => {
  await signedInAs(page, 'Ann Archer')
  const renewing = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  let renewals = 0
  await page.route('**/api/refreshSession', async (route) => {
    // The first renewal opens the page; the profile asks for the second one.
    if (++renewals === 2) renewing.resolve()
    if (renewals > 1) await held.promise
    await route.continue()
  })
  await page.goto('/profile')
  await renewing.promise
  await signOut(page)
  await expectSignInScreen(page)
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await answered(page, '**/api/signOut', held.resolve)
  await expectSignInScreen(page)
  // The sign-in screen may ask for nobody's passkey by now.
  const ofSession = asked.filter((path) => /^\/api\/(?!startPasskeySignIn)/.test(path))
  expect(ofSession).toEqual(['/api/signOut'])
})

test('every tab shows a sign-out at once, even during a save', async ({ page, another }) => {
  // The held call reaches the server only after the sign-out.
  mayRefuse(page, 'updateSubscriptionSettings')
  await annsProject(page, { screen: 'settings' })
  const tab = await page.context().newPage()
  await tab.goto('/profile')
  await expect(tab.getByRole('heading', { name: 'My Profile' })).toBeVisible()
  const other = await onOtherDevice(another, await addressOf(page))
  const saving = page.waitForRequest('**/api/updateSubscriptionSettings')
  await hold(page, '**/api/updateSubscriptionSettings')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await saving
  await sessionsSeenFrom(other).toBe(2)

  await signOut(page)
  await expectSignInScreen(page)
  await expectSignInScreen(tab)
  await sessionsSeenFrom(other).toBe(1)
})

test('the app repeats a sign-out that does not reach the server', async ({ page, another }) => {
  const { ann, other } = await twoDevices(page, another)
  let isCutOff = true
  const tries: string[] = []
  await other.context().route('**/api/{signOut,refreshSession}', (route) => {
    tries.push(new URL(route.request().url()).pathname)
    return isCutOff ? route.abort() : route.continue()
  })

  await signOut(other)
  await expectSignInScreen(other)
  const cookies = await other.context().cookies()
  expect(cookies.map(({ name }) => name)).not.toContain('pergola_signed_in')
  await other.goto('/profile')
  await expectSignInScreen(other)
  await expect.poll(() => tries).toContain('/api/refreshSession')
  await sessionsSeenFrom(page).toBe(2)

  isCutOff = false
  await sessionsSeenFrom(page).toBe(1)
  await other.goto('/profile')
  await expectSignInScreen(other)
  await signIn(other, ann)
  await expect(other.getByRole('heading', { name: 'Your projects' })).toBeVisible()
})

test('the app repeats a sign-out until the server accepts it', async ({ page, another }) => {
  const { other } = await twoDevices(page, another)
  await refuseNext(other, 'signOut', 'callInProgress', 2)
  await signOut(other)
  await expectSignInScreen(other)
  await sessionsSeenFrom(page).toBe(1)
})

test('nobody else signs in before the server knows of the sign-out', async ({ page, another }) => {
  const bob = await signedInAs(page, 'Bob Baker')
  const { other } = await twoDevices(page, another)
  let isCutOff = true
  await other.route('**/api/signOut', (route) => (isCutOff ? route.abort() : route.continue()))
  await signOut(other)
  await expectSignInScreen(other)
  await signInHere(other, bob)
  await shows(other, 'Failed to sign in')

  isCutOff = false
  await other.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(other.getByRole('heading', { name: 'Your projects' })).toBeVisible()
  await sessionsSeenFrom(page).toBe(1)
})

test('a user signs in again in a dialog, and their change goes on', async ({ page }) => {
  mayRefuse(page, 'updatePassword', 'reauthenticate')
  await signedInAs(page, 'Ann Archer')
  await refuseNext(page, 'updatePassword', 'auth/requires-recent-login', 2)
  await page.goto('/change-password')
  await changePassword(page)
  const dialog = page.getByRole('dialog', { name: "Confirm it's you" })
  await shows(dialog, 'Please sign in again before retry.')
  await expect(dialog.getByLabel('Password', { exact: true })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  const save = page.getByRole('button', { name: 'Save password' })
  await expect(save).toBeFocused()
  await shows(page, 'Failed to update your password', 'Please sign in again before retry.')

  await save.click()
  await dialog.getByLabel('Password', { exact: true }).fill('not the password')
  await page.keyboard.press('Enter')
  await shows(dialog, 'The password is wrong. Try again.')
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await expectPassing(page, 'Your password is changed', () => page.keyboard.press('Enter'))
  await expect(dialog).toHaveCount(0)
  await expect(page).toHaveURL(/\/profile$/)
})

test('the dialog for a new sign-in closes when the user goes back', async ({ page }) => {
  await signedInAs(page, 'Ann Archer')
  await refuseNext(page, 'updatePassword', 'auth/requires-recent-login')
  await page.goto('/profile')
  await page.getByRole('link', { name: 'Change password' }).click()
  await changePassword(page)
  await expect(page.getByRole('dialog', { name: "Confirm it's you" })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'My Profile' })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('a user sees their sessions by device, and ends them', async ({ page, another }) => {
  const { ann, other } = await twoDevices(page, another)
  await page.reload()
  const sessions = page.getByRole('list', { name: "Where you're signed in" }).getByRole('listitem')
  await expect(sessions).toHaveCount(2)
  await expect(sessions.filter({ hasText: 'This device' })).toContainText('Chrome on Linux')
  await page.setViewportSize({ width: 390, height: 844 })
  const heights = await sessions.evaluateAll((rows) => rows.map((row) => row.clientHeight))
  expect(Math.max(...heights)).toBeLessThan(24 + 36 + 2 * 21)
  await page.getByRole('button', { name: 'Sign out Firefox on macOS' }).click()
  await expect(sessions).toHaveCount(1)
  await expectSignedOut(other)

  await signIn(other, ann)
  await expect(other.getByRole('heading', { name: 'Your projects' })).toBeVisible()
  const third = await onOtherDevice(another, ann)
  const fourth = await onOtherDevice(another, ann)
  await page.reload()
  await expect(sessions).toHaveCount(3)
  await page.getByRole('button', { name: 'Show all 4' }).click()
  await expect(sessions).toHaveCount(4)
  await expect(sessions.last()).toBeFocused()
  await page.getByRole('button', { name: 'Sign out all others' }).click()
  await expect(sessions).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'Sign out all others' })).toHaveCount(0)
  await expectSignedOut(other)
  await expectSignedOut(third)
  await expectSignedOut(fourth)
})
