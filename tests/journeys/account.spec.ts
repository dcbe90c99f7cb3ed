import type { Page } from '@playwright/test'
import { readFile } from 'node:fs/promises'
import { press } from './keys.ts'
import {
  call,
  changePassword,
  confirmOwnId,
  fill,
  mailedLink,
  newAddress,
  otherPassword,
  password,
  signedInAs,
  signedUpAs,
  signIn,
  signInHere,
  userId,
  verify,
} from './people.ts'
import { addressOf, aProject } from './projects.ts'
import { expect, expectPassing, hold, test } from './visitor.ts'

test('a name is changed, and stands on the profile', async ({ page }) => {
  await signedInAs(page, 'Ann Archer')
  await page.goto('/profile')
  await page.getByRole('link', { name: 'Edit name' }).click()
  await page.getByLabel('Name').fill('Ann Baker')
  await expectPassing(page, 'Your name is saved', () =>
    page.getByRole('button', { name: 'Save name' }).click(),
  )
  await expect(page).toHaveURL(/\/profile$/)
  await expect(page.getByText('Ann Baker').first()).toBeVisible()
})

test.describe('an e-mail address', () => {
  test.use({ expectedRefusals: ['refreshSession', 'checkActionCode'] })

  test('is changed by a link to the new one, and taken back by a link to the old one', async ({
    page,
  }) => {
    const before = await signedInAs(page, 'Ann Archer')
    const after = newAddress('ann-new')
    await page.goto('/profile')
    await page.getByRole('link', { name: 'Edit e-mail' }).click()
    await page.getByLabel('New e-mail').fill(after)
    await expectPassing(page, 'The link is on its way', () =>
      page.getByRole('button', { name: 'Send link' }).click(),
    )
    await expect(page).toHaveURL(/\/profile$/)
    await expect(page.getByText(before)).toBeVisible()

    const change = await mailedLink(page, after)
    await page.goto(change)
    await expect(page.getByText(`For ${after}`)).toBeVisible()
    await page.getByRole('button', { name: 'Use this address' }).click()
    await expect(page.getByText(`Your e-mail address is now ${after}.`)).toBeVisible()
    await page.getByRole('link', { name: 'Go to your profile' }).click()
    await expect(page.getByText(after)).toBeVisible()

    await page.goto(await mailedLink(page, before))
    await expect(page.getByText(`For ${before}`)).toBeVisible()
    await page.getByRole('button', { name: 'Restore this address' }).click()
    await expect(page.getByText(`${before} is the address of your account again`)).toBeVisible()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await expect(page.getByLabel('E-mail', { exact: true })).toHaveValue(before)

    await page.goto(await mailedLink(page, before))
    await changePassword(page)
    await expect(page.getByText('Your password is changed')).toBeVisible()
    await signIn(page, before, otherPassword)
    await expect(page.getByRole('heading', { name: 'Your projects' })).toBeVisible()

    await page.goto(change)
    await expect(page.getByText('Failed to update your email')).toBeVisible()
    await expect(page.getByText('This link was used before')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Go to your profile' })).toBeVisible()
  })
})

test.describe('an e-mail address that is taken', () => {
  test.use({ expectedRefusals: ['updateEmail'] })

  test('is refused in words', async ({ page, another }) => {
    const taken = await addressOf(await another('Bob Baker'))
    await signedInAs(page, 'Ann Archer')
    await page.goto('/edit-email')
    await page.getByLabel('New e-mail').fill(taken)
    await page.getByRole('button', { name: 'Send link' }).click()
    await expect(
      page.getByText('There is an account with this e-mail address already'),
    ).toBeVisible()
  })
})

test.describe('a password that is easy to guess', () => {
  test.use({ expectedRefusals: ['signUp', 'updatePassword'] })

  test('is refused at its field, with what is wrong with it', async ({ page }) => {
    const address = newAddress('ann')
    await page.goto('/signup')
    await fill(page, { 'Full name': 'Ann Archer', 'E-mail': address })
    const field = page.getByLabel('Password', { exact: true })
    for (const [secret, words] of [
      ['sunshine', 'Many people use this password'],
      [address, 'This password is your e-mail address or a part of it'],
      ['atrium2026', 'This password is little more than the name Atrium'],
    ] as const) {
      await field.fill(secret)
      await page.getByRole('button', { name: 'Create account' }).click()
      await expect(field).toHaveAccessibleDescription(new RegExp(words))
    }
    await field.fill(password)
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page.getByRole('heading', { name: 'Your projects' })).toBeVisible()

    await page.goto('/change-password')
    await changePassword(page, 'sunshine')
    await expect(page.getByLabel('New password', { exact: true })).toHaveAccessibleDescription(
      /Many people use this password/,
    )
  })
})

