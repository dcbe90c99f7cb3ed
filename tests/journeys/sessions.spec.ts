import type { Page } from '@playwright/test'
import { changePassword, password, signedInAs, signIn, signInHere } from './people.ts'
import { aProject, ask } from './projects.ts'
import {
  expect,
  expectPassing,
  hold,
  nextFrames,
  refuseNext,
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

async function expectSignedOut(page: Page) {
  await expect(page).toHaveURL(/\/signin/)
  await expect(page.getByText('Your session has ended. Sign in again.')).toBeVisible()
}

async function signOut(page: Page) {
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
}
async function expectSignInScreen(page: Page) {
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
}
/** How many sessions their owner sees from elsewhere, who is signed in there too. */
function sessionsSeenFrom(other: Page) {
  return expect.poll(async () => (await ask(other, 'listSessions', {})).sessions.length)
}

test('signing out is seen at once while the session is being renewed; the answer is for nobody', async ({
  page,
}) => {
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
  await signOut(page)
  await expectSignInScreen(page)
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const signedOut = page.waitForResponse('**/api/signOut')
  held.resolve()
  await signedOut
  await nextFrames(page)
  await expectSignInScreen(page)
  expect(asked.filter((path) => path.startsWith('/api/'))).toEqual(['/api/signOut'])
})

test.describe('a save under way', () => {
  // It comes too late, when the test is over.
  test.use({ expectedRefusals: ['updateSubscriptionSettings'] })

  test('is not waited for by signing out, which is seen at once in every tab, and known to the server', async ({
    page,
    another,
  }) => {
    const ann = await signedInAs(page, 'Ann Archer')
    const id = await aProject(page, { plan: 'free' })
    await page.goto(`/subscription/${id}/settings`)
    const tab = await page.context().newPage()
    await tab.goto('/profile')
    await expect(tab.getByRole('heading', { name: 'My Profile' })).toBeVisible()
    const other = await onOtherDevice(another, ann)
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
})

test('a sign-out that does not reach the server holds here, and is repeated until it does', async ({
  page: other,
  another,
}) => {
  const ann = await signedInAs(other, 'Ann Archer')
  await other.goto('/profile')
  const page = await onOtherDevice(another, ann)
  await sessionsSeenFrom(other).toBe(2)
  let isCutOff = true
  const tries: string[] = []
  await page.context().route('**/api/{signOut,refreshSession}', (route) => {
    tries.push(new URL(route.request().url()).pathname)
    return isCutOff ? route.abort() : route.continue()
  })

  await signOut(page)
  await expectSignInScreen(page)
  expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('atrium_signed_in')
  await page.goto('/profile')
  await expectSignInScreen(page)
  await expect.poll(() => tries).toContain('/api/refreshSession')
  await sessionsSeenFrom(other).toBe(2)

  isCutOff = false
  await sessionsSeenFrom(other).toBe(1)
  await page.goto('/profile')
  await expectSignInScreen(page)
  await signIn(page, ann)
  await expect(page.getByRole('heading', { name: 'Your projects' })).toBeVisible()
})

test.describe('a sign-out that the server cannot do at that moment', () => {
  test.use({ expectedRefusals: ['signOut'] })

  test('is repeated until it does', async ({ page: other, another }) => {
    const ann = await signedInAs(other, 'Ann Archer')
    await other.goto('/profile')
    const page = await onOtherDevice(another, ann)
    await sessionsSeenFrom(other).toBe(2)
    await refuseNext(page, 'signOut', 'callInProgress', 2)
    await signOut(page)
    await expectSignInScreen(page)
    await sessionsSeenFrom(other).toBe(1)
  })
})

test('nobody else signs in before the sign-out has reached the server', async ({
  page: other,
  another,
}) => {
  const bob = await signedInAs(other, 'Bob Baker')
  const ann = await signedInAs(other, 'Ann Archer')
  await other.goto('/profile')
  const page = await onOtherDevice(another, ann)
  await sessionsSeenFrom(other).toBe(2)
  let isCutOff = true
  await page
    .context()
    .route('**/api/signOut', (route) => (isCutOff ? route.abort() : route.continue()))
  await signOut(page)
  await expectSignInScreen(page)
  await signInHere(page, bob)
  await expect(page.getByText('Failed to sign in')).toBeVisible()

  isCutOff = false
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { name: 'Your projects' })).toBeVisible()
  await sessionsSeenFrom(other).toBe(1)
})

test.describe('a sign-in that is not recent', () => {
  test.use({ expectedRefusals: ['updatePassword', 'reauthenticate'] })

  test('is repeated in a dialog, and the change goes on', async ({ page }) => {
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
  test('are listed by device; one is ended, and that device is out at once', async ({
    page,
    another,
  }) => {
    const ann = await signedInAs(page, 'Ann Archer')
    await page.goto('/profile')
    const list = page.getByRole('list', { name: "Where you're signed in" })
    await expect(list.getByRole('listitem')).toHaveCount(1)
    const other = await onOtherDevice(another, ann)

    await page.reload()
    await expect(list.getByRole('listitem')).toHaveCount(2)
    await expect(list.getByRole('listitem').filter({ hasText: 'This device' })).toContainText(
      'Chrome on Linux',
    )
    await list.getByRole('button', { name: 'Sign out Firefox on macOS' }).click()
    await expect(list.getByRole('listitem')).toHaveCount(1)
    await expectSignedOut(other)
  })

  test('all but the present one are ended together', async ({ page, another }) => {
    const ann = await signedInAs(page, 'Ann Archer')
    await page.goto('/profile')
    const first = await onOtherDevice(another, ann)
    const second = await onOtherDevice(another, ann)
    await page.reload()
    const list = page.getByRole('list', { name: "Where you're signed in" })
    await expect(list.getByRole('listitem')).toHaveCount(3)
    await page.getByRole('button', { name: 'Sign out all others' }).click()
    await expect(list.getByRole('listitem')).toHaveCount(1)
    await expect(page.getByRole('button', { name: 'Sign out all others' })).toHaveCount(0)
    await expectSignedOut(first)
    await expectSignedOut(second)
  })
})
