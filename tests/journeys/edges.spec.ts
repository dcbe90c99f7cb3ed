import type { Page } from '@playwright/test'
import { chooseFor, newAddress, signedInAs } from './people.ts'
import { annsProject, invites } from './projects.ts'
import { expect, shows, test } from './visitor.ts'

/** Makes the next change on the page fail in our own code, before anything is sent. */
function slipOnce(page: Page) {
  return page.evaluate(() => {
    const own = Object.getOwnPropertyDescriptor(Headers.prototype, 'set')!
    Headers.prototype.set = function slip(name: string, value: string) {
      if (name !== 'Idempotency-Key') return void own.value.call(this, name, value)
      Object.defineProperty(Headers.prototype, 'set', own)
      throw new TypeError('a slip')
    }
  })
}

/** Says to the page that its tab is hidden, or is not. */
function hide(page: Page, hidden: boolean) {
  return page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden })
    document.dispatchEvent(new Event('visibilitychange'))
  }, hidden)
}

test('permissions are saved after a look at who could own the project', async ({
  page,
  another,
}) => {
  const id = await annsProject(page, { member: await another('Bob Baker'), plan: 'pro' })
  await page.goto(`/subscription/${id}/billing/transfer-ownership`)
  await shows(page, 'No eligible admin users found')
  await page.getByRole('link', { name: 'Users' }).first().click()
  await chooseFor(page, 'Bob Baker', 'Edit permissions')
  await page.getByRole('checkbox', { name: 'Editor' }).check()
  await page.getByRole('button', { name: 'Save permissions' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('row', { name: 'Bob Baker' })).toContainText('Editor')
})

test('a button comes back after an error that nobody expected', async ({ page }) => {
  const id = await annsProject(page)
  const email = newAddress('bob')
  await invites(page, id, email)
  // This page isn't watched for errors, because the test expects one in its log.
  const tab = await page.context().newPage()
  await tab.goto('/edit-name')
  const save = tab.getByRole('button', { name: 'Save name' })
  await save.waitFor()
  await slipOnce(tab)
  await save.click()
  await shows(tab, 'Something went wrong')
  await save.click()
  await expect(tab).toHaveURL(/profile$/)

  await tab.goto(`/subscription/${id}/users`)
  await tab.getByRole('checkbox', { name: `Select ${email}` }).check()
  await tab.getByRole('button', { name: /^Revoke/ }).click()
  await slipOnce(tab)
  const dialog = tab.getByRole('dialog')
  await dialog.getByRole('button', { name: /^Revoke/ }).click()
  await shows(dialog, 'Something went wrong')
  await dialog.getByRole('button', { name: /again/ }).click()
  await expect(tab.getByText(email)).toHaveCount(0)
})

test('a link with any page numbers asks for a few pages, and leads to the last one', async ({
  page,
}) => {
  const id = await annsProject(page)
  let asked = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/listActivity')) asked++
  })
  for (const query of ['page=1000000&from=1', 'page=1e300&from=-5', 'page=Infinity&from=NaN']) {
    await page.goto(`/subscription/${id}/activity?${query}`)
    await shows(page, /created the project/)
  }
  expect(asked).toBeLessThan(100)
})

test('a hidden tab leaves the live stream to a visible one at once', async ({ page }) => {
  await signedInAs(page, 'Ann Archer')
  await page.clock.install()
  let opened = 0
  // A server that is away for a while.
  await page.route('**/live', async (route) => {
    opened++
    if (opened < 8) await route.fulfill({ status: 204 })
  })
  await page.goto('/dashboard')
  for (let last = 0; opened < 8; last = opened) {
    await expect.poll(() => opened).toBeGreaterThan(last)
    await page.clock.runFor(30_000)
  }
  const visible = await page.context().newPage()
  const stream = visible.waitForRequest('**/live')
  await visible.goto('/dashboard')
  const waiting = () => visible.evaluate(async () => (await navigator.locks.query()).pending)
  await expect.poll(waiting).toHaveLength(1)
  await page.clock.pauseAt(Date.now() + 3_600_000)
  await hide(page, true)
  await page.clock.runFor(15_100)
  await stream
})