test('an address that is not verified is verified before it is changed', async ({ page }) => {
  const address = await signedUpAs(page, 'Ann Archer')
  await page.goto('/edit-email')
  await expect(page.getByText('Verify your current e-mail address first')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send link' })).toBeDisabled()
  await page.getByRole('button', { name: 'Send verification e-mail' }).click()
  await expect(page.getByText(`We sent a link to ${address}`)).toBeVisible()

  const tab = await page.context().newPage()
  await tab.goto(await mailedLink(page, address))
  await expect(tab.getByText('Your e-mail address is verified')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send link' })).toBeEnabled()
})

test.describe('a verification link in a browser that isn’t signed in to the account', () => {
  test.use({ expectedRefusals: ['applyActionCode', 'rejectVerification'] })

  async function linkOfAnn(page: Page) {
    const ann = await signedUpAs(page, 'Ann Archer')
    const { token } = (await call(page.request, 'refreshSession', {})) as { token: string }
    await page.context().clearCookies()
    return { ann, token, link: await mailedLink(page, ann) }
  }

  test('says which account it verified, also the second time, and leads to signing in', async ({
    page,
  }) => {
    const { ann, link } = await linkOfAnn(page)
    for (let time = 0; time < 2; time++) {
      await page.goto(link)
      await expect(page.getByText(`${ann} is verified`)).toBeVisible()
      await expect(
        page.getByText(/The account was made on \w+ \d+, \d+ under the name Ann Archer\./),
      ).toBeVisible()
    }
    await page.getByRole('link', { name: 'Sign in' }).click()
    await expect(page.getByLabel('E-mail', { exact: true })).toHaveValue(ann)
  })

  test('deletes an account that another person made, by keyboard, on a phone and while another user is signed in', async ({
    page,
  }) => {
    const { ann, link } = await linkOfAnn(page)
    await signedInAs(page, 'Bob Baker')
    await page.setViewportSize({ width: 390, height: 800 })
    await page.goto(link)
    await press(page, 'button', "I didn't make this account")
    await expect(page.getByRole('dialog', { name: 'Delete this account?' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: "I didn't make this account" })).toBeFocused()

    // The focus is back a frame before the page removes the dialog.
    await expect(page.locator('dialog')).toHaveCount(0)
    await page.keyboard.press('Enter')
    const letGo = await hold(page, '**/api/rejectVerification')
    await press(page, 'button', 'Delete account')
    await expect(page.getByRole('button', { name: 'Delete account' })).toHaveAttribute(
      'aria-busy',
      'true',
    )
    letGo()
    await expect(
      page.getByText('The account is deleted. Nobody can sign in to it any more.'),
    ).toBeVisible()
    await expect(page.getByText(`${ann} is verified`)).toHaveCount(0)
    await press(page, 'link', 'Go to your projects')
    await expect(page.getByRole('heading', { name: 'Your projects' })).toBeVisible()
    await expect(call(page.request, 'signIn', { email: ann, password })).rejects.toThrow(
      'auth/invalid-credential',
    )
  })

  test('doesn’t delete an account with projects, and leads to a new password', async ({ page }) => {
    const { ann, token, link } = await linkOfAnn(page)
    await call(page.request, 'createSubscription', { planId: 'free' }, token)
    await page.goto(link)
    await page.getByRole('button', { name: "I didn't make this account" }).click()
    await page.getByRole('button', { name: 'Delete account' }).click()
    await expect(page.getByText('Failed to delete the account')).toBeVisible()
    await expect(page.getByText('The account owns projects that are still active.')).toBeVisible()
    await page.getByRole('link', { name: 'Reset your password' }).click()
    await expect(page.getByLabel('E-mail', { exact: true })).toHaveValue(ann)
  })
})

test('an address that is verified on another device is so on the profile that is open here', async ({
  page,
  another,
}) => {
  const address = await signedUpAs(page, 'Ann Archer')
  await page.goto('/profile')
  const verified = page.getByRole('definition').nth(2)
  await expect(verified).toContainText('No')

  await verify(await another(), address)
  await page.evaluate(() =>
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
  )
  await expect(verified).toContainText('Yes')
})

test('a password is changed, and signs in from then on', async ({ page }) => {
  const ann = await signedInAs(page, 'Ann Archer')
  await page.goto('/profile')
  await page.getByRole('link', { name: 'Change password' }).click()
  await fill(page, { 'New password': otherPassword, 'Confirm new password': 'something else' })
  await page.getByRole('button', { name: 'Save password' }).click()
  await expect(page.getByText('Passwords do not match')).toBeVisible()
  await page.getByLabel('New password', { exact: true }).fill('short')
  await page.getByRole('button', { name: 'Save password' }).click()
  await expect(page.getByText('The password needs at least 6 characters.')).toBeVisible()
  await expectPassing(page, 'Your password is changed', () => changePassword(page))
  await expect(page).toHaveURL(/\/profile$/)
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL(/\/signin/)
  await signInHere(page, ann, otherPassword)
  await expect(page.getByRole('heading', { name: 'Your projects' })).toBeVisible()
})

test.describe('an account', () => {
  test.use({ expectedRefusals: ['deleteAccount', 'signIn'] })

  test('whose owner gets a project meanwhile is not deleted, and the project is named', async ({
    page,
  }) => {
    await signedInAs(page, 'Ann Archer')
    await page.goto('/delete-account')
    await confirmOwnId(page)
    await aProject(page, { plan: 'free' })
    await expect(page.getByText('1 project is yours')).toBeVisible()
    await page.getByRole('link', { name: 'Cancel project Bridge renewal' }).click()
    await expect(page.getByRole('heading', { name: 'Cancel subscription' })).toBeVisible()
  })

  test('is deleted by its own id, and nobody signs in to it again', async ({ page }) => {
    const ann = await signedInAs(page, 'Ann Archer')
    await page.goto('/profile')
    await page.getByRole('link', { name: 'Delete account' }).click()
    const field = page.getByLabel('Type your user ID to confirm')
    await field.fill('somebody else')
    await page.getByRole('button', { name: 'Delete account' }).click()
    await expect(page.getByText('User ID does not match. Please try again.')).toBeVisible()
    await expect(field).toBeFocused()

    await field.fill(` ${await userId(page)} `)
    await expectPassing(page, 'Your account is deleted', () =>
      page.getByRole('button', { name: 'Delete account' }).click(),
    )
    await expect(page).toHaveURL(/\/signin$/)
    await signIn(page, ann)
    await expect(page.getByText('Failed to sign in')).toBeVisible()
  })

  test('is deleted while something is still being read', async ({ page }) => {
    await signedInAs(page, 'Ann Archer')
    const goOn = await hold(page, '**/api/getUser')
    const reading = page.waitForRequest('**/api/getUser')
    await page.goto('/delete-account')
    await reading
    await confirmOwnId(page)
    await expectPassing(page, 'Your account is deleted', () =>
      page.getByRole('button', { name: 'Delete account' }).click(),
    )
    goOn()
    await expect(page).toHaveURL(/\/signin$/)
    await expect(page.getByText('session')).toHaveCount(0)
  })
})

test('a user downloads the data that is kept about them', async ({ page }) => {
  const ann = await signedInAs(page, 'Ann Archer')
  await page.goto('/profile')
  const uid = await userId(page)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download my data' }).click(),
  ])
  expect(download.suggestedFilename()).toBe(`atrium-${uid}.json`)
  const data = JSON.parse(await readFile(await download.path(), 'utf8')) as {
    user: { email: string }
  }
  expect(data.user.email).toBe(ann)
})

