import type { Page } from '@playwright/test'
import { signedInAs } from './people.ts'
import { annsProject, joins } from './projects.ts'
import { rewritten } from './rewritten.ts'
import { expect, mayRefuse, shows, test } from './visitor.ts'

test('a person who is not in a project reads that access is denied', async ({ page }) => {
  mayRefuse(page, 'getSubscription')
  const id = await annsProject(page)
  const bob = await signedInAs(page, 'Bob Baker')
  await page.goto(`/subscription/${id}/users`)
  await expect(page.getByRole('heading', { name: 'Access denied' })).toBeVisible()
  await shows(page, `Ask one of its administrators to invite ${bob}`)
  await expect(page).toHaveURL(new RegExp(`/subscription/${id}/users$`))
  await page.getByRole('main').getByRole('link', { name: 'Go to your projects' }).click()
  await expect(page.getByRole('heading', { name: 'Your projects' })).toBeVisible()
  await expect(page.getByText('Access denied')).toHaveCount(0)
})

test('an unknown project id leads to the dashboard, which says so once', async ({ page }) => {
  mayRefuse(page, 'getSubscription')
  await signedInAs(page, 'Ann Archer')
  for (const [address, words] of [
    ['/subscription/nothing', 'Subscription not found'],
    ['/subscription/', 'No subscription ID provided'],
  ] as const) {
    await page.goto(address)
    await shows(page, words, 'Error fetching subscription data')
    await expect(page).toHaveURL(/\/dashboard$/)
    await page.reload()
    await shows(page, 'Start with a project')
    await expect(page.getByText(words)).toHaveCount(0)
  }
  await page.goto('/subscription/nothing')
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByText('Subscription not found')).toHaveCount(0)
})

test('a member reads who may open the administrators’ screens', async ({ page, another }) => {
  const guest = await another('Bob Baker')
  const id = await annsProject(page, { member: guest })
  for (const [screen, words] of [
    ['users', 'Only an administrator of the project can perform this action'],
    ['billing/cancel', 'Only the subscription owner can perform this action'],
  ] as const) {
    await guest.goto(`/subscription/${id}/${screen}`)
    await shows(guest, words)
    await expect(guest).toHaveURL(/\/dashboard$/)
  }
})

test('a screen can need a permission: editors have it in their menu, others read why not', async ({
  page,
  another,
}) => {
  const [editor, member] = [await another('Eve Editor'), await another('Bob Baker')]
  const id = await annsProject(page, { member })
  await joins(editor, page, id, ['editor'])
  for (const each of [page, editor, member])
    await activityNeeds(each, '{permissions:["editor","admin"],all:!0}')
  for (const each of [editor, member]) {
    await each.goto(`/subscription/${id}/activity`)
    await shows(each, "This needs a permission that you don't have in the project.")
    await expect(each).toHaveURL(/\/dashboard$/)
  }
  await activityNeeds(editor, '{permissions:["editor","admin"]}')
  mayRefuse(editor, 'listActivity')
  for (const each of [page, editor]) {
    await each.goto(`/subscription/${id}`)
    await each.getByRole('link', { name: 'Activity' }).click()
    await expect(each.getByRole('heading', { level: 1, name: 'Activity' })).toBeVisible()
  }
  await member.goto(`/subscription/${id}`)
  await expect(member.getByRole('heading', { name: 'Bridge renewal' })).toBeVisible()
  await expect(member.getByRole('link', { name: 'Activity' })).toHaveCount(0)

  // A tab that `watch` leaves alone, because it logs an error.
  const tab = await editor.context().newPage()
  const logged = tab.waitForEvent('console', (line) => line.type() === 'error')
  await activityNeeds(tab, '{permissions:["editor","captain"]}')
  await tab.goto(`/subscription/${id}/activity`)
  await shows(tab, "This needs a permission that you don't have in the project.")
  expect((await logged).text()).toContain('invalid permission requested')
})

/** As if the activity's row in the table of screens had these needs. */
async function activityNeeds(page: Page, needs: string) {
  await page.unrouteAll()
  const row = /\bactivity:(\w+\([`"]\/activity[`"],[`"]admin[`"],\{[^}]+\}\))/
  await rewritten(page, row, `activity:{...$1,needs:${needs}}`)
}
