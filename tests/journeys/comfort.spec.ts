import type { Reason } from '#contract/refusals.ts'
import type { Page } from '@playwright/test'
import { expectNoViolations } from './check-screen.ts'
import { newAddress } from './people.ts'
import { annsProject, ask, joins, switchToCard } from './projects.ts'
import { expect, nextFrames, test } from './visitor.ts'

test.describe('what worked', () => {
  test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

  test('is said in the corner, waits while it is looked at, goes by itself, and is put away by keyboard', async ({
    page,
  }) => {
    const id = await annsProject(page, { plan: 'free' })
    await page.goto(`/subscription/${id}`)
    const said = page.getByRole('region', { name: 'What was done' }).getByText('Copied')
    const copy = page.getByRole('button', { name: 'Copy ID' })
    await copy.click()
    await said.hover()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(id)
    await expectNoViolations(page)
    await page.getByRole('link', { name: 'Projects' }).press('Enter')
    await expect(page.getByRole('heading', { name: 'Your projects' })).toBeVisible()
    await page.clock.install()
    await page.clock.runFor(20_000)
    await expect(said).toBeVisible()
    await page.mouse.move(0, 0)
    await page.clock.runFor(8_000)
    await expect(said).toBeHidden()

    for (let times = 0; times < 4; times++) await copy.click()
    await expect(said).toHaveCount(3)
    await page.getByRole('button', { name: 'Dismiss' }).last().press('Enter')
    await expect(said).toHaveCount(2)
    await copy.focus()
    await page.keyboard.press('Escape')
    await expect(said).toHaveCount(1)
    await expect(copy).toBeFocused()
  })
})

test('without a connection the screen says so and stays; with one it goes on by itself', async ({
  browser,
}) => {
  // The browser reports each request that it can't make.
  const context = await browser.newContext({ baseURL: test.info().project.use.baseURL! })
  const page = await context.newPage()
  const id = await annsProject(page, { plan: 'free' })
  await page.goto(`/subscription/${id}/settings`)
  await expect(page.getByLabel('Project Name')).toHaveValue('Bridge renewal')
  const bar = page.getByText('No connection.')
  await context.setOffline(true)
  await expect(bar).toBeVisible()
  await page.getByLabel('Project Name').fill('Old ferry line')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await expect(page.getByText("The server can't be reached.")).toBeVisible()
  await page.getByRole('link', { name: 'Users' }).click()

  await ask(page, 'updateSubscriptionSettings', {
    subscriptionId: id,
    settings: { name: 'New tunnel' },
  })
  await context.setOffline(false)
  await expect(bar).toBeHidden()
  await expect(page.getByRole('row', { name: 'Ann Archer' })).toBeVisible()
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await expect(page.getByRole('heading', { name: 'New tunnel' })).toBeVisible()
  await context.close()
})

test('"back" leads past forms that are done with, and the history can be read', async ({
  page,
}) => {
  const id = await annsProject(page, { plan: 'free' })
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Bridge renewal' }).click()
  await expect(page).toHaveTitle('Bridge renewal · Atrium')
  await page.getByRole('link', { name: 'Users' }).click()
  await expect(page).toHaveTitle('Users · Bridge renewal · Atrium')
  await page.getByRole('searchbox').fill('ann')
  await expect(page).toHaveURL(/search=ann/)
  await page.getByRole('link', { name: 'Invite user' }).first().click()
  await expect(page).toHaveTitle('Invite user · Bridge renewal · Atrium')
  await page.getByLabel('E-mail', { exact: true }).fill(newAddress('annabel'))
  await page.getByRole('button', { name: 'Send invitation' }).click()
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

test.describe('a change that can be undone', () => {
  test.use({ expectedRefusals: ['setDefaultPaymentMethod', 'updateUserPermissions'] })

  test('is seen before the server has answered, and taken back when it is refused', async ({
    page,
    another,
  }) => {
    const id = await annsProject(page)
    await switchToCard(page, id, '5555555555554444')
    await page.goto(`/subscription/${id}/billing/payment-methods`)
    const visa = page.getByRole('listitem').filter({ hasText: '4242' })
    await expect(visa).toBeVisible()
    const badge = visa.getByText('Default', { exact: true })
    await expect(badge).toBeHidden()
    const answerCard = await holdNext(page, 'setDefaultPaymentMethod', 'paymentsUnavailable')
    await visa.getByRole('button', { name: 'Make default' }).click()
    await expect(badge).toBeVisible()
    // Nor does it go away because something else has changed meanwhile.
    await ask(page, 'updateSubscriptionSettings', {
      subscriptionId: id,
      settings: { name: 'Harbour' },
    })
    await expect(page).toHaveTitle(/Harbour/)
    await nextFrames(page)
    expect(await badge.isVisible()).toBe(true)
    answerCard()
    await expect(visa).toContainText('Failed to set as default')
    await expect(badge).toBeHidden()

    await joins(await another('Bob Baker'), page, id, ['admin'])
    await page.goto(`/subscription/${id}/users`)
    const bob = page.getByRole('row', { name: 'Bob Baker' })
    const answerPermissions = await holdNext(page, 'updateUserPermissions', 'internal')
    await page.getByRole('button', { name: 'Actions for Bob Baker' }).click()
    await page.getByRole('menuitem', { name: 'Edit permissions' }).click()
    await page.getByRole('checkbox', { name: 'Editor' }).check()
    await page.getByRole('button', { name: 'Save permissions' }).click()
    await expect(page.locator('tr', { hasText: 'Bob Baker' })).toContainText(
      'Access, Editor, Administrator',
    )
    answerPermissions()
    await expect(page.getByText('Failed to update permissions')).toBeVisible()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(bob).toContainText('Access, Administrator')
  })
})

/** The next answer of a call is a refusal, which comes when it is let go. */
async function holdNext(page: Page, name: string, reason: Reason) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const error = { status: 'UNAVAILABLE', message: '', details: { reason } }
  await page.route(`**/api/${name}`, async (route) => {
    await promise
    await route.fulfill({ status: 400, json: { error } })
  })
  return resolve
}