test.describe('the link in a security mail', () => {
  test.use({ expectedRefusals: ['refreshSession', 'signIn'] })

  test('locks the account: every device is out, and only a new password lets in', async ({
    page,
    another,
  }) => {
    const ann = await signedInAs(page, 'Ann Archer')
    await page.goto('/change-password')
    await changePassword(page)
    await expect(page).toHaveURL(/\/profile$/)

    const owner = await another()
    await owner.goto(await mailedLink(page, ann))
    await expect(owner.getByText(`For ${ann}`)).toBeVisible()
    await owner.getByRole('button', { name: 'Lock this account' }).click()
    await expect(owner.getByText('Your account is locked')).toBeVisible()

    await page.reload()
    await expect(page).toHaveURL(/\/signin/)
    await signIn(page, ann, otherPassword)
    await expect(page.getByText('Failed to sign in')).toBeVisible()

    await owner.goto(await mailedLink(owner, ann))
    await changePassword(owner, 'a third good secret')
    await expect(owner.getByText('Your password is changed')).toBeVisible()
    await signIn(owner, ann, 'a third good secret')
    await expect(owner.getByRole('heading', { name: 'Your projects' })).toBeVisible()
  })
})

test.describe('links that are no use', () => {
  test.use({ expectedRefusals: ['checkActionCode'] })

  test('say why, and offer the way on', async ({ page }) => {
    await page.goto('/auth/action?mode=recoverEmail')
    await expect(page.getByText('Invalid or missing parameters')).toBeVisible()
    await page.goto('/auth/action?mode=signIn&oobCode=x')
    await expect(page.getByText('The requested operation is not supported')).toBeVisible()
    const modes = [
      ['verifyAndChangeEmail', 'Failed to update your email'],
      ['recoverEmail', 'Failed to recover your email'],
      ['secureAccount', 'Failed to lock your account'],
    ]
    for (const [mode, words] of modes) {
      await page.goto(`/auth/action?mode=${mode}&oobCode=made-up`)
      await expect(page.getByText(words!)).toBeVisible()
      await expect(page.getByText('This link was used before')).toBeVisible()
      await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible()
    }
  })
})
