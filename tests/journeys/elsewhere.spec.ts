import { limits } from '#config/limits.ts'
import type { Browser, Page } from '@playwright/test'
import { signedInAs } from './people.ts'
import { aProject, joinsAsAdmin } from './projects.ts'
import { expect, expectPassing, hold, test } from './visitor.ts'

// Whoever has chosen where to go is not led elsewhere by what they did before, even while the next screen is on its way.

/** Timers of so many milliseconds run when a link is followed, before the next screen is drawn: nobody could be quicker. */
async function holdTimers(page: Page, held: number) {
  await page.addInitScript((held) => {
    const setTimeout = window.setTimeout.bind(window)
    const clearTimeout = window.clearTimeout.bind(window)
    const waiting = new Map<number, () => void>()
    window.setTimeout = ((run: () => void, delay?: number) => {
      if (delay !== held) return setTimeout(run, delay)
      waiting.set(-waiting.size - 1, run)
      return -waiting.size
    }) as typeof window.setTimeout
    window.clearTimeout = (id) => (waiting.delete(Number(id)) ? undefined : clearTimeout(id))
    Object.assign(window, { waiting })
  }, held)
  return (href: string) =>
    page.evaluate((href) => {
      const { waiting } = window as unknown as { waiting: Map<number, () => void> }
      document.querySelector<HTMLElement>(`a[href="${href}"]`)!.click()
      for (const run of waiting.values()) run()
      return waiting.size
    }, href)
}

test('a search that was typed just before a link was followed', async ({ page }) => {
  await signedInAs(page, 'Ann Archer')
  const id = await aProject(page, { plan: 'free' })
  const follow = await holdTimers(page, 250)
  await page.goto(`/subscription/${id}/users`)
  await page.getByRole('searchbox').fill('ann')
  expect(await follow(`/subscription/${id}/users/invite`)).toBe(1)
  await expect(page.getByRole('heading', { name: 'Invite user' })).toBeVisible()
  await expect(page).toHaveURL(/\/users\/invite$/)
})

test('a form that goes back by itself when its message has been read', async ({ page }) => {
  await signedInAs(page, 'Ann Archer')
  const follow = await holdTimers(page, limits.screens.returnAfterSave)
  await page.goto('/edit-name')
  await page.getByLabel('Name').fill('Ann Baker')
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect(page.getByText('Your name is saved')).toBeVisible()
  expect(await follow('/dashboard')).toBe(1)
  await expect(page.getByRole('heading', { name: 'Start with a project' })).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard$/)
})

test.describe('a project that is being left', () => {
  /** Somebody who has come to the project by the dashboard, which they came to by their profile. */
  async function aMember(page: Page, browser: Browser) {
    const context = await browser.newContext({ baseURL: test.info().project.use.baseURL! })
    const host = await context.newPage()
    await signedInAs(host, 'Ann Archer')
    await joinsAsAdmin(page, host, await aProject(host, { plan: 'free' }))
    await context.close()
    await page.goto('/profile')
    await page.getByRole('banner').getByRole('link').first().click()
    await page.getByRole('link', { name: 'Bridge renewal' }).click()
  }

  async function leave(page: Page) {
    const letGo = await hold(page, '**/api/leaveSubscription')
    await page.getByRole('dialog').getByRole('button', { name: 'Leave project' }).click()
    return letGo
  }

  const expectSaid = (page: Page, letGo: () => void) => expectPassing(page, 'You have left Bridge renewal.', async () => letGo())

  async function expectDashboard(page: Page) {
    await expect(page.getByRole('heading', { name: 'Start with a project' })).toBeVisible()
    await expect(page).toHaveURL(/\/dashboard$/)
  }

  test('by going back to what was before it', async ({ page, browser }) => {
    await aMember(page, browser)
    await page.getByRole('button', { name: 'Leave project' }).click()
    const letGo = await leave(page)
    await page.goBack()
    await page.goBack()
    await expect(page).toHaveURL(/\/profile$/)
    await expectSaid(page, letGo)
    await expect(page).toHaveURL(/\/profile$/)
    await page.getByRole('banner').getByRole('link').first().click()
    await expectDashboard(page)
  })

  test('by going back to another of its screens', async ({ page, browser }) => {
    await aMember(page, browser)
    await page.getByRole('link', { name: 'Users' }).click()
    await page.getByRole('button', { name: 'Actions for Bob Baker' }).click()
    await page.getByRole('menuitem', { name: 'Leave project' }).click()
    const letGo = await leave(page)
    await page.goBack()
    await expect(page.getByRole('heading', { name: 'Bridge renewal' })).toBeVisible()
    await expectSaid(page, letGo)
    await expectDashboard(page)
  })

  test('by putting the question away', async ({ page, browser }) => {
    await aMember(page, browser)
    await page.getByRole('button', { name: 'Leave project' }).click()
    const letGo = await leave(page)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expectSaid(page, letGo)
    await expectDashboard(page)
  })
})
