import type { CallOutput } from '#contract/calls.ts'
import { request } from '@playwright/test'
import { call, newAddress, password, signedInAs, signInHere } from './people.ts'
import { aProject } from './projects.ts'
import { expect, expectPassing, test } from './visitor.ts'

/** Another device of the same person signs all others out. */
async function endSession(address: string) {
  const device = await request.newContext({ baseURL: test.info().project.use.baseURL! })
  const { token } = (await call(device, 'signIn', {
    email: address,
    password,
  })) as CallOutput<'signIn'>
  await call(device, 'revokeOtherSessions', {}, token)
  await device.dispose()
}

const typedBefore = 'What you typed before your session ended is here again.'

/** What a screen may be reading, or about to read again, when its session ends. */
const read = ['getSubscription', 'getSubscriptionUsers', 'getPaymentMethods', 'listSubscriptions']

test.describe('a draft from the end of a session', () => {
  test.use({
    expectedRefusals: [
      'createInvite',
      'getUser',
      'saveUser',
      'refreshSession',
      'live',
      'updateProfile',
      ...read,
    ],
  })

  test('is there again after signing in, once, and can be cleared', async ({ page }) => {
    const ann = await signedInAs(page, 'Ann Archer')
    const here = `/subscription/${await aProject(page, { plan: 'free' })}/users/invite`
    await page.goto(here)
    const name = page.getByLabel('Name')
    await name.fill('Carla Cruz')
    await page.getByLabel('E-mail', { exact: true }).fill('carla@example.com')
    await endSession(ann)
    await expect(page.getByText('Your session has ended. Sign in again.')).toBeVisible()
    await signInHere(page, ann)

    await expect(page).toHaveURL(new RegExp(`${here}$`))
    await expect(page.getByText(typedBefore)).toBeVisible()
    await expect(name).toHaveValue('Carla Cruz')
    await expect(page.getByLabel('E-mail', { exact: true })).toHaveValue('carla@example.com')
    await page.getByRole('button', { name: 'Clear it' }).press('Enter')
    await expect(page.getByText(typedBefore)).toBeHidden()
    await expect(name).toHaveValue('')
    await expect(name).toBeFocused()

    await name.fill('Dora Dean')
    await page.reload()
    await expect(name).toBeVisible()
    await expect(name).toHaveValue('')
    await expect(page.getByText(typedBefore)).toBeHidden()
  })

  test('does not show to the next person who signs in on the tab', async ({ page }) => {
    const bob = await signedInAs(page, 'Bob Baker')
    const ann = await signedInAs(page, 'Ann Archer')
    await page.goto('/edit-name')
    await page.getByLabel('Name').fill('Ann Baker')
    await endSession(ann)
    await expect(page.getByText('Your session has ended. Sign in again.')).toBeVisible()
    await signInHere(page, bob)
    await expect(page.getByLabel('Name')).toHaveValue('Bob Baker')
    await expect(page.getByText(typedBefore)).toBeHidden()
    expect(await page.evaluate(() => sessionStorage.getItem('drafts'))).toBeNull()
  })

  test('leaves out secrets', async ({ page }) => {
    const ann = await signedInAs(page, 'Ann Archer')
    const id = await aProject(page, { plan: 'free' })
    await page.goto(`/subscription/${id}/billing/payment-methods?add`)
    await page.getByLabel('Cardholder name').fill('Ann Archer')
    await page.getByLabel('Card number').fill('4242424242424242')
    await page.getByRole('checkbox', { name: 'Use this card' }).check()
    await endSession(ann)
    await expect(page.getByText('Your session has ended. Sign in again.')).toBeVisible()
    expect(await page.evaluate(() => sessionStorage.getItem('drafts'))).toBeNull()

    await page.goto('/change-password')
    await signInHere(page, ann)
    await page.getByLabel('New password', { exact: true }).fill('another good secret')
    await page.getByRole('button', { name: 'Show password' }).first().click()
    await endSession(ann)
    await expect(page.getByText('Your session has ended. Sign in again.')).toBeVisible()
    expect(await page.evaluate(() => sessionStorage.getItem('drafts'))).toBeNull()
  })

  test('a pasted list, and a form whose call is what finds out, are kept too', async ({ page }) => {
    const ann = await signedInAs(page, 'Ann Archer')
    await page.goto(`/subscription/${await aProject(page, { plan: 'free' })}/users/invite?several`)
    const list = [newAddress('one'), newAddress('two')].join('\n')
    await page.getByLabel('People').fill(list)
    await endSession(ann)
    await signInHere(page, ann)
    await expect(page.getByLabel('People')).toHaveValue(list)
    await expect(page.getByRole('button', { name: 'Send 2 invitations' })).toBeVisible()

    // Without its stream the page doesn't know before it asks.
    await page.route('**/live', (route) => route.abort('aborted'))
    await page.goto('/edit-name')
    await page.getByLabel('Name').fill('Ann Baker')
    await endSession(ann)
    await page.getByRole('button', { name: 'Save name' }).click()
    await signInHere(page, ann)
    await expect(page.getByLabel('Name')).toHaveValue('Ann Baker')
    await expectPassing(page, 'Your name is saved', () =>
      page.getByRole('button', { name: 'Save name' }).click(),
    )
    await expect(page.getByText(typedBefore)).toBeHidden()
  })
})
