import type { Page } from '@playwright/test'
import { password, signedInAs } from './people.ts'
import { expect, newAddress, refuseNext, test } from './visitor.ts'

test.use({
  expectedRefusals: [
    'signIn',
    'signUp',
    'sendPasswordResetEmail',
    'sendVerificationEmail',
    'applyActionCode',
    'updateProfile',
    'updateEmail',
    'updatePassword',
    'deleteAccount',
  ],
})

const tooMany = 'Too many verification email requests. Please wait a while before trying again.'

const ofVisitors = [
  ['/signin', 'signIn', 'internal', 'Failed to sign in'],
  ['/signup', 'signUp', 'internal', 'Failed to create an account'],
  [
    '/reset-password',
    'sendPasswordResetEmail',
    'internal',
    'Failed to send reset email. Please try again.',
  ],
] as const

const ofTheSignedIn = [
  ['/edit-name', 'updateProfile', 'internal', 'Failed to update your name'],
  ['/edit-email', 'updateEmail', 'internal', 'Failed to update your email'],
  [
    '/edit-email',
    'updateEmail',
    'auth/operation-not-allowed',
    'Verify your current e-mail address first.',
  ],
  ['/edit-email', 'updateEmail', 'auth/too-many-requests', tooMany],
  [
    '/edit-email',
    'updateEmail',
    'auth/requires-recent-login',
    'Please sign in again before retry.',
  ],
  ['/change-password', 'updatePassword', 'internal', 'Failed to update your password'],
  [
    '/change-password',
    'updatePassword',
    'auth/requires-recent-login',
    'Please sign in again before retry.',
  ],
  ['/delete-account', 'deleteAccount', 'internal', 'Failed to delete your account'],
  [
    '/delete-account',
    'deleteAccount',
    'auth/requires-recent-login',
    'Please sign in again before retry.',
  ],
] as const

async function fillAndSend(page: Page) {
  const form = page.locator('main form')
  await form.waitFor()
  const id = page.locator('main .id-text').first()
  const text = (await id.count()) > 0 ? await id.innerText() : 'Ann Archer'
  for (const input of await form.locator('input:visible').all()) {
    const type = await input.getAttribute('type')
    await input.fill(type === 'email' ? newAddress('ann') : type === 'password' ? password : text)
  }
  await form.locator('button[type=submit]').click()
}

for (const [path, call, reason, words] of ofVisitors)
  test(`${call} refused with ${reason} says “${words}”`, async ({ page }) => {
    await refuseNext(page, call, reason)
    await page.goto(path)
    await fillAndSend(page)
    await expect(page.getByText(words)).toBeVisible()
  })

for (const [path, call, reason, words] of ofTheSignedIn)
  test(`${call} refused with ${reason} says “${words}”`, async ({ page }) => {
    await signedInAs(page, 'Ann Archer')
    await refuseNext(page, call, reason)
    await page.goto(path)
    await fillAndSend(page)
    await expect(page.getByText(words)).toBeVisible()
  })

test('a verification mail that is not sent says why', async ({ page }) => {
  await page.request.post('/api/signUp', {
    data: { data: { fullName: 'Ann Archer', email: newAddress('ann'), password } },
  })
  await page.goto('/profile')
  const send = page.getByRole('button', { name: 'Send verification e-mail' })
  await refuseNext(page, 'sendVerificationEmail', 'internal')
  await send.click()
  await expect(page.getByText('Failed to send verification email')).toBeVisible()
  await refuseNext(page, 'sendVerificationEmail', 'auth/too-many-requests')
  await send.click()
  await expect(page.getByText(tooMany)).toBeVisible()
})

test('a verification that fails says so', async ({ page }) => {
  await page.goto('/auth/action?mode=verifyEmail&oobCode=made-up')
  await expect(page.getByText('Failed to verify your e-mail address')).toBeVisible()
})

test('a name that may not be is refused at its field, in words', async ({ page }) => {
  await signedInAs(page, 'Ann Archer')
  await page.goto('/edit-name')
  const name = page.getByLabel('Name', { exact: true })
  await name.fill('Verify at www.evil.example')
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect(name).toHaveAccessibleDescription(
    /^A name can't hold a web address or invisible characters\./,
  )
  await expect(name).toBeFocused()
  await name.fill('Ann the Second')
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect(page).toHaveURL('/profile')
})
