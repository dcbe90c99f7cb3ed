import type { Page } from '@playwright/test'
import { mailedLink, newAddress, signedInAs } from './people.ts'
import { expect, expectPassing, refuseNext, test, watch } from './visitor.ts'
import { tabTo } from './keys.ts'
import { addressOf } from './projects.ts'

test.use({ baseURL: process.env['SOCIAL_URL'] })

/** A login that the providers know. */
function newLogin(name: string) {
  return newAddress(name).split('@')[0]!
}

/** The window that a button opens. */
async function popupOf(page: Page, button: string) {
  const act = () => page.getByRole('button', { name: button }).click()
  return opened(page, act)
}

async function opened(page: Page, act: () => Promise<void>) {
  const [popup] = await Promise.all([page.waitForEvent('popup'), act()])
  return popup
}

/** Signs in at the provider and waits until its window is closed. */
async function consent(popup: Page, login: string) {
  const problems = watch(popup)
  await popup.getByLabel('Login').fill(login)
  await Promise.all([
    popup.waitForEvent('close'),
    popup.getByRole('button', { name: 'Continue' }).click(),
  ])
  expect(problems).toEqual([])
}

async function signUpWith(page: Page, provider: string, login: string) {
  await page.goto('/signin')
  await consent(await popupOf(page, `Continue with ${provider}`), login)
  await expect(page.getByRole('heading', { name: 'Your projects' })).toBeVisible()
}

for (const provider of [
  'Google',
  'Microsoft',
  'Apple',
  'Facebook',
  'GitHub',
  'X',
  'Yahoo',
  'Example Inc.',
]) {
  test(`a new user signs in with ${provider}`, async ({ page }) => {
    const login = newLogin('ann')
    await signUpWith(page, provider, login)
    await page.goto('/profile')
    await expect(page.getByText(`${login}@example.com`).first()).toBeVisible()
    await expect(page.getByRole('button', { name: `Unlink ${provider}` })).toBeVisible()
    await page.reload()
    await expect(page.getByText(`${login}@example.com`).first()).toBeVisible()
  })
}

test('a visitor who signs in by keyboard comes to the address they wanted, and other tabs notice', async ({
  page,
  context,
}) => {
  const other = await context.newPage()
  await other.goto('/signin')
  await page.goto('/create-plan')
  await expect(page).toHaveURL(/\/signin\?next=/)
  const button = page.getByRole('button', { name: 'Continue with Google' })
  await tabTo(page, button)
  const popup = await opened(page, () => page.keyboard.press('Enter'))
  await consent(popup, newLogin('kim'))
  await expect(page.getByRole('heading', { name: 'Choose a plan' })).toBeVisible()
  await expect(other.getByRole('heading', { name: 'Your projects' })).toBeVisible()
})

test('a window that is closed too early brings a message, and the next one works', async ({
  page,
}) => {
  await page.goto('/signup')
  const popup = await popupOf(page, 'Continue with Google')
  await expect(page.getByText('Go on in the window that just opened.')).toBeVisible()
  await popup.close()
  await expect(page.getByText('The window was closed before you were done.')).toBeVisible()
  await consent(await popupOf(page, 'Continue with Google'), newLogin('cleo'))
  await expect(page.getByRole('heading', { name: 'Your projects' })).toBeVisible()
})

test('a visitor who says no at the provider gets a message, and stays on the screen', async ({
  page,
}) => {
  await page.goto('/signin')
  for (const provider of ['Google', 'GitHub']) {
    const popup = await popupOf(page, `Continue with ${provider}`)
    await Promise.all([
      popup.waitForEvent('close'),
      popup.getByRole('link', { name: 'Cancel' }).click(),
    ])
    await expect(page.getByText('You said no at the provider.')).toBeVisible()
  }
  await expect(page).toHaveURL(/\/signin$/)
})

test('a visitor whose address the provider has not verified reads how to sign in', async ({
  page,
  another,
}) => {
  const address = await addressOf(await another('Fay'))
  await page.goto('/signin')
  const popup = await popupOf(page, 'Continue with Facebook')
  await consent(popup, address.split('@')[0]!)
  await expect(
    page.getByText('Sign in with your password, then link the provider on your profile.'),
  ).toBeVisible()
})

