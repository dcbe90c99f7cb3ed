import type { Page } from '@playwright/test'
import { anApp, codesOf } from './an-app.ts'
import { expectOpenToAll } from './check-screen.ts'
import { press, type } from './keys.ts'
import {
  call,
  changePassword,
  confirm,
  confirmOwnId,
  fill,
  mailedLink,
  newAddress,
  otherPassword,
  password,
  signedInAs,
  signIn,
  signInHere,
  submit,
} from './people.ts'
import { annsProject, ask, invites } from './projects.ts'
import { aPhone, expect, expectPassing, mayRefuse, refuseNext, shows, test } from './visitor.ts'

const ofSignIn = ['signIn', 'finishSignIn']
const code = 'Code from your app'

/** Signs a person in whose second step is on. */
async function withSecondStep(page: Page, name = 'Ann Archer') {
  const address = await signedInAs(page, name)
  return { address, ...(await anApp(page)) }
}

async function expectIn(page: Page) {
  await expect(page.getByRole('heading', { name: 'Your projects' })).toBeVisible()
}

/** The key that the dialog shows beside its QR code. */
async function keyOn(page: Page) {
  return (await page.getByRole('dialog').locator('.id-text').innerText()).replaceAll(' ', '')
}

const secondStep = (page: Page) => page.getByRole('heading', { name: 'Enter your code' })

test('a user adds an app, keeps the recovery codes, and removes the app', async ({ page }) => {
  mayRefuse(page, 'finishFactorEnrollment')
  await signedInAs(page, 'Ann Archer')
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Add an app' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add an app for codes' })
  await dialog.getByLabel('Name of the app').fill('My phone')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByRole('img', { name: 'QR code with the key' })).toBeVisible()
  const field = dialog.getByLabel(code)
  await expect(field).toBeFocused()
  await field.fill('000 000')
  await page.keyboard.press('Enter')
  await shows(dialog, 'This code is wrong, has expired, or was used already. Try another one.')
  await expect(field).toBeFocused()
  await field.fill(codesOf(await keyOn(page))().replace(/(?<=^...)/, ' '))
  await dialog.getByRole('button', { name: 'Add app' }).click()

  const codes = page.getByRole('region', { name: 'Recovery codes' })
  await expect(codes).toBeFocused()
  await expect(codes.getByRole('listitem')).toHaveCount(10)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    codes.getByRole('button', { name: 'Download' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('pergola-recovery-codes.txt')
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('heading', { name: /My Profile|Two-step/ })).toHaveCount(0)
  await expect(codes.getByRole('listitem').first()).toBeVisible()
  await page.emulateMedia({ media: 'screen' })
  await codes.getByRole('button', { name: "I've kept them" }).click()
  await expect(codes).toHaveCount(0)
  await shows(page, 'Recovery codes left: 10')

  await page.getByRole('button', { name: 'Rename My phone' }).click()
  await fill(page, { 'Name of the app': 'Old phone' })
  await confirm(page, 'Rename the app', 'Rename')
  await page.getByRole('button', { name: 'Make new codes' }).click()
  await confirm(page, 'Make new recovery codes?', 'Make new codes')
  await expect(codes.getByRole('listitem')).toHaveCount(10)
  await page.getByRole('button', { name: 'Remove Old phone' }).click()
  await shows(page, 'This is your last app, so removing it turns off two-step sign-in.')
  await confirm(page, 'Remove app: Old phone', 'Remove')
  await shows(page, 'Old phone is removed.')
  await expect(page.getByRole('button', { name: 'Make new codes' })).toHaveCount(0)
})

test('a user signs in with a code, and this browser is not asked again', async ({ page }) => {
  mayRefuse(page, ...ofSignIn)
  const { address, next } = await withSecondStep(page)
  // An answer to the profile that is still open could change the cookies of the sign-in.
  await page.goto('about:blank')
  await ask(page, 'signOut', {})
  await signIn(page, address)
  await expect(secondStep(page)).toBeVisible()
  await expect(page.getByLabel(code)).toBeFocused()
  await page.getByLabel(code).fill('000000')
  await page.keyboard.press('Enter')
  await shows(page, 'This code is wrong, has expired, or was used already. Try another one.')
  await page.getByLabel(code).fill(next())
  await page.getByRole('checkbox', { name: 'Remember this browser for 30 days' }).check()
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expectIn(page)

  // The dashboard that is still open would ask for what it may no longer see.
  await page.goto('about:blank')
  await ask(page, 'signOut', {})
  await signIn(page, address)
  await expectIn(page)
})

