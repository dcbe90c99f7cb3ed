import type { Page } from '@playwright/test'
import { expectOpenToAll } from './check-screen.ts'
import { press, type } from './keys.ts'
import { call, confirm, fill, signedInAs, submit } from './people.ts'
import { annsProject, joins } from './projects.ts'
import { aPhone, expect, hold, mayRefuse, refuseNext, shows, test } from './visitor.ts'

const list = (page: Page) => page.getByRole('list', { name: 'Access tokens' })

/** Makes a token on the screen and returns its text. */
async function make(page: Page, name: string, access = 'Read') {
  await page.getByRole('button', { name: 'Make a token' }).click()
  const dialog = page.getByRole('dialog', { name: 'Make an access token' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByLabel('What it may do').selectOption(access)
  await dialog.getByRole('button', { name: 'Make a token' }).click()
  return shownToken(page, name)
}

async function shownToken(page: Page, name: string) {
  const shown = page.getByRole('region', { name: `New token: ${name}` })
  await expect(shown).toBeFocused()
  return shown.locator('.id-text').innerText()
}

test('a user makes a token by keyboard, a program uses it, and it is revoked', async ({ page }) => {
  await signedInAs(page, 'Ann Archer')
  await page.goto('/profile')
  await press(page, 'button', 'Make a token')
  await type(page, 'Name', 'Nightly build')
  await page.keyboard.press('Enter')
  const token = await shownToken(page, 'Nightly build')
  await page.context().grantPermissions(['clipboard-write'])
  await press(page, 'button', 'Copy the token')
  await shows(page, 'Copied')
  await press(page, 'button', "I've kept it")
  await expect(page.getByText(token)).toHaveCount(0)
  await expect(list(page)).toBeFocused()
  await expect(list(page)).toContainText('Not used yet')

  expect(await call(page.request, 'listSubscriptions', {}, token)).toMatchObject({ total: 0 })
  await page.reload()
  await expect(list(page)).toContainText('Uses: 1')
  await press(page, 'button', 'Revoke Nightly build')
  await shows(page, 'Programs that use it are refused at once.')
  await confirm(page, 'Revoke Nightly build?', 'Revoke')
  await expect(list(page).getByRole('listitem')).toHaveCount(0)
  await expect(list(page)).toBeFocused()
  await expect(call(page.request, 'listSubscriptions', {}, token)).rejects.toThrow('sessionEnded')
})

test('a refused token stays a form, and one that is being made says so', async ({ page }) => {
  mayRefuse(page, 'createAccessToken')
  await signedInAs(page, 'Ann Archer')
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Make a token' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Make a token' }).click()
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await fill(page, { Name: 'CI' })
  await refuseNext(page, 'createAccessToken', 'tooManyAccessTokens')
  await dialog.getByRole('button', { name: 'Make a token' }).click()
  await shows(dialog, "There's no room for another access token. Revoke one first.")
  const letGo = await hold(page, '**/api/createAccessToken')
  const button = dialog.getByRole('button', { name: 'Make a token' })
  await button.click()
  await expect(button).toHaveAttribute('aria-busy', 'true')
  letGo()
  await shownToken(page, 'CI')
  await page.goto('/change-password')
  await shows(page, "Your access tokens go on working. Revoke what isn't yours.")
})

test('administrators see and revoke a project’s tokens, whose deeds are in its activity', async ({
  page,
  another,
}) => {
  const bob = await another('Bob Baker')
  const id = await annsProject(page, { screen: 'settings' })
  const token = await make(page, 'Importer', 'Read and change')
  await joins(bob, page, id, ['admin'])
  await bob.goto(`/subscription/${id}/settings`)
  await expect(list(bob)).toContainText('Made by Ann Archer')
  const renamed = { subscriptionId: id, settings: { name: 'Harbour' } }
  await call(page.request, 'updateSubscriptionSettings', renamed, token)
  await bob.goto(`/subscription/${id}/activity`)
  await shows(bob, /to Harbour \(token: Importer\)/)
  await bob.goto(`/subscription/${id}/settings#tokens`)
  await bob.getByRole('button', { name: 'Revoke Importer' }).click()
  await confirm(bob, 'Revoke Importer?', 'Revoke')
  await expect(list(bob).getByRole('listitem')).toHaveCount(0)
  await expect(list(page).getByRole('listitem')).toHaveCount(0)
})

test.describe('on a phone', () => {
  test.use({ ...aPhone, reducedMotion: 'reduce' })

  test('everyone can make and revoke a token', async ({ page }) => {
    await signedInAs(page, 'Kim')
    await page.goto('/profile')
    await make(page, 'A name of a token that is as long as one may be')
    await expectOpenToAll(page)
    await page.getByRole('button', { name: "I've kept it" }).click()
    await expectOpenToAll(page)
    await page.getByRole('button', { name: /^Revoke A name/ }).click()
    await expectOpenToAll(page)
    await submit(page, 'Revoke')
    await expect(list(page).getByRole('listitem')).toHaveCount(0)
  })
})
