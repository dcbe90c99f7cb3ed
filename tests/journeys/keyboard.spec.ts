import type { Locator, Page } from '@playwright/test'
import { expectScreen, expectTabWalk, press, tabTo, type } from './keys.ts'
import { billing, mailedLink, newAddress, password, signedInAs } from './people.ts'
import { annsProject, aProject, ask, joins, switchToCard } from './projects.ts'
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

/** Opens a link by keyboard. */
async function goTo(page: Page, entry: string, heading: string | RegExp = entry) {
  await press(page, 'link', entry)
  await expectScreen(page, heading)
}

/** Chooses an action from a row's menu with the arrow keys. */
async function chooseFor(page: Page, name: string, action: string) {
  await press(page, 'button', `Actions for ${name}`)
  const item = page.getByRole('menuitem', { name: action })
  await expect(item).toBeVisible()
  for (
    let steps = 0;
    steps < 3 && !(await item.evaluate((element) => element === document.activeElement));
    steps++
  )
    await page.keyboard.press('ArrowDown')
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

  test('a person changes their account', async ({ page }) => {
    await signedInAs(page, 'Ann Archer')
    await page.goto('/dashboard')
    await expect(page.getByRole('heading', { name: 'Your projects' })).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Create project' })).toBeFocused()

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
    await expect(page.getByLabel('Name')).toHaveAccessibleDescription('Fill in this field.')
    await type(page, 'Name', 'Ann Bowman')
    await press(page, 'button', 'Save name')
    await expectScreen(page, 'My Profile')
    await goTo(page, 'Edit e-mail')
    await press(page, 'link', 'Cancel')
    await expectScreen(page, 'My Profile')
    await goTo(page, 'Change password')
    await type(page, 'New password', 'another secret')
    await press(page, 'button', 'Save password')
    await expect(page.getByLabel('Confirm new password')).toBeFocused()
    await press(page, 'link', 'Cancel')
    await expectScreen(page, 'My Profile')
    await press(page, 'link', 'See your activity')
    await expectScreen(page, 'Your activity')
    await tabTo(page, page.getByLabel('Show', { exact: true }))
    await page.keyboard.press('ArrowDown')
    await expect(page).toHaveURL(/area=/)
    await press(page, 'link', 'Back to your profile')
    await expectScreen(page, 'My Profile')
    await goTo(page, 'Delete account')
    await press(page, 'link', 'Cancel')
    await expectScreen(page, 'My Profile')
  })

  test('an administrator invites people, gives them permissions and removes them', async ({
    page,
    another,
  }) => {
    const id = await annsProject(page, { plan: 'free' })
    await joins(await another('Bob Baker'), page, id, ['admin'])
    await page.goto('/dashboard')
    await goTo(page, 'Bridge renewal')
    await goTo(page, 'Users')
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

    await goTo(page, 'Invite user')
    await press(page, 'button', 'Send invitation')
    await expect(page.getByLabel('E-mail', { exact: true })).toBeFocused()
    await press(page, 'link', 'Several at once')
    await type(page, 'People', 'carla@example.com')
    await press(page, 'button', 'Send 1 invitation')
    await expect(page.getByRole('region', { name: 'Results' })).toBeFocused()
    await press(page, 'link', 'Go to users')
    await expectScreen(page, 'Users')

    await chooseFor(page, 'carla@example.com', 'Revoke invitation')
    await expectDialog(
      page,
      /^Revoke/,
      page.getByRole('button', { name: 'Actions for carla@example.com' }),
    )
    await chooseFor(page, 'Bob Baker', 'Remove from project')
    await expectDialog(page, 'Remove Bob Baker?', actions)
    await chooseFor(page, 'Bob Baker', 'Remove from project')
    await tabTo(
      page,
      page.getByRole('dialog').getByRole('button', { name: 'Remove from project' }),
      'Shift+Tab',
    )
    await page.keyboard.press('Enter')
    await expect(page.getByText('Bob Baker is removed from the project.')).toBeVisible()

    await goTo(page, 'Activity')
    await type(page, 'Search by name or e-mail', 'carla')
    await expect(page).toHaveURL(/search=carla/)
    await goTo(page, 'Settings')
    await type(page, 'Project Name', 'Harbour')
    await page.keyboard.press('Enter')
    await expectScreen(page, 'Harbour')
  })

  test('a person accepts an invitation from its mail, rejects another one and leaves the project', async ({
    page,
    another,
  }) => {
    const bob = await signedInAs(page, 'Bob Baker')
    const host = await another('Ann Archer')
    const [first, second] = [
      await aProject(host, { plan: 'free' }),
      await aProject(host, { plan: 'free', name: 'Old ferry line' }),
    ]
    await ask(host, 'createInvite', { subscriptionId: first, email: bob, permissions: ['editor'] })
    const link = await mailedLink(page, bob)
    await ask(host, 'createInvite', { subscriptionId: second, email: bob, permissions: ['editor'] })

    await page.goto(link)
    await expect(page.getByRole('heading', { name: 'Join Bridge renewal' })).toBeVisible()
    await press(page, 'button', 'Accept')
    await expectScreen(page, 'Bridge renewal')
    await goTo(page, 'Projects', 'Your projects')
    await press(page, 'button', 'Reject the invitation to Old ferry line')
    await expect(page.getByText('You rejected the invitation to Old ferry line.')).toBeVisible()
    await goTo(page, 'Bridge renewal')
    await press(page, 'button', 'Leave project')
    await expectDialog(page, /^Leave/, page.getByRole('button', { name: 'Leave project' }))
    await press(page, 'button', 'Leave project')
    await tabTo(
      page,
      page.getByRole('dialog').getByRole('button', { name: 'Leave project' }),
      'Shift+Tab',
    )
    await page.keyboard.press('Enter')
    await expectScreen(page, 'Your projects')
  })

  test('an owner pays for a project, prepares a transfer and cancels it', async ({
    page,
    another,
  }) => {
    const id = await annsProject(page)
    await switchToCard(page, id, '5555555555554444')
    await joins(await another('Bob Baker'), page, id, ['admin'])
    await page.goto(`/subscription/${id}`)
    await goTo(page, 'Billing Information')
    await goTo(page, 'Update billing details', 'Billing details')
    await type(page, 'City', 'Shelbyville')
    await page.keyboard.press('Enter')
    await expectScreen(page, 'Billing Information')

    await goTo(page, 'Manage payment methods', 'Payment methods')
    const remove = page.getByRole('button', { name: /^Delete card Visa/ })
    await press(page, 'button', /^Delete card Visa/)
    await expectDialog(page, /^Delete Visa/, remove)
    await press(page, 'button', /^Make default: Visa/)
    await expect(page.getByText(/^Payments are made with Visa/)).toBeVisible()
    await press(page, 'link', 'Add card')
    await expect(page.getByLabel('Cardholder name')).toBeFocused()
    await press(page, 'button', 'Save card')
    await expect(page.getByLabel('Cardholder name')).toBeFocused()
    await press(page, 'link', 'Back to billing')
    await expectScreen(page, 'Billing Information')

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
    await expectDialog(
      page,
      'Make Bob Baker the owner?',
      page.getByRole('button', { name: 'Transfer ownership' }),
    )
    await press(page, 'link', 'Cancel')
    await expectScreen(page, 'Billing Information')

    await goTo(page, 'Cancel subscription')
    await type(page, 'Type the project ID to confirm', id)
    await press(page, 'button', 'Cancel subscription')
    await expectScreen(page, 'Billing Information')
    await expect(page.getByText('This subscription has been canceled')).toBeVisible()
    expect((await ask(page, 'getSubscription', { subscriptionId: id })).subscription.status).toBe(
      'canceled',
    )
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
