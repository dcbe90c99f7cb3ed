import { projectPath } from '#contract/paths.ts'
import type { Page } from '@playwright/test'
import { expectNoViolations } from './check-screen.ts'
import { press } from './keys.ts'
import {
  call,
  changePassword,
  download,
  fill,
  mailedLink,
  newAddress,
  newestMail,
  otherPassword,
  password,
  signedInAs,
  signedUpAs,
  signIn,
  signInHere,
  signOut,
  submit,
  userId,
  verify,
} from './people.ts'
import { addressOf, aProject, invites } from './projects.ts'
import {
  changeAnswers,
  expect,
  expectPassing,
  hold,
  mayRefuse,
  refuseNext,
  shows,
  test,
} from './visitor.ts'

test('a user changes their name, and the form refuses a forbidden name', async ({ page }) => {
  mayRefuse(page, 'updateProfile')
  await signedInAs(page, 'Ann Archer')
  await page.goto('/profile')
  await page.getByRole('link', { name: 'Edit name' }).click()
  const name = page.getByLabel('Name', { exact: true })
  await submit(page, 'Save name', { Name: 'Verify at www.evil.example' })
  await expect(name).toHaveAccessibleDescription(
    /^A name can't contain a web address or invisible characters\./,
  )
  await expect(name).toBeFocused()
  await name.fill('Ann Baker')
  await expectPassing(page, 'Your name is saved', 'Save name')
  await expect(page).toHaveURL(/\/profile$/)
  await expect(page.getByText('Ann Baker').first()).toBeVisible()
})

test('a mailed link changes the email address, another undoes the change', async ({ page }) => {
  mayRefuse(page, 'refreshSession', 'checkActionCode')
  const before = await signedInAs(page, 'Ann Archer')
  const after = newAddress('ann-new')
  await page.goto('/profile')
  await page.getByRole('link', { name: 'Edit email' }).click()
  await shows(page, `Your address now: ${before}`)
  await page.getByLabel('New email').fill(after)
  await expectPassing(page, 'We sent a link to the new address', 'Send link')
  await expect(page).toHaveURL(/\/profile$/)
  await shows(page, before)

  const change = await mailedLink(page, after)
  await page.goto(change)
  await shows(page, `For ${after}`)
  await page.getByRole('button', { name: 'Use this address' }).click()
  await shows(page, `Your email address is now ${after}.`)
  await page.getByRole('link', { name: 'Go to your profile' }).click()
  await shows(page, after)

  await page.goto(await mailedLink(page, before))
  await shows(page, `For ${before}`)
  await page.getByRole('button', { name: 'Restore this address' }).click()
  await shows(page, `${before} is your account's address again`)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue(before)

  await page.goto(await mailedLink(page, before))
  await changePassword(page)
  await shows(page, 'Your password has been changed')
  await signIn(page, before, otherPassword)
  await expect(page.getByRole('heading', { name: 'Your projects' })).toBeVisible()

  await page.goto(change)
  await shows(page, 'Failed to update your email', 'This link has been used, no longer applies')
  await expect(page.getByRole('link', { name: 'Go to your profile' })).toBeVisible()
})

test('a password that is easy to guess is refused, and the screen says why', async ({ page }) => {
  mayRefuse(page, 'signUp', 'updatePassword')
  const address = newAddress('ann')
  await page.goto('/signup')
  await fill(page, { 'Full name': 'Ann Archer', Email: address })
  for (const [secret, words] of [
    ['sunshine', 'This password is too easy to guess'],
    [address, 'This password is too close to your email address'],
    ['pergola2026', 'This password is too close to the name Pergola'],
  ] as const) {
    await submit(page, 'Create account', { Password: secret })
    const field = page.getByLabel('Password', { exact: true })
    await expect(field).toHaveAccessibleDescription(new RegExp(words))
  }
  await submit(page, 'Create account', { Password: password })
  await expect(page.getByRole('heading', { name: 'Your projects' })).toBeVisible()

  await page.goto('/change-password')
  await changePassword(page, 'sunshine')
  await expect(page.getByLabel('New password', { exact: true })).toHaveAccessibleDescription(
    /This password is too easy to guess/,
  )
})

