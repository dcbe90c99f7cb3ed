import type { Locator, Page } from '@playwright/test'
import { expectScreen, expectTabWalk, press, tabTo, type } from './keys.ts'
import { billing, mailedLink, newAddress, password, signedInAs } from './people.ts'
import { annsProject, joins, switchToCard } from './projects.ts'
import { expect, test } from './visitor.ts'

test('the whole main job works by keyboard alone', async ({ page }) => {
  const ann = newAddress('ann')
  await page.goto('/signup')
  await type(page, 'Full name', 'Ann Archer')
  await type(page, 'E-mail', ann)
  await type(page, 'Password', password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Your projects' })).toBeVisible()

  await page.goto(await mailedLink(page, ann))
  await expect(page.getByText('Your e-mail address is verified')).toBeVisible()

  await page.goto('/dashboard')
  await press(page, 'link', 'Create your first project')
  await press(page, 'button', 'Choose Pro')
  await type(page, 'Full name', billing['Full name'])
  for (const [label, value] of Object.entries(billing).slice(1)) await type(page, label, value)
  await type(page, 'Card number', '4000002500003155')
  await type(page, 'Expiry date (MM/YY)', '1234')
  await type(page, 'Security code', '123')
  // The button is enabled once the price at this address is known.
  await expect(page.getByRole('button', { name: /^Pay/ })).toBeEnabled()
  await page.keyboard.press('Enter')
  const yes = page.frameLocator('iframe').getByRole('button', { name: 'Complete authentication' })
  await tabTo(page, yes)
  await page.keyboard.press('Enter')

  await expect(page).toHaveURL(/\/settings$/)
  await type(page, 'Project Name', 'Bridge renewal')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Bridge renewal' })).toBeVisible()

  await press(page, 'link', 'Users')
  await press(page, 'link', 'Invite user')
  await type(page, 'E-mail', newAddress('bob'))
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

/** Chooses an action from a row's menu with the arrow keys. */
async function chooseFor(page: Page, name: string, action: string) {
  await press(page, 'button', `Actions for ${name}`)
  const item = page.getByRole('menuitem', { name: action })
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  const index = (await page.getByRole('menuitem').allInnerTexts()).indexOf(action)
  for (let steps = 0; steps < index; steps++) await page.keyboard.press('ArrowDown')
  await expect(item).toBeFocused()
  await expect(item).toHaveCSS('outline-style', 'solid')
  await page.keyboard.press('Enter')
}

/** A dialog holds the focus, and Escape returns it to its opener. */
async function expectDialog(page: Page, name: string | RegExp, opener: Locator) {
  const dialog = page.getByRole('dialog', { name })
  await expect(dialog).toBeVisible()
  await expectTabWalk(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(opener).toBeFocused()
}

test.describe('without a mouse', () => {
  test.use({ expectedRefusals: ['signIn', 'applyActionCode'], reducedMotion: 'reduce' })

  test('a visitor signs in, resets a password and reads what is wrong with a form', async ({
    page,
  }) => {
    const ann = await signedInAs(page, 'Ann Archer')
    await page.context().clearCookies()
    await page.goto('/signin')
    await press(page, 'button', /^Theme: system/)
    await expect(page.getByRole('button', { name: /^Theme: light/ })).toBeFocused()
    await press(page, 'link', 'Create account')
    await expectScreen(page, 'Create your account')
    await press(page, 'button', 'Create account')
    await expect(page.getByLabel('Full name')).toBeFocused()
    await expect(page.getByLabel('Full name')).toHaveAccessibleDescription('Fill in this field.')
    await expect(page.getByText('3 fields need another look.')).toBeVisible()
    await press(page, 'link', 'Sign in')
    await expectScreen(page, /^Sign in/)
    await press(page, 'link', 'Forgot it?')
    await expectScreen(page, /password/i)
    await type(page, 'E-mail', ann)
    await page.keyboard.press('Enter')
    await expect(page.getByText(/on its way/)).toBeVisible()

    await page.goto(await mailedLink(page, ann))
    await type(page, 'New password', 'short')
    await press(page, 'button', 'Show password', 'Space')
    await expect(page.getByLabel('New password', { exact: true })).toHaveAttribute('type', 'text')
    await page.goto('/auth/action?mode=verifyEmail&oobCode=x')
    await press(page, 'link', 'Sign in to get a new link')
    await expectScreen(page, /^Sign in/)
    await page.goto('/nowhere')
    await press(page, 'link', 'Go to your projects')
    await expectScreen(page, /^Sign in/)
    await type(page, 'E-mail', ann)
    await type(page, 'Password', password)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Your projects' })).toBeVisible()
  })

  test('a person skips to the content, opens the account menu and comes to the profile', async ({
    page,
  }) => {
    await signedInAs(page, 'Ann Archer')
    await page.goto('/dashboard')
    await expect(page.getByRole('heading', { name: 'Your projects' })).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Create project' })).toBeFocused()

    const account = page.getByRole('button', { name: 'Your account' })
    await tabTo(page, account, 'Shift+Tab')
    await page.keyboard.press('Space')
    await expect(page.getByRole('menuitem', { name: 'My Profile' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(account).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('menuitem', { name: 'My Profile' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expectScreen(page, 'My Profile')
    for (const screen of ['Edit name', 'Edit e-mail', 'Change password', 'Delete account']) {
      await press(page, 'link', screen)
      await expectScreen(page, screen)
      await press(page, 'link', 'Cancel')
      await expectScreen(page, 'My Profile')
    }
  })

  test('an owner gives permissions, removes a member and changes the default card', async ({
    page,
    another,
  }) => {
    const id = await annsProject(page)
    await switchToCard(page, id, '5555555555554444')
    await joins(await another('Bob Baker'), page, id, ['admin'])
    await page.goto(`/subscription/${id}/users`)
    const actions = page.getByRole('button', { name: 'Actions for Bob Baker' })
    await press(page, 'button', 'Actions for Bob Baker', 'Space')
    await expect(page.getByRole('menuitem').first()).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(actions).toBeFocused()
    await chooseFor(page, 'Bob Baker', 'Edit permissions')
    await expectDialog(page, 'Permissions of Bob Baker', actions)
    await chooseFor(page, 'Bob Baker', 'Edit permissions')
    await tabTo(page, page.getByRole('checkbox', { name: 'Editor' }))
    await page.keyboard.press('Space')
    await press(page, 'button', 'Save permissions')
    await expect(page.getByRole('row', { name: 'Bob Baker' })).toContainText('Editor')
    await expect(actions).toBeFocused()

    await press(page, 'link', 'Billing Information')
    await press(page, 'link', 'Transfer ownership')
    await expectScreen(page, 'Transfer ownership')
    await press(page, 'button', 'Transfer ownership')
    await expect(page.getByRole('radio', { name: /Bob Baker/ })).toBeFocused()
    await expect(page.getByRole('radiogroup')).toHaveAccessibleDescription(
      'Choose who becomes the owner.',
    )
    await page.keyboard.press('Space')
    await press(page, 'button', 'Transfer ownership')
    const transfer = page.getByRole('button', { name: 'Transfer ownership' })
    await expectDialog(page, 'Make Bob Baker the owner?', transfer)

    await press(page, 'link', 'Cancel')
    await press(page, 'link', 'Manage payment methods')
    await press(page, 'button', /^Delete card Visa/)
    const remove = page.getByRole('button', { name: /^Delete card Visa/ })
    await expectDialog(page, /^Delete Visa/, remove)
    await press(page, 'button', /^Make default: Visa/)
    await expect(page.getByText(/^Payments are made with Visa/)).toBeVisible()
    await press(page, 'link', 'Add card')
    await press(page, 'button', 'Save card')
    await expect(page.getByLabel('Cardholder name')).toBeFocused()

    await press(page, 'link', 'Users')
    await chooseFor(page, 'Bob Baker', 'Remove from project')
    const dialog = page.getByRole('dialog')
    await tabTo(page, dialog.getByRole('button', { name: 'Remove from project' }), 'Shift+Tab')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Bob Baker is removed from the project.')).toBeVisible()
  })

  test('on a phone the menu opens over the screen, and its links work', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 600 })
    const id = await annsProject(page, { plan: 'free' })
    await page.goto(`/subscription/${id}`)
    await press(page, 'button', 'Open menu')
    await expectDialog(page, 'Menu', page.getByRole('button', { name: 'Open menu' }))
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
})
