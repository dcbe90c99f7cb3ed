import { expectNoViolations } from './check-screen.ts'
import { chooseFor, fillCard, fillCheckout, newAddress, openCheckout, submit } from './people.ts'
import { annsProject, invites, renames, switchToCard } from './projects.ts'
import { expect, hold, nextFrames, refuseNext, shows, test } from './visitor.ts'

test('a toast says what worked until the user dismisses it', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.clock.install()
  const id = await annsProject(page, { screen: 'subscription' })
  const said = page.getByRole('region', { name: 'Notifications' }).getByText('Copied')
  const search = page.getByRole('button', { name: 'Search' })
  const copy = async () => {
    await search.click()
    await page.getByRole('dialog').getByRole('combobox').fill('project id')
    await page.getByRole('option', { name: 'Copy project ID' }).click()
  }
  await copy()
  await said.hover()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(id)
  await expectNoViolations(page)
  await page.getByRole('link', { name: 'Projects' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Your projects' })).toBeVisible()
  // What still loads would run into its time limit.
  await expect(page.getByRole('button', { name: 'Copy ID' })).toBeVisible()
  await page.clock.runFor(20_000)
  await expect(said).toBeVisible()
  await page.mouse.move(0, 0)
  await page.clock.runFor(8_000)
  await expect(said).toBeHidden()

  await page.getByRole('link', { name: 'Bridge renewal' }).click()
  await expect(page.getByRole('button', { name: 'Copy ID' })).toBeVisible()
  await page.clock.pauseAt(Date.now() + 60_000)
  for (const count of [1, 2, 3]) {
    await copy()
    await expect(said).toHaveCount(count)
  }
  const oldest = await said.first().elementHandle()
  await copy()
  await oldest!.waitForElementState('hidden')
  await expect(said).toHaveCount(3)
  await page.getByRole('button', { name: 'Dismiss' }).last().press('Enter')
  await expect(said).toHaveCount(2)
  await search.focus()
  await page.keyboard.press('Escape')
  await expect(said).toHaveCount(1)
  await expect(search).toBeFocused()
})

test('the button beside an ID marks that it is copied, and tells screen readers', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.clock.install()
  const id = await annsProject(page, { screen: 'subscription' })
  await page.getByRole('button', { name: 'Copy ID' }).click()
  const told = page.getByRole('status').filter({ hasText: 'Copied' })
  await expect(told).toHaveCount(1)
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(id)
  await page.clock.runFor(2000)
  await expect(told).toHaveCount(0)
})

test('a toast covers no bar with buttons, and nothing to press where there is room', async ({
  page,
}) => {
  const id = await annsProject(page, { plan: 'pro' })
  for (let index = 0; index < 12; index++) await invites(page, id, newAddress(`guest${index}`))
  const toasts = page.getByRole('region', { name: 'Notifications' })
  const covered = (what: string) =>
    page.evaluate((what) => {
      const toast = document.querySelector('[aria-label=Notifications] button')!.parentElement!
      const { left, right, top, bottom } = toast.getBoundingClientRect()
      return [...document.querySelectorAll(`main :is(${what})`)].filter((each) => {
        const box = each.getBoundingClientRect()
        const isBeside = box.left >= right || box.right <= left
        return box.width > 1 && !isBeside && box.top < bottom && box.bottom > top
      }).length
    }, what)
  const anything = 'a, button, input, select'
  const bars = '[aria-label="Selected people"], nav button, nav select'
  const wanted = { 1280: anything, 390: bars }
  for (const width of [1280, 390] as const) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto(`/subscription/${id}/users`)
    await page.clock.install()
    await chooseFor(page, `guest${width === 390 ? 1 : 2}-`, 'Resend invitation')
    await shows(toasts, /We sent a new link/)
    expect(await covered(anything)).toBe(0)
    if (width === 390) await page.getByRole('button', { name: 'Select people' }).click()
    for (const index of [2, 3])
      await page.getByRole('checkbox', { name: /guest/ }).nth(index).check()
    await page.mouse.move(0, 0)
    await expect.poll(() => covered(wanted[width])).toBe(0)
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await expect.poll(() => covered(wanted[width])).toBe(0)
    await page.getByRole('button', { name: 'Clear selection' }).click()
    await page.mouse.move(0, 0)
    await expect.poll(() => covered(wanted[width])).toBe(0)
  }
})

test('the screen says that it is offline, and goes on once it is online', async ({ context }) => {
  // This page isn't watched for errors: the browser reports each request that it can't make.
  const page = await context.newPage()
  const id = await annsProject(page, { screen: 'settings' })
  await expect(page.getByLabel('Project Name')).toHaveValue('Bridge renewal')
  const bar = page.getByText("You're offline.")
  const places = () =>
    page
      .locator('h1, main :is(input, button), nav a')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().y))
  await shows(page, 'Make a token', '1 member has not set it up yet.')
  const before = await places()
  await context.setOffline(true)
  await expect(bar).toBeInViewport()
  expect(await places()).toEqual(before)
  await submit(page, 'Save settings', { 'Project Name': 'Old ferry line' })
  await shows(page, "We can't reach the server.")
  await page.getByRole('link', { name: 'Users' }).click()

  await renames(page, id, 'New tunnel')
  await context.setOffline(false)
  await expect(bar).toBeHidden()
  await expect(page.getByRole('row', { name: 'Ann Archer' })).toBeVisible()
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await expect(page.getByRole('heading', { name: 'New tunnel' })).toBeVisible()
})