test('a user whose verification link removes their only way to sign in reads how to get in again', async ({
  page,
}) => {
  const login = newLogin('fay')
  await signUpWith(page, 'Facebook', login)
  const address = `${login}@example.com`
  await page.context().clearCookies()
  await page.goto(await mailedLink(page, address))
  await expect(
    page.getByText('nobody can sign in to this account with Facebook any more'),
  ).toBeVisible()
  await page.getByRole('link', { name: 'Reset your password' }).click()
  await expect(page.getByLabel('E-mail', { exact: true })).toHaveValue(address)
  await page.getByRole('button', { name: 'Send reset link' }).click()
  await expect(page.getByText('If there is an account')).toBeVisible()
})

test('a provider that cuts its window off from ours is heard all the same', async ({ page }) => {
  await page.goto('/signin')
  const popup = await popupOf(page, 'Continue with X')
  await expect(page.getByText('The window was closed before you were done.')).toBeVisible()
  await popup.getByLabel('Login').fill(newLogin('olga'))
  await popup.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('heading', { name: 'Your projects' })).toBeVisible()
})

test('a provider’s account is linked on the profile, unlinked, and linked to another user', async ({
  page,
  another,
}) => {
  const login = newLogin('lee')
  await signedInAs(page, 'Lin Lee')
  await page.goto('/profile')
  await consent(await popupOf(page, 'Link Google'), login)
  await expect(
    page.getByText('Google is linked. You can sign in with it from now on.'),
  ).toBeVisible()

  const rival = await another('Rival')
  await rival.goto('/profile')
  await consent(await popupOf(rival, 'Link Google'), login)
  await expect(rival.getByText("linked to somebody else's account here")).toBeVisible()

  await page.getByRole('button', { name: 'Unlink Google' }).click()
  await expect(page.getByText('Google is unlinked.')).toBeVisible()
  await consent(await popupOf(rival, 'Link Google'), login)
  await expect(rival.getByText('Google is linked.')).toBeVisible()
})

test.describe('refusals', () => {
  test.use({ expectedRefusals: ['unlinkProvider', 'updateEmail', 'startProviderFlow'] })

  test('the last way in is kept', async ({ page }) => {
    await signUpWith(page, 'Google', newLogin('max'))
    await page.goto('/profile')
    await page.getByRole('button', { name: 'Unlink Google' }).click()
    await expect(
      page.getByText('This is the only way into your account. Set a password first.'),
    ).toBeVisible()
  })

  test('a user without a password confirms by the provider that it is still them, and their change goes on', async ({
    page,
  }) => {
    const login = newLogin('ria')
    await signUpWith(page, 'Google', login)
    await wantRecentSignIn(page, 'updateEmail')
    await page.goto('/edit-email')
    await page.getByLabel('New e-mail').fill(newAddress('ria-new'))
    await page.getByRole('button', { name: 'Send link' }).click()
    const again = 'Sign in again with Google'
    await consent(await popupOf(page, again), newLogin('somebody-else'))
    await expect(
      page.getByText("This account at the provider isn't linked to yours."),
    ).toBeVisible()
    const popup = await popupOf(page, again)
    await expectPassing(page, 'The link is on its way to the new address.', () =>
      consent(popup, login),
    )
  })

  test('linking asks for a recent sign-in, then goes on with another click', async ({ page }) => {
    const login = newLogin('uma')
    await signUpWith(page, 'Google', login)
    await wantRecentSignIn(page, 'startProviderFlow')
    await page.goto('/profile')
    await page.getByRole('button', { name: 'Link GitHub' }).click()
    await expect(page.getByRole('dialog', { name: 'Is it still you?' })).toBeVisible()
    await consent(await popupOf(page, 'Sign in again with Google'), login)
    await expect(page.getByText('Now choose Link once more.')).toBeVisible()
    await consent(await popupOf(page, 'Link GitHub'), login)
    await expect(page.getByText('GitHub is linked.')).toBeVisible()
  })
})

/** As if the sign-in were long ago, once. */
async function wantRecentSignIn(page: Page, call: string) {
  await refuseNext(page, call, 'auth/requires-recent-login')
}
