import type { Page } from '@playwright/test'
import { expectScreen, expectTabWalk, press, tabTo, type } from './keys.ts'
import {
  bankFrame,
  billing,
  cardFrame,
  mailedLink,
  newAddress,
  password,
  signedInAs,
} from './people.ts'
import { annsProject, aProject, invites, switchToCard } from './projects.ts'
import { expect, mayRefuse, shows, test } from './visitor.ts'

test.use({ reducedMotion: 'reduce' })

test('by keyboard an owner signs up, buys a project and invites a member', async ({ page }) => {
  const ann = newAddress('ann')
  await page.goto('/signup')
  await type(page, 'Full name', 'Ann Archer')
  await type(page, 'Email', ann)
  await type(page, 'Password', password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Your projects' })).toBeVisible()

  await page.goto(await mailedLink(page, ann))
  await shows(page, 'Your email address is verified')

  await page.goto('/dashboard')
  await press(page, 'link', 'Create project')
  await press(page, 'button', 'Choose Pro')
  await expect(page.getByLabel('Project Name')).toBeFocused()
  await page.keyboard.type('Bridge renewal')
  await type(page, 'Full name', billing['Full name'])
  for (const [label, value] of Object.entries(billing).slice(1)) await type(page, label, value)
  const card = cardFrame(page)
  await type(page, 'Card number', '4000002500003155', card)
  await type(page, 'Expiry date (MM/YY)', '1234', card)
  await type(page, 'Security code', '123', card)
  // The button is disabled until the form knows the price for this address.
  await expect(page.getByRole('button', { name: /^Pay/ })).toBeEnabled()
  await page.keyboard.press('Enter')
  const yes = bankFrame(page).getByRole('button', { name: 'Complete authentication' })
  await tabTo(page, yes)
  await page.keyboard.press('Enter')

  await expect(page).toHaveURL(/\/settings$/)
  await expect(page.getByLabel('People')).toBeFocused()
  await press(page, 'link', 'Users')
  await press(page, 'link', 'Invite user')
  await type(page, 'Email', newAddress('bob'))
  await tabTo(page, page.getByRole('checkbox', { name: 'Editor' }))
  await page.keyboard.press('Space')
  await press(page, 'button', 'Send invitation')
  await expect(page.getByRole('row', { name: /bob-/ })).toContainText('Pending')

  await press(page, 'link', 'Billing Information')
  await expect(page.getByRole('row', { name: /\$10\.00/ })).toContainText('Paid')

  await tabTo(page, page.getByRole('button', { name: 'Your account' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'My Profile' })).toBeFocused()
  await page.keyboard.press('End')
  await expect(page.getByRole('menuitem', { name: 'Sign Out' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/signin/)
})

/** Opens a link by keyboard. */
async function goTo(page: Page, entry: string, heading: string | RegExp = entry) {
  await press(page, 'link', entry)
  await expectScreen(page, heading)
}

/** Opens the screen above this one by its breadcrumb. */
async function goUp(page: Page, title: string) {
  const crumb = page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link')
  await tabTo(page, crumb.filter({ hasText: title }), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expectScreen(page, title)
}

/** Chooses an action from a row's menu with the arrow keys. */
async function chooseFor(page: Page, name: string, action: string) {
  await press(page, 'button', `Actions for ${name}`)
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  const item = page.getByRole('menuitem', { name: action })
  const hasFocus = () => item.evaluate((element) => element === document.activeElement)
  for (let steps = 0; steps < 5 && !(await hasFocus()); steps++)
    await page.keyboard.press('ArrowDown')
  await expect(item).toBeFocused()
  await expect(item).toHaveCSS('outline-style', 'solid')
  await page.keyboard.press('Enter')
}

async function confirm(page: Page, name: string) {
  const button = page.getByRole('dialog').getByRole('button', { name })
  await tabTo(page, button, 'Shift+Tab')
  await page.keyboard.press('Enter')
}

/** Checks that a dialog holds the focus, and that Escape returns it to the opener. */
async function expectDialog(page: Page, name: string | RegExp, opener: string | RegExp) {
  const dialog = page.getByRole('dialog', { name })
  await expect(dialog).toBeVisible()
  await expectTabWalk(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  // A dialog with a title is drawn until its event `close`, and can't be opened again before.
  await expect(page.locator('dialog[aria-labelledby]')).toHaveCount(0)
  await expect(page.getByRole('button', { name: opener })).toBeFocused()
}

test('by keyboard a visitor signs in, resets a password and reads mistakes', async ({ page }) => {
  mayRefuse(page, 'signIn', 'applyActionCode', 'nowhere')
  const ann = await signedInAs(page, 'Ann Archer')
  await page.context().clearCookies()
  await page.goto('/signin')
  await press(page, 'button', /^Theme: system/)
  await expect(page.getByRole('button', { name: /^Theme: light/ })).toBeFocused()
  await goTo(page, 'Create account', 'Create your account')
  await press(page, 'button', 'Create account')
  await expect(page.getByLabel('Full name')).toBeFocused()
  await expect(page.getByLabel('Full name')).toHaveAccessibleDescription('Enter your name.')
  await goTo(page, 'Sign in', /^Sign in/)
  await goTo(page, 'Forgot password?', /password/i)
  await type(page, 'Email', ann)
  await page.keyboard.press('Enter')
  await shows(page, /on its way/)

  await page.goto(await mailedLink(page, ann))
  await type(page, 'New password', 'short')
  await press(page, 'button', 'Show password', 'Space')
  await expect(page.getByLabel('New password', { exact: true })).toHaveAttribute('type', 'text')
  await page.goto('/auth/action?mode=verifyEmail&oobCode=x')
  await goTo(page, 'Sign in to get a new link', /^Sign in/)
  await page.goto('/nowhere')
  await goTo(page, 'Go to your projects', /^Sign in/)
  await type(page, 'Email', ann)
  await page.keyboard.press('Tab')
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  await type(page, 'Password', password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Your projects' })).toBeVisible()
})

test('by keyboard a person changes their account', async ({ page }) => {
  await signedInAs(page, 'Ann Archer')
  await page.goto('/dashboard')
  const first = page.getByRole('link', { name: 'Create project' })
  await expect(first).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(first).toBeFocused()

  await tabTo(page, page.getByRole('button', { name: 'Your account' }), 'Shift+Tab')
  await page.keyboard.press('Space')
  await expect(page.getByRole('menuitem', { name: 'My Profile' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Your account' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'My Profile' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expectScreen(page, 'My Profile')

  await goTo(page, 'Edit name')
  await type(page, 'Name', ' ')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Name')).toHaveAccessibleDescription('Enter your name.')
  await type(page, 'Name', 'Ann Bowman')
  await press(page, 'button', 'Save name')
  await expectScreen(page, 'My Profile')
  await goTo(page, 'Edit email')
  await goTo(page, 'Cancel', 'My Profile')
  await goTo(page, 'Change password')
  await type(page, 'New password', 'another secret')
  await press(page, 'button', 'Save password')
  await expect(page.getByLabel('Confirm new password')).toBeFocused()
  await goTo(page, 'Cancel', 'My Profile')
  await goTo(page, 'See your activity', 'Your activity')
  await tabTo(page, page.getByLabel('Show', { exact: true }))
  await page.keyboard.press('ArrowDown')
  await expect(page).toHaveURL(/area=/)
  await goUp(page, 'My Profile')
  await goTo(page, 'Delete account')
  await goTo(page, 'Cancel', 'My Profile')
})

test('by keyboard an administrator invites, edits, removes people', async ({ page, another }) => {
  await annsProject(page, { admin: await another('Bob Baker') })
  await page.goto('/dashboard')
  await goTo(page, 'Bridge renewal')
  await goTo(page, 'Users')
  const actions = page.getByRole('button', { name: 'Actions for Bob Baker' })
  await press(page, 'button', 'Actions for Bob Baker', 'Space')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(actions).toBeFocused()
  await chooseFor(page, 'Bob Baker', 'Edit permissions')
  await expectDialog(page, 'Edit permissions: Bob Baker', 'Actions for Bob Baker')
  await chooseFor(page, 'Bob Baker', 'Edit permissions')
  await tabTo(page, page.getByRole('checkbox', { name: 'Editor' }))
  await page.keyboard.press('Space')
  await press(page, 'button', 'Save permissions')
  await expect(page.getByRole('row', { name: 'Bob Baker' })).toContainText('Editor')
  await expect(actions).toBeFocused()

  await goTo(page, 'Invite user')
  await press(page, 'button', 'Send invitation')
  await expect(page.getByLabel('Email', { exact: true })).toBeFocused()
  await press(page, 'link', 'Several at once')
  await type(page, 'People', 'carla@example.com')
  await press(page, 'button', 'Send 1 invitation')
  await expect(page.getByRole('region', { name: 'Results' })).toBeFocused()
  await goTo(page, 'Go to users', 'Users')

  await chooseFor(page, 'carla@example.com', 'Revoke invitation')
  await expectDialog(page, /^Revoke/, 'Actions for carla@example.com')
  await chooseFor(page, 'Bob Baker', 'Remove from project')
  await expectDialog(page, 'Remove Bob Baker?', 'Actions for Bob Baker')
  await chooseFor(page, 'Bob Baker', 'Remove from project')
  await confirm(page, 'Remove from project')
  await shows(page, 'Bob Baker has been removed.')

  await goTo(page, 'Activity')
  await type(page, 'Search by name or email', 'carla')
  await expect(page).toHaveURL(/search=carla/)
  await goTo(page, 'Settings')
  await type(page, 'Project Name', 'Harbour')
  await page.keyboard.press('Enter')
  await expectScreen(page, 'Harbour')
})

test('by keyboard a guest accepts, rejects and leaves projects', async ({ page, another }) => {
  const bob = await signedInAs(page, 'Bob Baker')
  const host = await another()
  await invites(host, await annsProject(host), bob, ['editor'])
  const link = await mailedLink(page, bob)
  await invites(host, await aProject(host, { name: 'Old ferry line' }), bob, ['editor'])

  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Join Bridge renewal' })).toBeVisible()
  await press(page, 'button', 'Accept')
  await expectScreen(page, 'Bridge renewal')
  await goTo(page, 'Projects', 'Your projects')
  await press(page, 'button', 'Reject the invitation to Old ferry line')
  await shows(page, 'You rejected the invitation to Old ferry line.')
  await goTo(page, 'Bridge renewal')
  await press(page, 'button', 'Leave project')
  await expectDialog(page, /^Leave/, 'Leave project')
  await press(page, 'button', 'Leave project')
  await confirm(page, 'Leave project')
  await expectScreen(page, 'Your projects')
})

test('by keyboard an owner pays, prepares a transfer and cancels', async ({ page, another }) => {
  const id = await annsProject(page, { plan: 'pro', admin: await another('Bob Baker') })
  await switchToCard(page, id, '5555555555554444')
  await page.goto(`/subscription/${id}`)
  await goTo(page, 'Billing Information')
  await goTo(page, 'Update billing details', 'Billing details')
  await type(page, 'City', 'Shelbyville')
  await page.keyboard.press('Enter')
  await expectScreen(page, 'Billing Information')

  await goTo(page, 'Manage payment methods', 'Payment methods')
  await press(page, 'button', /^Delete card Visa/)
  await expectDialog(page, /^Delete card: Visa/, /^Delete card Visa/)
  await press(page, 'button', /^Make default: Visa/)
  await shows(page, /^Visa ••••\s4242 pays for this project now/)
  await press(page, 'link', 'Add card')
  await expect(cardFrame(page).getByLabel('Card number')).toBeFocused()
  await press(page, 'button', 'Save card')
  await expect(cardFrame(page).getByLabel('Card number')).toBeFocused()
  await goUp(page, 'Billing Information')

  await goTo(page, 'Change plan')
  await press(page, 'button', 'Choose Enterprise')
  await expectScreen(page, 'Confirm the change')
  await press(page, 'button', /and change to Enterprise$/)
  await expectScreen(page, 'Billing Information')

  await goTo(page, 'Transfer ownership')
  await press(page, 'button', 'Transfer ownership')
  const bob = page.getByRole('radio', { name: /Bob Baker/ })
  await expect(bob).toBeFocused()
  await expect(page.getByRole('radiogroup')).toHaveAccessibleDescription(
    'Choose who becomes the owner.',
  )
  await page.keyboard.press('Space')
  await press(page, 'button', 'Transfer ownership')
  await expectDialog(page, 'Transfer ownership: Bob Baker', 'Transfer ownership')
  await goTo(page, 'Cancel', 'Billing Information')

  await goTo(page, 'Cancel subscription')
  await type(page, 'Type the project ID to confirm', id)
  await press(page, 'button', 'Cancel subscription')
  await expectScreen(page, 'Billing Information')
  await shows(page, 'This subscription has been canceled')
})

test('on a phone the menu opens over the screen, and its links work', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 600 })
  await annsProject(page, { screen: 'subscription' })
  await press(page, 'button', 'Open menu')
  await expectDialog(page, 'Menu', 'Open menu')
  for (const entry of ['Users', 'Billing Information', 'Settings', 'Activity']) {
    await press(page, 'button', 'Open menu')
    await tabTo(page, page.getByRole('dialog').getByRole('link', { name: entry }))
    await page.keyboard.press('Enter')
    await expectScreen(page, entry)
  }
  const skip = page.getByRole('link', { name: 'Skip to content' })
  await tabTo(page, skip)
  await press(page, 'button', 'Your account', 'Enter')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('Escape')
  await tabTo(page, skip, 'Shift+Tab')
})
