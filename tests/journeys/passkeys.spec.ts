import type { Page } from '@playwright/test'
import { aDevice } from './a-device.ts'
import { anApp } from './an-app.ts'
import { expectOpenToAll } from './check-screen.ts'
import { call, changePassword, confirm, fill, mailedLink, signedInAs, signIn } from './people.ts'
import { ask } from './projects.ts'
import {
  answered,
  aPhone,
  expect,
  expectPassing,
  hide,
  mayRefuse,
  nextFrames,
  refuseNext,
  shows,
  test,
} from './visitor.ts'

const ofSignIn = ['signIn', 'finishSignIn']
const button = 'Sign in with a passkey'

/** Signs a person in whose device has a passkey. */
async function withPasskey(page: Page, name = 'Ann Archer') {
  const device = await aDevice(page)
  const address = await signedInAs(page, name)
  await page.goto('/profile')
  await addPasskey(page)
  return { address, device }
}

async function addPasskey(page: Page) {
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await shows(page, /is added\.$/)
}

/** Leaves first: the screen that is still open would ask for what it may no longer see. */
async function signOut(page: Page) {
  await page.goto('about:blank')
  await ask(page, 'signOut', {})
}

async function expectIn(page: Page) {
  await expect(page.getByRole('heading', { name: 'Your projects' })).toBeVisible()
}

/** As in a browser that suggests no passkeys for an address. An empty page has no passkeys at all. */
async function withoutSuggestions(page: Page) {
  await page.addInitScript(() => {
    if ('PublicKeyCredential' in window)
      Object.assign(PublicKeyCredential, { isConditionalMediationAvailable: undefined })
  })
}

/** Opens the sign-in screen, where nobody answers the question for a passkey yet. */
async function withOpenQuestion(page: Page) {
  const { device } = await withPasskey(page)
  await signOut(page)
  await device.answers(false)
  await page.clock.install()
  await answered(page, '**/api/startPasskeySignIn', () => page.goto('/signin'))
  await shows(page, button)
  return device
}

test('a user adds a passkey, renames it, signs in with it, and removes it', async ({ page }) => {
  mayRefuse(page, 'finishSignIn')
  await withoutSuggestions(page)
  const { device } = await withPasskey(page)
  const list = page.getByRole('list', { name: 'Passkeys' })
  await shows(list, /^Chrome on /, 'Not used yet', 'On one device only')
  await list.getByRole('button', { name: /^Rename/ }).click()
  await fill(page, { 'Name of the passkey': 'My laptop' })
  await confirm(page, 'Rename the passkey', 'Rename')
  await shows(list, 'My laptop')

  await signOut(page)
  await page.goto('/signin')
  await page.getByRole('button', { name: button }).click()
  await expectIn(page)
  await page.goto('/profile')
  await shows(list, /^Last used/)
  await list.getByRole('button', { name: 'Remove My laptop' }).click()
  await confirm(page, 'Remove passkey: My laptop', 'Remove')
  await shows(page, 'My laptop is removed.')

  await signOut(page)
  await page.goto('/signin')
  await page.getByRole('button', { name: button }).click()
  await shows(page, /No account here has this passkey any more/)
  await expect.poll(device.keys).toBe(0)
})

test('the browser suggests a passkey where the address is typed', async ({ page }) => {
  await withPasskey(page)
  await signOut(page)
  await page.goto('/signin')
  await expectIn(page)
})

test('the browser goes on to suggest passkeys after minutes', async ({ page }) => {
  const device = await withOpenQuestion(page)
  await device.answers(true)
  await page.clock.fastForward('04:00')
  await expectIn(page)
})

test('suggestions wait behind other tabs, and go on when theirs comes back', async ({ page }) => {
  const device = await withOpenQuestion(page)
  let questions = 0
  page.on('request', (request) => {
    if (request.url().endsWith('startPasskeySignIn')) questions++
  })
  await hide(page, true)
  await page.clock.runFor('10:00')
  await nextFrames(page)
  expect(questions).toBe(0)
  await device.answers(true)
  await hide(page, false)
  await expectIn(page)
})

test('a suggested passkey that was removed is refused in words', async ({ page }) => {
  mayRefuse(page, 'finishSignIn')
  await withPasskey(page)
  const { factors } = await ask(page, 'listFactors', {})
  await ask(page, 'removeFactor', { factorId: factors[0]!.id })
  await signOut(page)
  await page.goto('/signin')
  await shows(page, /No account here has this passkey any more/)
})

test('what the browser refuses is said in words', async ({ page }) => {
  await withoutSuggestions(page)
  const { device } = await withPasskey(page)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await shows(page, 'This device already has a passkey for an account here.')
  await device.loseKeys()
  await signOut(page)
  await page.goto('/signin')
  await page.getByRole('button', { name: button }).click()
  await shows(page, 'You canceled, or it took too long. Try again.')
})

test('a passkey is the second step after a password', async ({ page }) => {
  mayRefuse(page, ...ofSignIn)
  await withoutSuggestions(page)
  const { address } = await withPasskey(page)
  await anApp(page)
  await signOut(page)
  await signIn(page, address)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expectIn(page)
})

test('a passkey passes the second step of a password reset', async ({ page }) => {
  mayRefuse(page, 'confirmPasswordReset')
  const { address } = await withPasskey(page)
  await anApp(page)
  await signOut(page)
  await call(page.request, 'sendPasswordResetEmail', { email: address })
  await page.goto(await mailedLink(page, address))
  await changePassword(page)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await shows(page, 'Your password has been changed and every device signed out.')
})

test('what needs a recent sign-in asks for a passkey first', async ({ page }) => {
  mayRefuse(page, 'updatePassword')
  await withPasskey(page)
  await anApp(page)
  await refuseNext(page, 'updatePassword', 'auth/requires-recent-login')
  await page.goto('/change-password')
  await changePassword(page)
  const dialog = page.getByRole('dialog', { name: "Confirm it's you" })
  await expect(dialog.getByLabel('Password', { exact: true })).toBeVisible()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await expectOpenToAll(page)
  await expectPassing(page, 'Your password is changed', 'Use a passkey')
})

test.describe('on a phone', () => {
  test.use({ ...aPhone, reducedMotion: 'reduce' })

  test('everyone can add a passkey and sign in with it', async ({ page }) => {
    await withoutSuggestions(page)
    await withPasskey(page, 'Kim')
    await expectOpenToAll(page)
    await signOut(page)
    await page.goto('/signin')
    await expectOpenToAll(page)
    await page.getByRole('button', { name: button }).click()
    await expectIn(page)
  })
})
