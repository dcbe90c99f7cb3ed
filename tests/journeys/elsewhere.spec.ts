import { limits } from '#config/limits.ts'
import type { Page } from '@playwright/test'
import { signedInAs } from './people.ts'
import { aJoinedProject, aProject, joinedByAdmin } from './projects.ts'
import { expect, expectPassing, hold, nextFrames, test } from './visitor.ts'

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
  await nextFrames(page)
  expect(await follow('/dashboard')).toBe(1)
  await expect(page.getByRole('heading', { name: 'Start with a project' })).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard$/)
})

test.describe('a project that is being left', () => {
  /** Somebody who has come to the project by the dashboard, which they came to by their profile. */
  async function aMember(page: Page) {
    await aJoinedProject(page)
    await page.goto('/profile')
    await page.getByRole('banner').getByRole('link').first().click()
    await page.getByRole('link', { name: 'Bridge renewal' }).click()
  }

  async function leave(page: Page) {
    const letGo = await hold(page, '**/api/leaveSubscription')
    await page.getByRole('dialog').getByRole('button', { name: 'Leave project' }).click()
    return letGo
  }

  const expectSaid = (page: Page, letGo: () => void) =>
    expectPassing(page, 'You have left Bridge renewal.', async () => letGo())

  async function expectDashboard(page: Page) {
    await expect(page.getByRole('heading', { name: 'Start with a project' })).toBeVisible()
    await expect(page).toHaveURL(/\/dashboard$/)
  }

  test('by going back to what was before it', async ({ page }) => {
    await aMember(page)
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

  test('by going back to another of its screens', async ({ page }) => {
    await aMember(page)
    await page.getByRole('link', { name: 'Users' }).click()
    await page.getByRole('button', { name: 'Actions for Bob Baker' }).click()
    await page.getByRole('menuitem', { name: 'Leave project' }).click()
    const letGo = await leave(page)
    await page.goBack()
    await expect(page.getByRole('heading', { name: 'Bridge renewal', exact: true })).toBeVisible()
    await expectSaid(page, letGo)
    await expectDashboard(page)
  })

  test('by putting the question away, and answering it again', async ({ page }) => {
    await aMember(page)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    const question = page.getByRole('button', { name: 'Leave project' })
    await question.click()
    const letGo = await leave(page)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await question.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Leave project' }).click()
    await expectSaid(page, letGo)
    await expectDashboard(page)
    expect(asked.filter((url) => url.endsWith('/leaveSubscription'))).toHaveLength(1)
  })
})

test('an account that is deleted while somebody goes back to it', async ({ page }) => {
  await signedInAs(page, 'Ann Archer')
  await page.goto('/delete-account')
  await page
    .getByLabel('Type your user ID to confirm')
    .fill(await page.locator('main .id-text').first().innerText())
  const letGo = await hold(page, '**/api/deleteAccount')
  await page.getByRole('button', { name: 'Delete account' }).click()
  await page.getByRole('link', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(/\/profile$/)
  letGo()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
})

test('what was done is told to whoever had put the question away', async ({ page }) => {
  await signedInAs(page, 'Ann Archer')
  const id = await aProject(page, { plan: 'free' })
  await joinedByAdmin(page, id)
  await page.goto(`/subscription/${id}/users`)
  await page.getByRole('button', { name: 'Actions for Bob Baker' }).click()
  await page.getByRole('menuitem', { name: 'Remove from project' }).click()
  const letGo = await hold(page, '**/api/removeUser')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove from project' }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expectPassing(page, 'Bob Baker is removed from the project.', async () => letGo())
})

test.describe('what was not wanted any more', () => {
  async function answered(page: Page, call: string, letGo: () => void) {
    const answer = page.waitForResponse(`**/api/${call}`)
    letGo()
    await answer
    await nextFrames(page)
  }

  test('a card', async ({ page }) => {
    await signedInAs(page, 'Ann Archer')
    const id = await aProject(page, { plan: 'free' })
    await page.goto(`/subscription/${id}/billing/payment-methods?add`)
    const card = {
      'Cardholder name': 'Ann',
      'Card number': '4242424242424242',
      'Expiry date (MM/YY)': '12/34',
      'Security code': '123',
    }
    for (const [label, value] of Object.entries(card)) await page.getByLabel(label).fill(value)
    const letGo = await hold(page, '**/api/createSetupIntent')
    await page.getByRole('button', { name: 'Save card' }).click()
    await page.getByRole('link', { name: 'Cancel' }).click()
    await expect(page.getByText('No card yet')).toBeVisible()
    await answered(page, 'createSetupIntent', letGo)
    await expect(page.getByText('No card yet')).toBeVisible()
  })

  test('a plan', async ({ page }) => {
    await signedInAs(page, 'Ann Archer')
    await page.goto('/create-plan')
    const letGo = await hold(page, '**/api/createSubscription')
    await page.getByRole('button', { name: 'Choose Free' }).click()
    await page.getByRole('button', { name: 'Choose Pro' }).click()
    const pay = page.getByRole('button', { name: 'Create project' })
    await expect(pay).toBeVisible()
    await answered(page, 'createSubscription', letGo)
    await expect(pay).toBeVisible()
    await expect(page).toHaveURL(/\/create-plan\?plan=pro$/)
  })
})