test('a user verifies their address before they change it', async ({ page, another }) => {
  mayRefuse(page, 'updateEmail')
  const address = await signedUpAs(page, 'Ann Archer')
  await page.goto('/edit-email')
  await shows(page, 'Verify your current email address first')
  await expect(page.getByRole('button', { name: 'Send link' })).toBeDisabled()
  await shows(page, `We sent a link to ${address}`)
  await page.getByRole('button', { name: 'Send again' }).click()
  await shows(page, 'The links in earlier emails still work.')

  const tab = await page.context().newPage()
  await tab.goto(await mailedLink(page, address))
  await shows(tab, 'Your email address is verified')
  await expect(page.getByRole('button', { name: 'Send link' })).toBeEnabled()
  await submit(page, 'Send link', { 'New email': await addressOf(await another('Bob Baker')) })
  await shows(page, "There's already an account with this email address")
})

test('a user who signed up with a wrong address corrects it, and keeps their project', async ({
  page,
}) => {
  const wrong = newAddress('anm')
  await page.goto('/signup')
  const fields = { 'Full name': 'Ann Archer', Email: wrong, Password: password }
  await submit(page, 'Create account', fields)
  await shows(page, `We sent a link to ${wrong}. Open it to verify your address.`, /^Sent today at/)
  await page.getByRole('button', { name: 'Send again' }).click()
  await shows(page, /^Sent again at \d+:\d+ [AP]M\. The links in earlier emails still work\.$/)

  await aProject(page)
  await page.goto('/edit-email')
  await page.getByRole('button', { name: 'Wrong address?' }).click()
  const dialog = page.getByRole('dialog')
  await shows(dialog, `Links sent to ${wrong} stop working.`)
  mayRefuse(page, 'correctEmail')
  await dialog.getByLabel('New email').fill(wrong)
  await dialog.getByRole('button', { name: 'Send link' }).click()
  await shows(dialog, 'This is your email address already.')
  await dialog.getByLabel('New email').fill('ann@gmial.com')
  await dialog.getByRole('button', { name: 'Did you mean ann@gmail.com?' }).click()
  await expect(dialog.getByLabel('New email')).toHaveValue('ann@gmail.com')
  const ann = newAddress('ann')
  await dialog.getByLabel('New email').fill(ann)
  await dialog.getByRole('button', { name: 'Send link' }).click()
  await expect(dialog).toBeHidden()
  await shows(page, `We sent a link to ${ann}. Open it to verify your address.`)
  await page.goto('/create-plan?plan=pro')
  await shows(page, `The receipt goes to ${ann}.`)
  await page.goto('/dashboard')
  await shows(page, 'Bridge renewal')
})

test('the app says that it mailed too many verification links', async ({ page }) => {
  await refuseNext(page, 'sendVerificationEmail', 'auth/too-many-requests')
  await signedUpAs(page, 'Ann Archer')
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Send again' }).click()
  await shows(
    page,
    'Too many verification email requests. Please wait a while before trying again.',
  )
})

