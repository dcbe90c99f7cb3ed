import { projectPath } from '#contract/paths.ts'
import type { Page } from '@playwright/test'
import type { CustomerShown, PaymentShown } from '@atrium/sandbox/testing'
import { expectNoViolations } from './check-screen.ts'
import { annsProject } from './projects.ts'
import { expect, test } from './visitor.ts'

test('what went back of an invoice, and a dispute about it, come to stand beside its status, also on a phone and on paper', async ({
  page,
}) => {
  const id = await annsProject(page)
  await page.goto(projectPath('billing', id))
  const row = page.getByRole('row', { name: /\$10\.00/ })
  await expect(row).toContainText('Paid')
  const payment = await paymentOf(page, id)
  await page.request.post('/sandbox/control', { data: { refund: { payment, amount: 400 } } })
  await expect(row.getByText('Refunded $4.00')).toBeVisible()
  await page.request.post('/sandbox/control', { data: { dispute: { payment } } })
  await expect(row.getByText('Disputed')).toBeVisible()
  await expectNoViolations(page)
  await page.setViewportSize({ width: 320, height: 800 })
  await expect(row.getByText('Disputed')).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  await page.request.post('/sandbox/control', { data: { dispute: { payment, outcome: 'lost' } } })
  await expect(row.getByText('Dispute lost')).toBeVisible()
  await page.setViewportSize({ width: 718, height: 1000 })
  await page.emulateMedia({ media: 'print' })
  await expect(row.getByText('Refunded $4.00')).toBeVisible()
  await expect(row.getByText('Dispute lost')).toBeVisible()
})

/** What the sandbox knows the project's only payment by. */
async function paymentOf(page: Page, subscriptionId: string) {
  const known = await (await page.request.get('/sandbox/control.json')).json()
  const { customers, payments } = known as { customers: CustomerShown[]; payments: PaymentShown[] }
  const customer = customers.find((each) => each.metadata['subscriptionId'] === subscriptionId)!
  return payments.find((each) => each.customer === customer.id)!.id
}
