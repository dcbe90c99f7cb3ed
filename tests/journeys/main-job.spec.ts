import type { Page } from '@playwright/test'
import { fillCheckout, mailedLink, newAddress, password, submit } from './people.ts'
import { expect, expectPassing, shows, test } from './visitor.ts'

test('a team signs up, pays, invites a member and sees its invoices', async ({ page, another }) => {
  const ann = newAddress('ann')
  const bob = newAddress('bob')

  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/signin/)
  await page.getByRole('link', { name: 'Create account' }).click()
  await signUp(page, 'Ann Archer', ann)
  await expect(page.getByRole('heading', { name: 'Your projects' })).toBeVisible()

  await page.goto(await mailedLink(page, ann))
  await shows(page, 'Your e-mail address is verified')

  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Create your first project' }).click()
  await page.getByRole('button', { name: 'Choose Free' }).click()
  await nameProject(page, 'Old ferry line')
  await expect(page.getByRole('heading', { name: 'Old ferry line' })).toBeVisible()

  await page.getByRole('link', { name: 'Projects' }).click()
  await page.getByRole('link', { name: 'Create project' }).click()
  await page.getByRole('button', { name: 'Choose Pro' }).click()
  await fillCheckout(page, '4242424242424242')
  const submit = page.getByRole('button', { name: 'Create project' })
  await submit.click({ clickCount: 3 })
  await nameProject(page, 'Bridge renewal')
  await expect(page.getByRole('heading', { name: 'Bridge renewal' })).toBeVisible()

  await page.getByRole('link', { name: 'Users' }).click()
  await page.getByRole('link', { name: 'Invite user' }).click()
  await page.getByLabel('E-mail', { exact: true }).fill(bob)
  await page.getByRole('checkbox', { name: 'Editor' }).check()
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await expect(page.getByRole('row', { name: bob })).toContainText('Pending')

  await joinAs(await another(), page, bob)

  await page.reload()
  await expect(page.getByRole('row', { name: bob })).toContainText('Active')
  await page.getByRole('link', { name: 'Billing Information' }).click()
  const invoice = page.getByRole('row', { name: /\$10\.00/ })
  await expect(invoice).toContainText('Paid')
  const [hosted] = await Promise.all([
    page.waitForEvent('popup'),
    invoice.getByRole('link').first().click(),
  ])
  await expect(hosted.getByText('$10.00').first()).toBeVisible()
  await hosted.close()

  await page.getByRole('link', { name: 'Projects' }).click()
  await expect(page.getByRole('link', { name: /Bridge renewal|Old ferry line/ })).toHaveCount(2)
})

/** Bob opens the mailed link, signs up and joins the project. */
async function joinAs(page: Page, host: Page, address: string) {
  await page.goto(await mailedLink(host, address))
  await expect(page.getByText('Bridge renewal').first()).toBeVisible()
  await page.getByRole('link', { name: 'Create account' }).click()
  await signUp(page, 'Bob Baker', address)
  await page.getByRole('button', { name: 'Accept' }).click()
  await expect(page.getByRole('heading', { name: 'Bridge renewal' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Billing Information' })).toHaveCount(0)
  await page.goto('/dashboard')
  await expect(page.getByRole('link', { name: /Bridge renewal/ })).toBeVisible()
}

async function signUp(page: Page, name: string, address: string) {
  await submit(page, 'Create account', { 'Full name': name, 'E-mail': address, Password: password })
}

async function nameProject(page: Page, name: string) {
  await page.getByLabel('Project Name').fill(name)
  await expectPassing(page, 'Changes saved successfully', 'Save')
}
