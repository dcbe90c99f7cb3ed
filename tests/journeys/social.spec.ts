import type { Page } from '@playwright/test'
import { anApp } from './an-app.ts'
import { tabTo } from './keys.ts'
import { fill, mailedLink, newAddress, signedInAs, submit, userId } from './people.ts'
import { addressOf } from './projects.ts'
import { expect, expectPassing, mayRefuse, refuseNext, shows, test, watch } from './visitor.ts'

test.use({ baseURL: process.env['SOCIAL_URL'] })

/** A new login that every provider of the tests accepts. */
function newLogin(name: string) {
  return newAddress(name).split('@')[0]!
}

/** Presses a button and returns the window that it opens. */
async function popupOf(page: Page, button: string) {
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: button }).click(),
  ])
  return popup
}

/** Signs in at the provider and waits until its window is closed. */
async function consent(popup: Page, login: string) {
  const problems = watch(popup)
  await Promise.all([popup.waitForEvent('close'), submit(popup, 'Continue', { Login: login })])
  expect(problems).toEqual([])
}

async function signUpWith(page: Page, provider: string, login: string) {
  await page.goto('/signin')
  await consent(await popupOf(page, `Continue with ${provider}`), login)
  await expect(page.getByRole('heading', { name: 'Your projects' })).toBeVisible()
}

const providers = 'Google,Microsoft,Apple,Facebook,GitHub,X,Yahoo,Example Inc.'
for (const provider of providers.split(','))
  test(`a new user signs in with ${provider}`, async ({ page }) => {
    const login = newLogin('ann')
    const address = page.getByText(`${login}@example.com`).first()
    await signUpWith(page, provider, login)
    await page.goto('/profile')
    await expect(address).toBeVisible()
    await expect(page.getByRole('button', { name: `Unlink ${provider}` })).toBeVisible()
    await page.reload()
    await expect(address).toBeVisible()
  })

test('a visitor signs in by keyboard, and other tabs notice', async ({ page, context }) => {
  const other = await context.newPage()
  await other.goto('/signin')
  await page.goto('/create-plan')
  await expect(page).toHaveURL(/\/signin\?next=/)
  await tabTo(page, page.getByRole('button', { name: 'Continue with Google' }))
  const [popup] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('Enter')])
  await consent(popup, newLogin('kim'))
  await expect(page.getByRole('heading', { name: 'Choose a plan' })).toBeVisible()
  await expect(other.getByRole('heading', { name: 'Your projects' })).toBeVisible()
})

test('a visitor who closes the provider’s window reads so and can try again', async ({ page }) => {
  await page.goto('/signup')
  const popup = await popupOf(page, 'Continue with Google')
  await shows(page, 'Continue in the window that just opened.')
  await popup.close()
  await shows(page, 'The window was closed before you finished.')
  await consent(await popupOf(page, 'Continue with Google'), newLogin('cleo'))
  await expect(page.getByRole('heading', { name: 'Your projects' })).toBeVisible()
})

test('a visitor who says no at the provider reads so on the same screen', async ({ page }) => {
  await page.goto('/signin')
  for (const provider of ['Google', 'GitHub']) {
    const popup = await popupOf(page, `Continue with ${provider}`)
    await Promise.all([
      popup.waitForEvent('close'),
      popup.getByRole('link', { name: 'Cancel' }).click(),
    ])
    await shows(page, 'You declined at the provider.')
  }
  await expect(page).toHaveURL(/\/signin$/)
})

test('a sign-in by an address that its provider has not verified says to use the password', async ({
  page,
  another,
}) => {
  const address = await addressOf(await another('Fay'))
  await page.goto('/signin')
  await consent(await popupOf(page, 'Continue with Facebook'), address.split('@')[0]!)
  await shows(page, 'Sign in with your password, then link the provider on your profile.')
})

test('a link that removes a user’s only way in says how to get in again', async ({ page }) => {
  const login = newLogin('fay')
  await signUpWith(page, 'Facebook', login)
  const address = `${login}@example.com`
  await page.context().clearCookies()
  await page.goto(await mailedLink(page, address))
  await shows(page, 'Facebook was linked before this address was verified.')
  await page.getByRole('link', { name: 'Reset your password' }).click()
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue(address)
  await page.getByRole('button', { name: 'Send reset link' }).click()
  await shows(page, "If there's an account")
})

