import type { Page } from '@playwright/test'
import { expectNoViolations } from './check-screen.ts'
import { signedInAs } from './people.ts'
import { annsProject, ask, challengePath } from './projects.ts'
import { expect, shows, test } from './visitor.ts'

test('the sandbox’s pages are accessible, wide and narrow, light and dark', async ({ page }) => {
  test.slow()
  const invoice = await anInvoice(page)
  const challenge = await challengePath(page)
  for (const path of [invoice, challenge, '/sandbox', '/sandbox/clock', '/sandbox/control']) {
    await page.goto(path)
    for (const width of [1280, 390, 320]) {
      await page.setViewportSize({ width, height: 800 })
      const actual = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(actual, path).toBeLessThanOrEqual(width)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await expectNoViolations(page)
      }
    }
  }
})

test('an invoice prints black on white without its button, and is a PDF', async ({ page }) => {
  await page.goto(await anInvoice(page))
  const rows = page.getByRole('table', { name: 'What was billed' }).getByRole('row')
  await expect(rows).toContainText(['Unit price', 'Pergola Pro, weekly', 'Total', 'Amount paid'])
  await expect(rows.last()).toContainText('$10.00')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Download PDF' })).toBeFocused()
  const download = page.waitForEvent('download')
  await page.keyboard.press('Enter')
  expect((await download).suggestedFilename()).toMatch(/^invoice-\w+-0001\.pdf$/)
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(page.getByRole('link')).toHaveCount(0)
  await expect(page.locator('body')).toHaveCSS('color', 'rgb(0, 0, 0)')
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)')
})

test('a buyer answers 3-D Secure by keyboard', async ({ page }) => {
  await signedInAs(page, 'Ann Archer')
  await page.goto(await challengePath(page))
  await shows(page, 'Pergola asks to pay $10.00 with the card ending in 3184.')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Complete authentication' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading')).toHaveText('Authentication complete')
})

/** Makes a paid project and returns the path of its first invoice. */
async function anInvoice(page: Page) {
  const subscriptionId = await annsProject(page, { plan: 'pro' })
  const { invoices } = await ask(page, 'listInvoices', { subscriptionId, page: 1, pageSize: 10 })
  return new URL(invoices[0]!.hosted_invoice_url!).pathname
}
