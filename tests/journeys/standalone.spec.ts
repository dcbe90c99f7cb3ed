import { bankFrame, cardFrame, fillCard, fillCheckout, openCheckout } from './people.ts'
import { expect, mayRefuse, shows, test } from './visitor.ts'

test.use({ baseURL: process.env['STANDALONE_URL'] })

test('a separate sandbox server declines one card and asks about the next', async ({ page }) => {
  mayRefuse(page, 'createSubscription', 'payment_methods')
  await openCheckout(page)
  await fillCheckout(page, '4000000000000002')
  const create = page.getByRole('button', { name: 'Create project' })
  await create.click()
  await shows(cardFrame(page), 'The card was declined')

  await fillCard(page, '4000002760003184')
  await create.click()
  const bank = bankFrame(page)
  await expect(bank.getByRole('heading')).toBeVisible()
  expect(page.frames().map((frame) => frame.url())).toContainEqual(
    expect.stringContaining(`${process.env['STANDALONE_SANDBOX_URL']}/sandbox/authenticate/`),
  )
  await bank.getByRole('button', { name: 'Complete authentication' }).click()
  await expect(page).toHaveURL(/\/settings$/)
})
