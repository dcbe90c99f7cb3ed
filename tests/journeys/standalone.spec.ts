import { fillCheckout, signedInAs } from './people.ts'
import { expect, test } from './visitor.ts'

test.use({ baseURL: process.env['STANDALONE_URL'] })

test('with the sandbox as a server of its own the bank’s question is a page of that server, and after a yes the project is there', async ({
  page,
}) => {
  await signedInAs(page, 'Ann Archer')
  await page.goto('/create-plan?plan=pro')
  await fillCheckout(page, '4000002760003184')
  await page.getByRole('button', { name: /create project/i }).click()
  const bank = page.frameLocator('iframe')
  await expect(bank.getByRole('heading')).toBeVisible()
  expect(await page.locator('iframe').getAttribute('src')).toContain(
    `${process.env['STANDALONE_SANDBOX_URL']}/sandbox/authenticate/`,
  )
  await bank.getByRole('button', { name: 'Complete authentication' }).click()
  await expect(page).toHaveURL(/\/settings$/)
})

test.describe('a card that is refused', () => {
  test.use({ expectedRefusals: ['createSubscription', 'payment_methods'] })

  test('with the sandbox as a server of its own the form says why', async ({ page }) => {
    await signedInAs(page, 'Ann Archer')
    await page.goto('/create-plan?plan=pro')
    await fillCheckout(page, '4000000000000002')
    await page.getByRole('button', { name: /create project/i }).click()
    await expect(page.getByText('The card was declined')).toBeVisible()
  })
})
