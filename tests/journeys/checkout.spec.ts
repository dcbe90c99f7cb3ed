import { billing, fillCheckout, signedInAs } from './people.ts'
import { expect, test } from './visitor.ts'

const declines = [
  ['4000000000000002', 'The card was declined'],
  ['4000000000009995', "doesn't have enough funds"],
  ['4000000000000069', 'has expired'],
  ['4000000000000341', 'The card was declined'],
] as const

test.describe('cards that are refused', () => {
  test.use({ expectedRefusals: ['createSubscription', 'payment_methods'] })

  test('each says why under the form, nothing typed is lost, and another card is taken', async ({ page }) => {
    await signedInAs(page, 'Ann Archer')
    await page.goto('/create-plan?plan=pro')
    await fillCheckout(page, '')
    for (const [card, words] of declines) {
      await page.getByLabel('Card number').fill(card)
      await page.getByRole('button', { name: 'Create project' }).click()
      await expect(page.getByText(words)).toBeVisible()
      for (const [label, value] of Object.entries(billing)) await expect(page.getByLabel(label)).toHaveValue(value)
      await expect(page.getByLabel('Card number')).toHaveValue(card)
    }
    await page.getByLabel('Card number').fill('4242424242424242')
    await page.getByRole('button', { name: 'Create project' }).click()
    await expect(page).toHaveURL(/\/settings$/)
  })
})

test('fields that are missing are named before anything is sent', async ({ page }) => {
  await signedInAs(page, 'Ann Archer')
  await page.goto('/create-plan?plan=enterprise')
  await page.getByRole('button', { name: 'Create project' }).click()
  await expect(page.getByLabel('Full name')).toBeFocused()
  await expect(page.getByLabel('Full name')).toHaveAttribute('aria-invalid', 'true')
})

test('the bank asks, and after a yes the project is there', async ({ page }) => {
  await signedInAs(page, 'Ann Archer')
  await page.goto('/create-plan?plan=pro')
  await fillCheckout(page, '4000002500003155')
  await page.getByRole('button', { name: 'Create project' }).click()
  const bank = page.frameLocator('iframe')
  await bank.getByRole('button', { name: 'Complete authentication' }).click()
  await expect(page).toHaveURL(/\/settings$/)
  await page.goto('/dashboard')
  await expect(page.getByRole('link', { name: /Untitled Project/ })).toHaveCount(1)
})

test.describe('a bank that says no', () => {
  test.use({ expectedRefusals: ['completePayment'] })

  test('is told in words, the form stays as it was, and no project is left', async ({ page }) => {
    await signedInAs(page, 'Ann Archer')
    await page.goto('/create-plan?plan=pro')
    await fillCheckout(page, '4000002500003155')
    await page.getByRole('button', { name: 'Create project' }).click()
    await page.frameLocator('iframe').getByRole('button', { name: 'Fail authentication' }).click()
    await expect(page.getByText('did not confirm that it was you')).toBeVisible()
    await expect(page.getByLabel('Card number')).toHaveValue('4000002500003155')
    await page.goto('/dashboard')
    await expect(page.getByText('Start with a project')).toBeVisible()
  })
})