test('the back button skips finished forms; history entries have titles', async ({ page }) => {
  const id = await annsProject(page)
  await invites(page, id, newAddress('zoe'))
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Bridge renewal' }).click()
  await expect(page).toHaveTitle('Bridge renewal · Pergola')
  await page.getByRole('link', { name: 'Users' }).click()
  await expect(page).toHaveTitle('Users · Bridge renewal · Pergola')
  await page.getByRole('searchbox').fill('ann')
  await expect(page).toHaveURL(/search=ann/)
  await page.getByRole('link', { name: 'Invite user' }).first().click()
  await expect(page).toHaveTitle('Invite user · Bridge renewal · Pergola')
  await submit(page, 'Send invitation', { Email: newAddress('annabel') })
  await expect(page).toHaveURL(/\/users\?search=ann$/)
  await page.goBack()
  await expect(page).toHaveURL(new RegExp(`/subscription/${id}$`))

  await page.getByRole('link', { name: 'Billing Information' }).click()
  await page.getByRole('link', { name: 'Change plan' }).click()
  await page.getByRole('button', { name: 'Choose Pro' }).click()
  await page.getByRole('link', { name: 'Cancel', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Choose Pro' })).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(/\/billing$/)

  await page.goto('/create-plan')
  await page.getByRole('button', { name: 'Choose Free' }).click()
  await expect(page).toHaveURL(/\/settings$/)
  await page.goBack()
  await expect(page).toHaveURL(/\/billing$/)
})

test('a form leads to the top of the next screen, Back and Forward to the place', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 480 })
  const place = () => page.evaluate(() => scrollY)
  const title = (name: string) => page.getByRole('heading', { level: 1, name })
  const link = (name: string) => page.getByRole('link', { name, exact: true })
  const atTop = async (name: string) => {
    await expect(title(name)).toBeVisible()
    await nextFrames(page)
    expect(await place(), name).toBe(0)
  }
  await openCheckout(page)
  await fillCheckout(page, '4242424242424242')
  await page.getByLabel('Project Name').fill('')
  await page.getByRole('button', { name: /^Pay/ }).click()
  await atTop('Name your project')
  await link('Later').click()
  await page.getByRole('button', { name: 'Open menu' }).click()
  await link('Billing Information').click()
  await atTop('Billing Information')

  await link('Update billing details').click()
  await atTop('Billing details')
  await page.goBack()
  await expect.poll(place).toBeGreaterThan(100)
  const before = await place()
  await page.goForward()
  await atTop('Billing details')
  await link('Cancel').click()
  await expect.poll(place).toBe(before)
  await link('Update billing details').click()
  await atTop('Billing details')
  await submit(page, 'Save billing details')
  await atTop('Billing Information')

  await link('Manage payment methods').click()
  await page.getByRole('link', { name: 'Add card' }).first().click()
  await fillCard(page, '5555555555554444')
  await submit(page, 'Save card', { 'Cardholder name': 'Ann' })
  await expect(page.getByText('4444')).toBeVisible()
  expect(await place()).toBe(0)
  await link('Billing Information').click()
  await link('Cancel subscription').click()
  await page.getByLabel('Type the project ID').fill(page.url().split('/')[4]!)
  await page.getByRole('button', { name: 'Cancel subscription' }).click()
  await atTop('Billing Information')
})

test('a change shows at once and goes away if the server refuses it', async ({ page, another }) => {
  const id = await annsProject(page, { plan: 'pro', admin: await another('Bob Baker') })
  await switchToCard(page, id, '5555555555554444')
  await page.goto(`/subscription/${id}/billing/payment-methods`)
  const visa = page.getByRole('listitem').filter({ hasText: '4242' })
  await expect(visa).toBeVisible()
  const badge = visa.getByText('Default', { exact: true })
  await expect(badge).toBeHidden()
  await refuseNext(page, 'setDefaultPaymentMethod', 'paymentsUnavailable')
  const answerCard = await hold(page, '**/api/setDefaultPaymentMethod')
  await visa.getByRole('button', { name: 'Make default' }).click()
  await expect(badge).toBeVisible()
  // The change stays visible when something else changes before the answer.
  await renames(page, id, 'Harbour')
  await expect(page).toHaveTitle(/Harbour/)
  await nextFrames(page)
  expect(await badge.isVisible()).toBe(true)
  answerCard()
  await expect(visa).toContainText('Failed to set as default')
  await expect(badge).toBeHidden()

  await page.goto(`/subscription/${id}/users`)
  await refuseNext(page, 'updateUserPermissions', 'internal')
  const answerPermissions = await hold(page, '**/api/updateUserPermissions')
  await chooseFor(page, 'Bob Baker', 'Edit permissions')
  await page.getByRole('checkbox', { name: 'Editor' }).check()
  await page.getByRole('button', { name: 'Save permissions' }).click()
  const behind = page.locator('tr', { hasText: 'Bob Baker' })
  await expect(behind).toContainText('EditorAdministrator')
  answerPermissions()
  await shows(page, 'Failed to update permissions')
  await page.getByRole('button', { name: 'Cancel' }).click()
  const row = page.getByRole('row', { name: 'Bob Baker' })
  await expect(row).toContainText('Administrator')
  await expect(row).not.toContainText('Editor')
})
