import { projectPath } from '#contract/paths.ts'
import type { Page } from '@playwright/test'
import { expectNoViolations } from './check-screen.ts'
import { signedInAs } from './people.ts'
import { annsProject, joins } from './projects.ts'
import { expect, test } from './visitor.ts'

const sheet = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' })

test('single keys lead through a project, and not while somebody types', async ({
  page,
  another,
}) => {
  const id = await annsProject(page)
  await joins(await another('Bob Baker'), page, id)
  await page.goto(projectPath('subscription', id))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bridge renewal')
  await page.keyboard.press('g')
  await page.keyboard.press('u')
  await expect(page).toHaveURL(/\/users$/)
  const bob = page.getByRole('row', { name: 'Bob Baker' })
  await expect(bob).toBeVisible()
  await page.keyboard.press('/')
  const search = page.getByRole('searchbox', { name: 'Search by name or email' })
  await expect(search).toBeFocused()
  await page.keyboard.type('gd?')
  await expect(search).toHaveValue('gd?')
  await expect(page).toHaveURL(/\/users/)
  await search.fill('')
  await expect(bob).toBeVisible()
  await search.blur()

  await page.keyboard.press('k')
  await expect(bob.locator(':focus')).toHaveCount(1)
  await page.keyboard.press('e')
  await expect(page.getByRole('menuitemradio', { name: 'Editor' })).toBeVisible()
  await page.keyboard.press('Escape')
})

test('a sheet lists the keys, and switches single keys off', async ({ page }) => {
  await annsProject(page, { screen: 'subscription' })
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bridge renewal')
  await page.keyboard.press('?')
  await expect(sheet(page)).toContainText('Users')
  await expectNoViolations(page)
  await sheet(page)
    .getByRole('checkbox', { name: /single keys/ })
    .uncheck()
  await sheet(page).getByRole('button', { name: 'Close' }).click()
  await page.keyboard.press('?')
  await expect(sheet(page)).toHaveCount(0)
  await page.goto('/profile')
  const choice = page.getByRole('checkbox', { name: /single keys/ })
  await expect(choice).not.toBeChecked()
  await choice.check()
  await choice.blur()
  await page.keyboard.press('?')
  await expect(sheet(page)).toBeVisible()
})

test('language and theme are chosen in the profile', async ({ page }) => {
  await annsProject(page)
  await page.goto('/profile')
  await page.getByLabel('Theme').selectOption('Dark')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.getByRole('main').getByLabel('Language').selectOption('Deutsch')
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
})

test('tables have low rows, and lower ones for who wants more on a screen', async ({
  page,
  another,
}) => {
  const id = await annsProject(page, { member: await another('Bob Baker') })
  const row = page.getByRole('row', { name: 'Bob Baker' })
  const height = async () => (await row.boundingBox())!.height
  await page.goto(projectPath('users', id))
  expect(await height()).toBeLessThanOrEqual(45)
  await page.goto('/profile')
  await page.getByLabel('Rows of tables').selectOption('Compact')
  await page.goto(projectPath('users', id))
  expect(await height()).toBeLessThanOrEqual(37)
})

test('times are in the zone that somebody has chosen in this browser, in all tabs', async ({
  page,
}) => {
  await signedInAs(page, 'Ann Archer')
  await page.goto('/profile')
  const since = (tab: Page) => tab.getByText(/^\w+ \d+, \d{4}, \d+:\d\d [AP]M$/).first()
  const other = await page.context().newPage()
  await other.goto('/profile')
  const usual = await since(other).innerText()
  const zone = page.getByLabel('Time zone')
  await expect(zone).toHaveValue('')
  await zone.selectOption('Pacific/Kiritimati')
  for (const tab of [page, other]) await expect(since(tab)).not.toHaveText(usual)
  await page.reload()
  await expect(zone).toHaveValue('Pacific/Kiritimati')
  await zone.selectOption('')
  for (const tab of [page, other]) await expect(since(tab)).toHaveText(usual)
})