test.describe('a verification link in a browser that isn’t signed in to its account', () => {
  async function linkOfAnn(page: Page) {
    mayRefuse(page, 'applyActionCode', 'rejectVerification')
    // An open app would renew the session, and so put its cookie back after it is cleared.
    await page.goto('about:blank')
    const ann = await signedUpAs(page, 'Ann Archer')
    const { token } = (await call(page.request, 'refreshSession', {})) as { token: string }
    await page.context().clearCookies()
    return { ann, token, link: await mailedLink(page, ann) }
  }

  test('names the account that it verified, however often it is opened', async ({ page }) => {
    const { ann, link } = await linkOfAnn(page)
    for (let time = 0; time < 2; time++) {
      await page.goto(link)
      await shows(page, `${ann} is verified`)
      await shows(page, /This account was created on \w+ \d+, \d+ under the name Ann Archer\./)
    }
    await page.getByRole('link', { name: 'Sign in' }).click()
    await expect(page.getByLabel('Email', { exact: true })).toHaveValue(ann)
  })

  test('has no code in the address bar, and works after a reload', async ({ page }) => {
    const { ann, link } = await linkOfAnn(page)
    await page.goto(link)
    await shows(page, `${ann} is verified`)
    await expect(page).toHaveURL(/\/auth\/action\?mode=verifyEmail/)
    expect(page.url()).not.toContain('oobCode')
    await page.reload()
    await shows(page, `${ann} is verified`)
  })

  test('claims the account by its password, there or on the sign-in screen', async ({ page }) => {
    const { link } = await linkOfAnn(page)
    mayRefuse(page, 'applyActionCode', 'claimAccount')
    await page.goto(link)
    await submit(page, "Confirm that it's me", { Password: 'not the password' })
    await shows(page, 'The password is wrong.')
    await page.getByRole('link', { name: 'Sign in' }).click()
    // The screen before has such a field, too.
    await page.getByRole('heading', { name: 'Sign in to' }).waitFor()
    await submit(page, 'Sign in', { Password: password })
    await shows(page, 'Your email address is verified.')
    const { user } = (await call(page.request, 'refreshSession', {})) as { user: object }
    expect(user).toMatchObject({ claimed: true })

    const other = await linkOfAnn(page)
    await page.goto(other.link)
    await submit(page, "Confirm that it's me", { Password: password })
    await shows(page, 'Your email address is verified.')
  })

  test('lets its reader take the account over with a new password', async ({ page }) => {
    const { ann, token, link } = await linkOfAnn(page)
    await page.goto(link)
    await page.getByRole('button', { name: 'Set a new password' }).click()
    await submit(page, 'Make it mine', {
      'New password': otherPassword,
      'Confirm new password': otherPassword,
    })
    await expect(page.getByRole('heading', { name: 'Your projects' })).toBeVisible()
    await expect(call(page.request, 'getUser', {}, token)).rejects.toThrow('sessionEnded')
    await page.goto('/profile')
    await shows(page, ann)
  })

  test('ends an account that somebody else made, by keyboard on a phone', async ({ page }) => {
    const { ann, link } = await linkOfAnn(page)
    // This browser is signed in as another user.
    await signedInAs(page, 'Bob Baker')
    await page.setViewportSize({ width: 390, height: 800 })
    await page.goto(link)
    await press(page, 'button', "I didn't create this account")
    await expect(page.getByRole('dialog', { name: 'End this account?' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: "I didn't create this account" })).toBeFocused()

    // The page returns the focus one frame before it removes the dialog.
    await expect(page.locator('dialog')).toHaveCount(0)
    await page.keyboard.press('Enter')
    const letGo = await hold(page, '**/api/rejectVerification')
    await press(page, 'button', 'End account')
    const remove = page.getByRole('button', { name: 'End account' })
    await expect(remove).toHaveAttribute('aria-busy', 'true')
    letGo()
    await shows(page, "Nobody can sign in to it any more, and it's deleted in 24 hours.")
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
    await page.getByRole('button', { name: "I didn't create this account" }).click()
    await page.getByRole('button', { name: 'End account' }).click()
    await shows(page, 'Failed to end the account')
    await shows(page, 'The account owns active projects.')
    await page.getByRole('link', { name: 'Reset your password' }).click()
    await expect(page.getByLabel('Email', { exact: true })).toHaveValue(ann)
  })
})

