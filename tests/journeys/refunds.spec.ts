import type { Page } from '@playwright/test'
import type { CustomerShown, PaymentShown } from '@local/sandbox/testing'
import { expectNoViolations } from './check-screen.ts'
import { annsProject } from './projects.ts'
import { expect, shows, test } from './visitor.ts'

test('an invoice shows refunds and disputes beside its status', async ({ page }) => {
  const id = await annsProject(page, { plan: 'pro', screen: 'billing' })
  const row = page.getByRole('row', { name: /\$10\.00/ })
  await expect(row).toContainText('Paid')
  const payment = await paymentOf(page, id)
  const control = (data: object) => page.request.post('/sandbox/control', { data })
  await control({ refund: { payment, amount: 400 } })
  await shows(row, 'Refunded $4.00')
  await control({ dispute: { payment } })
  await shows(row, 'Disputed')
  await expectNoViolations(page)
  await page.setViewportSize({ width: 320, height: 800 })
  await shows(row, 'Disputed')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  await control({ dispute: { payment, outcome: 'lost' } })
  await shows(row, 'Dispute upheld')
  await page.setViewportSize({ width: 718, height: 1000 })
  await page.emulateMedia({ media: 'print' })
  await shows(row, 'Refunded $4.00', 'Dispute upheld')
})

/** The sandbox's id of the project's only payment. */
async function paymentOf(page: Page, subscriptionId: string) {
  const known = await (await page.request.get('/sandbox/control.json')).json()
  const { customers, payments } = known as { customers: CustomerShown[]; payments: PaymentShown[] }
  const customer = customers.find((each) => each.metadata['subscriptionId'] === subscriptionId)!
  return payments.find((each) => each.customer === customer.id)!.id
}
