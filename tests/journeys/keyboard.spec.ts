import type { Locator, Page } from '@playwright/test'
import { billing, password } from './people.ts'
import { expect, mailedLink, newAddress, test } from './visitor.ts'

/** Moves on by Tab until the control has the focus, as somebody without a mouse would. */
async function tabTo(page: Page, control: Locator) {
  await expect(control).toBeVisible()
  for (let steps = 0; steps < 80; steps++) {
    if (await control.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab never came to ${control.toString()}`)
}

async function type(page: Page, label: string | RegExp, text: string) {
  await tabTo(page, page.getByLabel(label, { exact: true }))
  await page.keyboard.type(text)
}

async function press(page: Page, role: 'button' | 'link', name: string | RegExp) {
  await tabTo(page, page.getByRole(role, { name }).first())
  await page.keyboard.press('Enter')
}

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