test('a user changes their password and signs in with the new one', async ({ page }) => {
  const ann = await signedInAs(page, 'Ann Archer')
  await page.goto('/profile')
  await page.getByRole('link', { name: 'Change password' }).click()
  await submit(page, 'Save password', {
    'New password': otherPassword,
    'Confirm new password': 'something else',
  })
  await shows(page, 'Passwords do not match')
  await submit(page, 'Save password', { 'New password': 'short' })
  await shows(page, 'Use at least 6 characters.')
  await expectPassing(page, 'Your password is changed', () => changePassword(page))
  await expect(page).toHaveURL(/\/profile$/)
  await signOut(page)
  await expect(page).toHaveURL(/\/signin/)
  await signInHere(page, ann, otherPassword)
  await expect(page.getByRole('heading', { name: 'Your projects' })).toBeVisible()
})

test('a user deletes their account by its id, even while its data loads', async ({ page }) => {
  mayRefuse(page, 'signIn', 'reauthenticate')
  const ann = await signedInAs(page, 'Ann Archer')
  const goOn = await hold(page, '**/api/getUser')
  const reading = page.waitForRequest('**/api/getUser')
  await page.goto('/delete-account')
  await reading
  const field = page.getByLabel('Type your user ID to confirm')
  await submit(page, 'Delete account', { 'Type your user ID to confirm': 'somebody else' })
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  await submit(page, 'Delete account', { Password: 'not the password' })
  await shows(page, 'User ID does not match. Please try again.')
  await expect(field).toBeFocused()

  await field.fill(` ${await userId(page)} `)
  await shows(page, 'It matches')
  await page.getByRole('button', { name: 'Delete account' }).click()
  const secret = page.getByLabel('Password', { exact: true })
  await expect(secret).toHaveAccessibleDescription('The password is wrong. Try again.')
  await expect(secret).toBeFocused()
  await secret.fill(password)
  await expectPassing(page, 'Your account is deleted', 'Delete account')
  goOn()
  await expect(page).toHaveURL(/\/signin$/)
  await shows(page, /^The account for .+ is deleted\.$/)
  await expect(page.getByText('session')).toHaveCount(0)
  await signIn(page, ann)
  await shows(page, 'Failed to sign in')
})

test('who copies the id to confirm with it pastes it at once', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signedInAs(page, 'Ann Archer')
  await page.goto('/delete-account')
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  await page.getByRole('button', { name: 'Copy ID' }).click()
  await expect(page.getByLabel('Type your user ID to confirm')).toBeFocused()
  await page.keyboard.press('ControlOrMeta+V')
  await shows(page, 'It matches')
})

test('a password field says that Caps Lock is on', async ({ page }) => {
  await page.goto('/signin')
  const field = page.getByLabel('Password', { exact: true })
  await field.dispatchEvent('keydown', { key: 'A', modifierCapsLock: true })
  await shows(page, 'Caps Lock is on.')
  await field.dispatchEvent('keyup', { key: 'CapsLock', modifierCapsLock: false })
  await expect(page.getByText('Caps Lock is on.')).toBeHidden()
})

test('a user downloads the data that is kept about them', async ({ page }) => {
  const ann = await signedInAs(page, 'Ann Archer')
  await page.goto('/profile')
  const uid = await userId(page)
  const { name, text } = await download(page, 'Download my data')
  expect(name).toBe(`pergola-${uid}.json`)
  expect(JSON.parse(text)).toMatchObject({ user: { email: ann } })
})

test('the link in a security mail locks the account', async ({ page, another }) => {
  mayRefuse(page, 'refreshSession', 'signIn')
  const ann = await signedInAs(page, 'Ann Archer')
  await page.goto('/change-password')
  await changePassword(page)
  await expect(page).toHaveURL(/\/profile$/)

  const owner = await another()
  await owner.goto(await mailedLink(page, ann))
  await shows(owner, `For ${ann}`)
  await owner.getByRole('button', { name: 'Lock this account' }).click()
  await shows(owner, 'Your account is locked')

  await page.reload()
  await expect(page).toHaveURL(/\/signin/)
  await signIn(page, ann, otherPassword)
  await shows(page, 'Failed to sign in')

  await owner.goto(await mailedLink(owner, ann))
  await changePassword(owner, 'a third good secret')
  await shows(owner, 'Your password has been changed')
  await signIn(owner, ann, 'a third good secret')
  await expect(owner.getByRole('heading', { name: 'Your projects' })).toBeVisible()
})