test('an invitation is joined with password and second step', async ({ page, another }) => {
  mayRefuse(page, ...ofSignIn)
  const host = await another()
  const { address, next } = await withSecondStep(page)
  await invites(host, await annsProject(host), address, ['editor'])
  await page.goto('about:blank')
  await page.context().clearCookies()
  await page.goto(await mailedLink(host, address))
  await submit(page, 'Sign in and join', { Password: password })
  await expect(secondStep(page)).toBeVisible()
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await submit(page, 'Sign in and join', { Password: password })
  await page.getByLabel(code).fill(next())
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await shows(page, 'Welcome to Bridge renewal.')
})

test('a user without their phone signs in with a recovery code, once', async ({ page }) => {
  mayRefuse(page, ...ofSignIn)
  const { address, recoveryCodes } = await withSecondStep(page)
  for (const [recoveryCode, works] of [
    [recoveryCodes[0]!, true],
    [recoveryCodes[0]!.toUpperCase(), false],
  ] as const) {
    await page.context().clearCookies()
    await signIn(page, address)
    await page.getByRole('button', { name: 'Recovery code' }).click()
    await expect(page.getByLabel('Recovery code')).toBeFocused()
    await submit(page, 'Sign in', { 'Recovery code': recoveryCode })
    if (works) await expectIn(page)
    else await shows(page, 'This code is wrong, has expired, or was used already.')
  }
})

test('the way back leads to the first step, where what was typed stays', async ({ page }) => {
  mayRefuse(page, ...ofSignIn)
  const { address } = await withSecondStep(page)
  await page.context().clearCookies()
  const leave = {
    button: () => page.getByRole('button', { name: 'Back', exact: true }).click(),
    history: () => page.goBack(),
  }
  await page.goto('/signup')
  await page.goto('/signin')
  for (const back of Object.values(leave)) {
    await signInHere(page, address)
    await expect(secondStep(page)).toBeVisible()
    await back()
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeFocused()
    await expect(page.getByLabel('Email')).toHaveValue(address)
    await expect(page.getByText('Failed to sign in')).toHaveCount(0)
  }
  await signInHere(page, address)
  await expect(secondStep(page)).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
})

test('too many wrong codes lead back to the first step, which says why', async ({ page }) => {
  mayRefuse(page, ...ofSignIn)
  const { address, next } = await withSecondStep(page)
  await page.context().clearCookies()
  await signIn(page, address)
  for (let tries = 0; tries < 6; tries++) {
    const answer = page.waitForResponse('**/api/finishSignIn')
    await submit(page, 'Sign in', { [code]: '000000' })
    await answer
  }
  await shows(page, 'This sign-in took too long, or had too many wrong codes. Sign in again.')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await submit(page, 'Sign in', { [code]: next() })
  await expectIn(page)
})

test('a password reset asks for a code, and keeps what was typed', async ({ page }) => {
  mayRefuse(page, 'confirmPasswordReset', ...ofSignIn)
  const { address, next, recoveryCodes } = await withSecondStep(page)
  await page.context().clearCookies()
  await call(page.request, 'sendPasswordResetEmail', { email: address })
  await page.goto(await mailedLink(page, address))
  await changePassword(page)
  await shows(page, 'Your account also asks for a second step.')
  await expect(page.getByLabel(code)).toBeFocused()
  await page.getByRole('button', { name: 'Recovery code' }).click()
  await submit(page, 'Save new password', { 'Recovery code': recoveryCodes[0]! })
  await shows(page, 'Your password has been changed and every device signed out.')

  await signIn(page, address, otherPassword)
  await submit(page, 'Sign in', { [code]: next() })
  await expectIn(page)
})

