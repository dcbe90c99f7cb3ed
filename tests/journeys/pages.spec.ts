import type { Page } from '@playwright/test'
import { annsProject, renames } from './projects.ts'
import { expect, hold, refuseNext, shows, test } from './visitor.ts'

/** Opens the activity of a project with 14 entries. */
async function openFourteenLines(page: Page) {
  const id = await annsProject(page)
  for (let name = 1; name <= 12; name++) await renames(page, id, `Bridge ${name}`)
  await page.goto(`/subscription/${id}/activity`)
  await shows(page, 'Showing 1 to 10 of 14 results')
}

/** The rows of the table, its header included. */
const rows = (page: Page) => page.getByRole('table').getByRole('row')

test('on a phone “Load more” adds rows below, even after a failure', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 })
  await openFourteenLines(page)
  await expect(page.getByRole('button', { name: 'Next page' })).toHaveCount(0)
  await expect(page.getByLabel('Items per page')).toBeHidden()
  const more = page.getByRole('button', { name: 'Load more' })
  const recover = await refuseNext(page, 'listActivity', 'internal', Infinity)
  await more.click()
  await shows(page.getByRole('navigation', { name: 'Pages' }), 'Something went wrong')
  await expect(rows(page)).toHaveCount(11)
  recover()
  const letGo = await hold(page, '**/api/listActivity')
  await more.focus()
  await page.keyboard.press('Enter')
  await expect(more).toHaveAttribute('aria-busy', 'true')
  await expect(rows(page)).toHaveCount(11)
  letGo()
  await shows(page, 'Showing 1 to 14 of 14 results')
  await expect(rows(page)).toHaveCount(15)
  await expect(rows(page).nth(11)).toBeFocused()
  await expect(more).toHaveCount(0)
  await page.reload()
  await expect(rows(page)).toHaveCount(15)
})

test('a list has pages where its table has columns, and “Load more” where rows fold', async ({
  page,
}) => {
  await openFourteenLines(page)
  for (const width of [390, 640, 700, 768, 1024]) {
    await page.setViewportSize({ width, height: 800 })
    const isFolded =
      (await rows(page)
        .nth(1)
        .evaluate((row) => getComputedStyle(row).display)) === 'grid'
    expect(isFolded).toBe(width < 700)
    const more = page.getByRole('button', { name: 'Load more' })
    await expect(more).toBeVisible({ visible: isFolded })
    const next = page.getByRole('button', { name: 'Next page' })
    await expect(next).toBeVisible({ visible: !isFolded })
  }
})

test('on a wide screen a list has pages', async ({ page }) => {
  await openFourteenLines(page)
  await expect(page.getByRole('button', { name: 'Load more' })).toBeHidden()
  await page.getByRole('button', { name: 'Next page' }).click()
  await shows(page, 'Showing 11 to 14 of 14 results')
  await expect(rows(page)).toHaveCount(5)
  await expect(page).toHaveURL(/\?page=2$/)
  await page.goto(page.url().replace('page=2', 'page=9'))
  await expect(rows(page)).toHaveCount(5)
  await expect(page).toHaveURL(/\?page=2$/)
})