test('a reset from a new address asks whose the account was, and gives it back on “no”', async ({
  page,
  another,
}) => {
  const stranger = await signedInAs(page, 'Stan Stranger')
  const ann = newAddress('ann')
  const { token } = (await call(page.request, 'refreshSession', {})) as { token: string }
  await call(page.request, 'updateEmail', { newEmail: ann }, token)
  const visitor = await another()
  await visitor.goto(await mailedLink(page, ann))
  await visitor.getByRole('button', { name: 'Use this address' }).click()
  await shows(visitor, `Your email address is now ${ann}.`)

  await call(page.request, 'sendPasswordResetEmail', { email: ann })
  await expect.poll(() => newestMail(page, ann)).toMatch(/^Reset/)
  await visitor.goto(await mailedLink(page, ann))
  await shows(visitor, /^Was this account yours before \w+ \d+, \d+\?$/)
  await changePassword(visitor)
  await shows(visitor, 'Choose an answer.')
  await visitor.getByLabel('No, I never had it').check()
  await visitor.getByRole('button', { name: 'Save new password' }).click()
  await shows(visitor, 'Your password has been changed')
  await signIn(visitor, ann, otherPassword)
  await expect(visitor.getByRole('heading', { name: 'Your projects' })).toBeVisible()
  await expect.poll(() => newestMail(page, stranger)).toMatch(/^Reset/)
})

test('a link that does not work says why, and offers the sign-in', async ({ page }) => {
  mayRefuse(page, 'checkActionCode', 'applyActionCode')
  await page.goto('/auth/action?mode=recoverEmail')
  await shows(page, 'Invalid or missing parameters')
  await page.goto('/auth/action?mode=signIn&oobCode=x')
  await shows(page, 'The requested operation is not supported')
  await page.goto('/auth/action?mode=verifyEmail&oobCode=made-up')
  await shows(page, 'Failed to verify your email address')
  for (const [mode, words] of [
    ['verifyAndChangeEmail', 'Failed to update your email'],
    ['recoverEmail', 'Failed to recover your email'],
    ['secureAccount', 'Failed to lock your account'],
  ] as const) {
    await page.goto(`/auth/action?mode=${mode}&oobCode=made-up`)
    await shows(page, words, 'This link has been used, no longer applies')
    await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible()
  }
})