test('a claim by the password asks for a code, and the way back leads to it', async ({
  page,
  another,
}) => {
  const { next } = await withSecondStep(page)
  const newEmail = newAddress('ann')
  await ask(page, 'updateEmail', { newEmail })
  const other = await another()
  mayRefuse(other, 'claimAccount', 'applyActionCode')
  await other.goto(await mailedLink(page, newEmail))
  await other.getByRole('button', { name: 'Use this address' }).click()
  await shows(other, `Your email address is now ${newEmail}.`)

  await ask(page, 'sendVerificationEmail', {})
  await other.goto(await mailedLink(page, newEmail))
  const claim = () => submit(other, "Confirm that it's me", { Password: password })
  await claim()
  await expect(secondStep(other)).toBeVisible()
  await expect(other.getByLabel(code)).toBeFocused()
  await other.goBack()
  await shows(other, 'Is this account yours?')
  await claim()
  await submit(other, 'Sign in', { [code]: next() })
  await shows(other, 'Your email address is verified.')
  expect((await ask(other, 'refreshSession', {})).user).toMatchObject({ claimed: true })
})

test('what needs a recent sign-in asks for the password and a code', async ({ page }) => {
  mayRefuse(page, 'updatePassword', 'reauthenticate', 'deleteAccount')
  const { next, recoveryCodes } = await withSecondStep(page)
  await refuseNext(page, 'updatePassword', 'auth/requires-recent-login')
  await page.goto('/change-password')
  await changePassword(page)
  const dialog = page.getByRole('dialog', { name: "Confirm it's you" })
  await expect(dialog.getByLabel('Password', { exact: true })).toBeFocused()
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByLabel(code).fill(next())
  await expectPassing(page, 'Your password is changed', () => page.keyboard.press('Enter'))

  await page.goto('/delete-account')
  await confirmOwnId(page, otherPassword)
  await page.getByRole('button', { name: 'Recovery code' }).click()
  await fill(page, { 'Recovery code': recoveryCodes[0]! })
  await expectPassing(page, 'Your account is deleted', 'Delete account')
})

test.describe('on a phone', () => {
  test.use({ ...aPhone, reducedMotion: 'reduce' })

  test('everyone can add an app and pass the second step', async ({ page }) => {
    mayRefuse(page, ...ofSignIn)
    const address = await signedInAs(page, 'Kim')
    await page.goto('/profile')
    await page.getByRole('button', { name: 'Add an app' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByRole('link', { name: 'Open in an app on this device' })).toBeVisible()
    await expectOpenToAll(page)
    const next = codesOf(await keyOn(page))
    await submit(page, 'Add app', { [code]: next() })
    await shows(page, 'Each works once.')
    await expectOpenToAll(page)

    await page.context().clearCookies()
    await signIn(page, address)
    await expect(secondStep(page)).toBeVisible()
    await expectOpenToAll(page)
    await submit(page, 'Sign in', { [code]: next() })
    await expectIn(page)
  })
})

test('by keyboard a user adds an app and signs in with it', async ({ page }) => {
  mayRefuse(page, ...ofSignIn)
  const address = await signedInAs(page, 'Kay')
  await page.goto('/profile')
  await press(page, 'button', 'Add an app')
  await type(page, 'Name of the app', 'My phone')
  await page.keyboard.press('Enter')
  const secret = (await page.getByRole('dialog').locator('.id-text').innerText()).replaceAll(
    ' ',
    '',
  )
  const next = codesOf(secret)
  await page.keyboard.type(next())
  await page.keyboard.press('Enter')
  await press(page, 'button', "I've kept them")
  await shows(page, 'Recovery codes left: 10')

  // An answer to the profile that is still open could bring the cookies back.
  await page.goto('about:blank')
  await page.context().clearCookies()
  await page.goto('/signin')
  await type(page, 'Email', address)
  await type(page, 'Password', password)
  await page.keyboard.press('Enter')
  await expect(page.getByLabel(code)).toBeFocused()
  await page.keyboard.type(next())
  await page.keyboard.press('Enter')
  await expectIn(page)
})
