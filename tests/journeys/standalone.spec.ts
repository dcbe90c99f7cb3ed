import { fillCheckout, openCheckout, submit } from './people.ts'
import { expect, mayRefuse, shows, test } from './visitor.ts'

test.use({ baseURL: process.env['STANDALONE_URL'] })

test('a separate sandbox server declines one card and asks about the next', async ({ page }) => {
  mayRefuse(page, 'createSubscription', 'payment_methods')
  await openCheckout(page)
  await fillCheckout(page, '4000000000000002')
  await page.getByRole('button', { name: 'Create project' }).click()
  await shows(page, 'The card was declined')

  await submit(page, 'Create project', { 'Card number': '4000002760003184' })
  const bank = page.frameLocator('iframe')
  await expect(bank.getByRole('heading')).toBeVisible()
  expect(await page.locator('iframe').getAttribute('src')).toContain(
    `${process.env['STANDALONE_SANDBOX_URL']}/sandbox/authenticate/`,
  )
  await bank.getByRole('button', { name: 'Complete authentication' }).click()
  await expect(page).toHaveURL(/\/settings$/)
})
