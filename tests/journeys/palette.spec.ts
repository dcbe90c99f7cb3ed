import type { CallInput } from '#contract/calls.ts'
import { expectNoViolations } from './check-screen.ts'
import { signedInAs } from './people.ts'
import { annsProject, aProject } from './projects.ts'
import { expect, nextFrames, shows, test } from './visitor.ts'

test('the palette opens pages and projects and runs actions by keyboard', async ({ page }) => {
  await signedInAs(page, 'Ann Archer')
  await aProject(page, { name: 'Übersicht' })
  const id = await aProject(page)
  await page.goto(`/subscription/${id}`)
  await expect(page.getByRole('heading', { name: 'Bridge renewal' })).toBeVisible()
  const account = page.getByRole('button', { name: 'Your account' })
  const palette = page.getByRole('dialog', { name: 'Search pages, actions and projects' })
  const field = palette.getByRole('combobox')
  const active = palette.getByRole('option', { selected: true })
  const first = palette.getByRole('option').first()

  await account.focus()
  await page.keyboard.press('Control+k')
  await expect(field).toBeFocused()
  const groups = palette.getByRole('group')
  await expect(groups.nth(0)).toHaveAccessibleName('From here')
  await expect(groups.nth(1)).toHaveAccessibleName('Bridge renewal')
  await expect(groups.nth(1).getByRole('option').first()).toHaveText('Dashboard')
  await expect(first).toHaveAttribute('aria-selected', 'true')
  await expect(palette.getByRole('option', { name: 'Übersicht' })).toBeVisible()
  await page.keyboard.press('End')
  await expect(active).toContainText('Übersicht')
  await page.keyboard.press('ArrowDown')
  await expect(first).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Home')
  await expect(first).toHaveAttribute('aria-selected', 'true')
  await expectNoViolations(page)
  await field.fill('nothing of the kind')
  await shows(palette, 'Nothing matches “nothing of the kind”.')
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
  const last = palette.getByRole('group', { name: 'Recent' }).getByRole('option')
  await expect(last).toHaveText([/Übersicht/])
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

test('the palette finds commands by other words, in the person’s language and in English', async ({
  page,
}) => {
  await signedInAs(page, 'Ann Archer')
  const id = await aProject(page, { plan: 'pro' })
  await page.goto(`/subscription/${id}`)
  await page.getByRole('button', { name: 'Search' }).click()
  const active = page.locator('dialog[open]').getByRole('option', { selected: true })
  const field = page.locator('dialog[open] input')
  for (const [typed, found] of [
    ['invoice', 'Invoices'],
    ['card', 'Manage payment methods'],
    ['upgrade', 'Change plan'],
    ['price', 'Change plan'],
    ['members', 'Users'],
    ['team', 'Users'],
    ['log out', /^sign out$/i],
    ['set', 'Settings'],
  ] as const) {
    await field.fill(typed)
    await expect(active, typed).toHaveText(found)
  }
  await field.fill('deutsch')
  await page.keyboard.press('Enter')
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await page.keyboard.press('Control+k')
  for (const typed of ['log out', 'ausloggen']) {
    await field.fill(typed)
    await expect(active, typed).toHaveText(/^sign out$/i)
  }
  await field.fill('invoice')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/billing#invoices$/)
  await expect(page.locator('section:focus')).toContainText('Invoices')
  await expect(page.locator('section:focus')).toBeInViewport()
})

test('the palette knows languages by their names here, and invites an address typed into it', async ({
  page,
}) => {
  const id = await annsProject(page, { screen: 'users' })
  await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible()
  await page.keyboard.press('Control+k')
  const field = page.locator('dialog[open] input')
  await field.fill('germna')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('option', { selected: true })).toHaveText('Switch to Deutsch')
  await field.fill('translation')
  await expect(dialog.getByRole('option', { selected: true })).toContainText('Switch to')
  await field.fill('invite bob@example.com')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`${id}/users/invite$`))
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue('bob@example.com')
  await expect(page.getByLabel(/^Name/)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('row').filter({ hasText: 'bob@example.com' })).toBeVisible()
})

test('the palette begins with what one does on the open screen', async ({ page }) => {
  await signedInAs(page, 'Ann Archer')
  const id = await aProject(page, { plan: 'pro' })
  const here = page.getByRole('dialog').getByRole('group', { name: 'From here' })
  for (const [path, actions] of [
    ['users', ['Invite user', 'Invite several people at once']],
    ['billing', ['Invoices', 'Change plan', 'Manage payment methods']],
  ] as const) {
    await page.goto(`/subscription/${id}/${path}`)
    await page.getByRole('button', { name: 'Search' }).click()
    for (const [place, action] of actions.entries())
      await expect(here.getByRole('option').nth(place)).toHaveText(action)
    await page.keyboard.press('Escape')
  }
})

test('an administrator finds people of the open project, and projects by a part of their id', async ({
  page,
  another,
}) => {
  const ann = await another()
  await signedInAs(page, 'Bob Baker')
  const id = await annsProject(ann, { member: page })
  const other = await aProject(ann, { name: 'Elsewhere' })
  await ann.goto(`/subscription/${id}`)
  await ann.getByRole('button', { name: 'Search' }).click()
  const field = ann.getByRole('dialog').getByRole('combobox')
  // The screen behind the palette asks for people too, and any call may come again.
  const searches = new Set<string>()
  ann.on('request', (request) => {
    if (!request.url().endsWith('/getSubscriptionUsers')) return
    const { data } = request.postDataJSON() as { data: CallInput<'getSubscriptionUsers'> }
    if (data.search !== undefined) searches.add(data.search)
  })
  // However slow the machine is, the page sees 80 ms between two keys.
  await ann.clock.install()
  await ann.clock.pauseAt(Date.now() + 60_000)
  for (const key of 'bob ba') {
    await field.press(key)
    await ann.clock.runFor(80)
  }
  await ann.clock.resume()
  const people = ann.getByRole('dialog').getByRole('group', { name: 'People' })
  await expect(people.getByRole('option')).toHaveText([/^Bob Baker/])
  expect([...searches]).toEqual(['bob ba'])
  await field.fill(other.slice(0, 10))
  await expect(ann.getByRole('dialog').getByRole('option')).toHaveText([/^Elsewhere/])
  await field.fill('baker')
  await people.getByRole('option').click()
  await expect(ann).toHaveURL(/\/users\?search=/)
  await expect(ann.getByRole('row').filter({ hasText: 'Bob Baker' })).toBeVisible()
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
  await signedInAs(page, 'Bob Baker')
  const id = await annsProject(await another(), { member: page })
  await page.goto(`/subscription/${id}`)
  await page.getByRole('button', { name: 'Search' }).click()
  const options = page.getByRole('dialog').getByRole('option')
  await expect(options.filter({ hasText: 'Dashboard' })).toBeVisible()
  for (const closed of ['Billing Information', 'Users', 'Invite user', 'Change plan'])
    await expect(options.filter({ hasText: closed })).toHaveCount(0)
})
