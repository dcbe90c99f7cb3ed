import type { Page } from '@playwright/test'
import { newAddress, password, signedInAs, signedUpAs } from './people.ts'
import { refuseNext, shows, test } from './visitor.ts'

const tooMany = 'Too many verification email requests. Please wait a while before trying again.'
const again = 'Please sign in again before retry.'
const notSent = 'Failed to send reset email. Please try again.'
const early = 'Verify your current e-mail address first.'

/** A path, the call of its form, the reason of a refusal, and the words on the screen. */
const ofVisitors = [
  ['/signin', 'signIn', 'internal', 'Failed to sign in'],
  ['/signup', 'signUp', 'internal', 'Failed to create an account'],
  ['/reset-password', 'sendPasswordResetEmail', 'internal', notSent],
] as const
const ofTheSignedIn = [
  ['/edit-name', 'updateProfile', 'internal', 'Failed to update your name'],
  ['/edit-email', 'updateEmail', 'internal', 'Failed to update your email'],
  ['/edit-email', 'updateEmail', 'auth/operation-not-allowed', early],
  ['/edit-email', 'updateEmail', 'auth/too-many-requests', tooMany],
  ['/edit-email', 'updateEmail', 'auth/requires-recent-login', again],
  ['/change-password', 'updatePassword', 'internal', 'Failed to update your password'],
  ['/change-password', 'updatePassword', 'auth/requires-recent-login', again],
  ['/delete-account', 'deleteAccount', 'internal', 'Failed to delete your account'],
  ['/delete-account', 'deleteAccount', 'auth/requires-recent-login', again],
] as const

for (const row of [...ofVisitors, ...ofTheSignedIn]) {
  const [path, call, reason, words] = row
  test(`when ${call} is refused with ${reason}, the screen says “${words}”`, async ({ page }) => {
    if (ofTheSignedIn.some((each) => each === row)) await signedInAs(page, 'Ann Archer')
    await refuseNext(page, call, reason)
    await page.goto(path)
    await fillAndSend(page)
    await shows(page, words)
  })
}

test('the app says why it did not send a verification mail', async ({ page }) => {
  await signedUpAs(page, 'Ann Archer')
  await page.goto('/profile')
  for (const [reason, words] of [
    ['internal', 'Failed to send verification email'],
    ['auth/too-many-requests', tooMany],
  ] as const) {
    await refuseNext(page, 'sendVerificationEmail', reason)
    await page.getByRole('button', { name: 'Send verification e-mail' }).click()
    await shows(page, words)
  }
})

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