test('the link in a mail about a project leads, past the sign-in, to the choice of such mails', async ({
  page,
}) => {
  const ann = await signedInAs(page, 'Ann Archer')
  await page.context().clearCookies()
  await page.goto('/profile#emails')
  await signInHere(page, ann)
  await expect(page).toHaveURL(/\/profile#emails$/)
  const by = (name: string) => ({ name: `${name} By email` })
  const removed = page.getByRole('combobox', by('Someone removes me from a project'))
  const joined = page.getByRole('combobox', by('Someone accepts my invitation'))
  await expect(joined).toBeInViewport()
  const tab = await page.context().newPage()
  await tab.goto('/profile')
  const there = tab.getByRole('combobox', by('Someone accepts my invitation'))
  await expect(there).toHaveValue('atOnce')
  await joined.selectOption('Never')
  await expect(there).toHaveValue('never')
  mayRefuse(page, 'saveUser')
  await refuseNext(page, 'saveUser', 'unavailable')
  await removed.selectOption('Never')
  await shows(page, 'Failed to save your choice')
  await expect(removed).toHaveValue('atOnce')
  await page.reload()
  await expect(joined).toHaveValue('never')
  await expect(removed).toHaveValue('atOnce')
})

test('an address that takes no mail shows to who entered it', async ({ page }) => {
  const ann = await signedUpAs(page, 'Ann Archer')
  const text = `We can't deliver mail to ${ann}. Check the address.`
  await changeAnswers(page, 'getUser', ({ user }) => void (user.undeliverable_email = ann))
  for (const path of ['/dashboard', '/profile']) {
    await page.goto(path)
    await shows(page, text)
  }
  await expectNoViolations(page)
  await verify(page, ann)
  const id = await aProject(page)
  await invites(page, id, newAddress('typo'))
  await changeAnswers(page, 'getSubscriptionUsers', ({ users }) => {
    for (const user of users) user.is_undeliverable = user.status === 'pending'
  })
  await page.goto(projectPath('users', id))
  await shows(page, 'No mail reaches this address. Invite the right one, or copy the link.')
  await expect(page.getByRole('row', { name: 'typo' })).toContainText('Not delivered')
  expect((await download(page, 'Download CSV')).text).toContain('"undeliverable"')
  await expectNoViolations(page)
  await changeAnswers(page, 'getBillingDetails', (details) => {
    details.billing_email_refused = true
  })
  const lost = "Our last email for this project couldn't be delivered. Check the address."
  await page.goto(projectPath('billing', id))
  await shows(page, lost)
  await page.getByRole('link', { name: 'Billing details' }).first().click()
  await expect(page.getByLabel('Send receipts and payment emails to')).toHaveAccessibleDescription(
    lost,
  )
})

test('links at the top of the profile lead to its parts', async ({ page }) => {
  await signedInAs(page, 'Ann Archer')
  await page.goto('/profile')
  const links = page.getByRole('navigation', { name: 'My Profile' }).getByRole('link')
  await expect(links).toHaveCount(4)
  for (const link of await links.all()) {
    await link.click()
    const part = page.locator(new URL((await link.getAttribute('href'))!, page.url()).hash)
    await expect(part).toBeFocused()
    const { bar, top, isAtEnd } = await part.evaluate((part) => ({
      bar: document.querySelector('header')!.getBoundingClientRect().bottom,
      top: part.getBoundingClientRect().top,
      isAtEnd: innerHeight + scrollY >= document.documentElement.scrollHeight - 1,
    }))
    expect(top).toBeGreaterThan(bar)
    if (!isAtEnd) expect(top).toBeLessThan(bar + 32)
  }
  const [security, preferences] = [page.locator('#security'), page.locator('#preferences')]
  for (const [width, stacks] of [
    [1280, 2],
    [1024, 1],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    const [left, right] = [await security.boundingBox(), await preferences.boundingBox()]
    expect(new Set([left!.x, right!.x]).size, `${width} px`).toBe(stacks)
  }
})

test('on a phone the choice of notices cuts no text, and has labels in place of heads', async ({
  page,
}) => {
  await signedInAs(page, 'Ann Archer')
  await page.goto('/profile')
  const table = page.getByRole('table')
  await expect(table.getByRole('row')).toHaveCount(7)
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await expect(table.getByText('What happens')).toBeHidden()
    for (const label of ['In the app', 'By email']) {
      const labels = table.locator('tbody').getByText(label)
      await expect(labels.filter({ visible: true })).toHaveCount(6)
      expect((await labels.first().boundingBox())!.height).toBeLessThan(24)
    }
    const select = table.getByRole('combobox').first()
    const [room, text] = await select.evaluate((select: HTMLSelectElement) => {
      const { font, paddingLeft, paddingRight } = getComputedStyle(select)
      const pen = document.createElement('canvas').getContext('2d')!
      pen.font = font
      const widths = Array.from(select.options, ({ text }) => pen.measureText(text).width)
      const padding = Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight)
      return [select.clientWidth - padding, Math.max(...widths)] as const
    })
    expect(room, `${width} px`).toBeGreaterThanOrEqual(text)
  }
})