test('a provider’s window that is cut off from ours still signs the visitor in', async ({
  page,
}) => {
  await page.goto('/signin')
  const popup = await popupOf(page, 'Continue with X')
  await shows(page, 'The window was closed before you finished.')
  await submit(popup, 'Continue', { Login: newLogin('olga') })
  await expect(page.getByRole('heading', { name: 'Your projects' })).toBeVisible()
})

test('an account at a provider is linked to one user at a time', async ({ page, another }) => {
  const login = newLogin('lee')
  await signedInAs(page, 'Lin Lee')
  await page.goto('/profile')
  await consent(await popupOf(page, 'Link Google'), login)
  await shows(page, 'Google is linked. You can now sign in with it.')

  const rival = await another('Rival')
  await rival.goto('/profile')
  await consent(await popupOf(rival, 'Link Google'), login)
  await shows(rival, "linked to someone else's account here")

  await page.getByRole('button', { name: 'Unlink Google' }).click()
  await shows(page, 'Google is unlinked.')
  await consent(await popupOf(rival, 'Link Google'), login)
  await shows(rival, 'Google is linked.')
})

test('a user can’t remove the last way into their account', async ({ page }) => {
  mayRefuse(page, 'unlinkProvider')
  await signUpWith(page, 'Google', newLogin('max'))
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Unlink Google' }).click()
  await shows(page, 'This is the only way to sign in to your account. Set a password first.')
})

test('a user without a password signs in again at their provider', async ({ page }) => {
  const login = newLogin('ria')
  await signUpWith(page, 'Google', login)
  await refuseNext(page, 'updateEmail', 'auth/requires-recent-login')
  await page.goto('/edit-email')
  await submit(page, 'Send link', { 'New email': newAddress('ria-new') })
  const again = 'Sign in again with Google'
  await consent(await popupOf(page, again), newLogin('somebody-else'))
  await shows(page, "This provider account isn't the one linked to yours.")
  const popup = await popupOf(page, again)
  const words = 'We sent a link to the new address.'
  await expectPassing(page, words, () => consent(popup, login))
})

test('a user passes the second step after their provider, at a sign-in and again later', async ({
  page,
}) => {
  const login = newLogin('ida')
  await signUpWith(page, 'Google', login)
  const { next, recoveryCodes } = await anApp(page)
  await page.context().clearCookies()
  for (const screen of ['/signup', '/signin']) {
    await page.goto(screen)
    await consent(await popupOf(page, 'Continue with Google'), login)
    await expect(page.getByLabel('Code from your app')).toBeFocused()
    if (screen === '/signup') await page.getByRole('button', { name: 'Back', exact: true }).click()
  }
  await submit(page, 'Sign in', { 'Code from your app': next() })
  await expect(page.getByRole('heading', { name: 'Your projects' })).toBeVisible()

  await refuseNext(page, 'updateEmail', 'auth/requires-recent-login')
  await page.goto('/edit-email')
  await submit(page, 'Send link', { 'New email': newAddress('ida-new') })
  await consent(await popupOf(page, 'Sign in again with Google'), login)
  await page.getByRole('button', { name: 'Recovery code' }).click()
  await fill(page, { 'Recovery code': recoveryCodes[0]! })
  await expectPassing(page, 'We sent a link to the new address.', 'Sign in again')
})

test('a user without a password signs in again before they delete their account', async ({
  page,
}) => {
  const login = newLogin('ines')
  await signUpWith(page, 'Google', login)
  await page.goto('/delete-account')
  await fill(page, { 'Type your user ID to confirm': await userId(page) })
  await expect(page.getByLabel('Password')).toHaveCount(0)
  await page.getByRole('button', { name: 'Delete account' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await shows(page, 'Please sign in again before retry.')

  await page.getByRole('button', { name: 'Delete account' }).click()
  const popup = await popupOf(page, 'Sign in again with Google')
  await expectPassing(page, 'Your account is deleted', () => consent(popup, login))
})

test('linking asks for a recent sign-in, then goes on with another click', async ({ page }) => {
  const login = newLogin('uma')
  await signUpWith(page, 'Google', login)
  await refuseNext(page, 'startProviderFlow', 'auth/requires-recent-login')
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Link GitHub' }).click()
  await expect(page.getByRole('dialog', { name: "Confirm it's you" })).toBeVisible()
  await consent(await popupOf(page, 'Sign in again with Google'), login)
  await shows(page, 'Now choose Link again.')
  await consent(await popupOf(page, 'Link GitHub'), login)
  await shows(page, 'GitHub is linked.')
})
