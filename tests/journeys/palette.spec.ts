import { expectNoViolations } from './check-screen.ts'
import { signedInAs } from './people.ts'
import { annsProject, aProject, joins } from './projects.ts'
import { expect, nextFrames, test } from './visitor.ts'

test('the palette opens pages and projects and runs actions by keyboard, and returns the focus', async ({
  page,
}) => {
  await signedInAs(page, 'Ann Archer')
  await aProject(page, { plan: 'free', name: 'Übersicht' })
  const id = await aProject(page, { plan: 'free' })
  await page.goto(`/subscription/${id}`)
  await expect(page.getByRole('heading', { name: 'Bridge renewal' })).toBeVisible()
  const account = page.getByRole('button', { name: 'Your account' })
  const palette = page.getByRole('dialog', { name: 'Search pages, actions and projects' })
  const field = palette.getByRole('combobox')
  const active = palette.getByRole('option', { selected: true })

  await account.focus()
  await page.keyboard.press('Control+k')
  await expect(field).toBeFocused()
  await expect(active).toContainText('Dashboard')
  await expect(palette.getByRole('option', { name: 'Übersicht' })).toBeVisible()
  await page.keyboard.press('End')
  await expect(active).toContainText('Übersicht')
  await page.keyboard.press('ArrowDown')
  await expect(active).toContainText('Dashboard')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Home')
  await expect(active).toContainText('Dashboard')
  await expectNoViolations(page)
  await field.fill('nothing of the kind')
  await expect(palette.getByText('Nothing matches “nothing of the kind”.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(palette).toBeHidden()
  await expect(account).toBeFocused()

  await page.keyboard.press('Meta+k')
  await field.fill('ubers')
  await expect(active).toContainText('Übersicht')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Übersicht' })).toBeFocused()

  await page.getByRole('button', { name: 'Search' }).click()
  await expect(field).toBeFocused()
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Bridge renewal' })).toBeVisible()
  await expect(palette).toBeHidden()

  await page.getByRole('button', { name: 'Search' }).click()
  await expect(palette.getByRole('group', { name: 'Chosen last' }).getByRole('option')).toHaveText([
    /Übersicht/,
  ])
  await field.fill('several invite')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/users\/invite\?several$/)
  await page.keyboard.press('Control+k')
  await field.fill('deutsch')
  await page.keyboard.press('Enter')
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await page.keyboard.press('Control+k')
  await page.locator('dialog[open] input').fill('english')
  await page.keyboard.press('Enter')
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
})

test('the palette opens again at once after it was closed', async ({ page }) => {
  await signedInAs(page, 'Ann Archer')
  await page.goto('/dashboard')
  const palette = page.getByRole('dialog', { name: 'Search pages, actions and projects' })
  await page.getByRole('button', { name: 'Search' }).click()
  await palette.getByRole('combobox').fill('nothing of the kind')
  await page.evaluate(() => {
    document.querySelector<HTMLDialogElement>('dialog[open]')!.close()
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }))
  })
  await nextFrames(page)
  await expect(palette.getByRole('combobox')).toBeFocused()
  await expect(palette.getByRole('combobox')).toHaveValue('')
  await page.keyboard.press('Escape')
  await expect(palette).toHaveCount(0)
})

test('the palette offers a member only what a member may open', async ({ page, another }) => {
  const host = await another()
  const id = await annsProject(host, { plan: 'free' })
  await signedInAs(page, 'Bob Baker')
  await joins(page, host, id)
  await page.goto(`/subscription/${id}`)
  await page.getByRole('button', { name: 'Search' }).click()
  const options = page.getByRole('dialog').getByRole('option')
  await expect(options.filter({ hasText: 'Dashboard' })).toBeVisible()
  for (const closed of ['Billing Information', 'Users', 'Invite user', 'Change plan'])
    await expect(options.filter({ hasText: closed })).toHaveCount(0)
})
