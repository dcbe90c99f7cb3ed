import type { Page } from '@playwright/test'
import { annsProject, ask } from './projects.ts'
import { expect, hold, test } from './visitor.ts'

/** Opens the activity of a project with 14 entries. */
async function openFourteenLines(page: Page) {
  const id = await annsProject(page, { plan: 'free' })
  for (let name = 1; name <= 12; name++)
    await ask(page, 'updateSubscriptionSettings', {
      subscriptionId: id,
      settings: { name: `Bridge ${name}` },
    })
  await page.goto(`/subscription/${id}/activity`)
  await expect(page.getByText('Showing 1 to 10 of 14 results')).toBeVisible()
}

/** Rows of the table, with its head. */
const rows = (page: Page) => page.getByRole('table').getByRole('row')

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 800 }, expectedRefusals: ['listActivity'] })

  test('more rows are added below, and the focus moves to the first of them', async ({ page }) => {
    await openFourteenLines(page)
    await expect(page.getByRole('button', { name: 'Next page' })).toHaveCount(0)
    await expect(page.getByLabel('Items per page')).toBeHidden()
    const more = page.getByRole('button', { name: 'Load more' })
    const letGo = await hold(page, '**/api/listActivity')
    await more.focus()
    await page.keyboard.press('Enter')
    await expect(more).toHaveAttribute('aria-busy', 'true')
    await expect(rows(page)).toHaveCount(11)
    letGo()
    await expect(page.getByText('Showing 1 to 14 of 14 results')).toBeVisible()
    await expect(rows(page)).toHaveCount(15)
    await expect(rows(page).nth(11)).toBeFocused()
    await expect(more).toHaveCount(0)
    await page.reload()
    await expect(rows(page)).toHaveCount(15)
  })

  test('the same button asks again for rows that failed to load', async ({ page }) => {
    await openFourteenLines(page)
    let isRefused = true
    await page.route('**/api/listActivity', (route) =>
      isRefused
        ? route.fulfill({ status: 500, json: { error: { details: { reason: 'internal' } } } })
        : route.continue(),
    )
    await page.getByRole('button', { name: 'Load more' }).click()
    await expect(
      page.getByRole('navigation', { name: 'Pages' }).getByText('Something went wrong'),
    ).toBeVisible()
    await expect(rows(page)).toHaveCount(11)
    isRefused = false
    await page.getByRole('button', { name: 'Load more' }).click()
    await expect(rows(page)).toHaveCount(15)
    await expect(rows(page).nth(11)).toBeFocused()
  })
})

test('on a wide screen a list has pages', async ({ page }) => {
  await openFourteenLines(page)
  await expect(page.getByRole('button', { name: 'Load more' })).toBeHidden()
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page.getByText('Showing 11 to 14 of 14 results')).toBeVisible()
  await expect(rows(page)).toHaveCount(5)
  await expect(page).toHaveURL(/\?page=2$/)
  await page.goto(page.url().replace('page=2', 'page=9'))
  await expect(rows(page)).toHaveCount(5)
  await expect(page).toHaveURL(/\?page=2$/)
})
