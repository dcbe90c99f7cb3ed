import type { CallOutput } from '#contract/calls.ts'
import type { Reason } from '#contract/refusals.ts'
import { request, type Page } from '@playwright/test'
import { expectNoViolations } from './check-screen.ts'
import { call, password, signedInAs } from './people.ts'
import { aProject, ask, joinsAsAdmin, switchToCard } from './projects.ts'
import { expect, expectPassing, newAddress, nextFrames, test } from './visitor.ts'

async function signIn(page: Page, address: string) {
  await page.getByLabel('E-mail', { exact: true }).fill(address)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
}

/** Another device of the same person signs all others out. */
async function endSession(address: string) {
  const device = await request.newContext({ baseURL: test.info().project.use.baseURL! })
  const { token } = (await call(device, 'signIn', { email: address, password })) as CallOutput<'signIn'>
  await call(device, 'revokeOtherSessions', {}, token)
  await device.dispose()
}

const typedBefore = 'What you typed before your session ended is here again.'

/** What a screen may be reading, or about to read again, when its session ends. */
const read = ['getSubscription', 'getSubscriptionUsers', 'getPaymentMethods', 'listSubscriptions']

test.describe('what was typed when the session ended', () => {
  test.use({ expectedRefusals: ['createInvite', 'getUser', 'saveUser', 'refreshSession', 'live', 'updateProfile', ...read] })

  test('is there again after signing in, once, and can be cleared', async ({ page }) => {
    const ann = await signedInAs(page, 'Ann Archer')
    const here = `/subscription/${await aProject(page, { plan: 'free' })}/users/invite`
    await page.goto(here)
    const name = page.getByLabel('Name')
    const editor = page.getByRole('checkbox', { name: 'Editor' })
    await name.fill('Carla Cruz')
    await page.getByLabel('E-mail', { exact: true }).fill('carla@example.com')
    await editor.check()
    await endSession(ann)
    await expect(page.getByText('Your session has ended. Sign in again.')).toBeVisible()
    await signIn(page, ann)

    await expect(page).toHaveURL(new RegExp(`${here}$`))
    await expect(page.getByText(typedBefore)).toBeVisible()
    await expect(name).toHaveValue('Carla Cruz')
    await expect(page.getByLabel('E-mail', { exact: true })).toHaveValue('carla@example.com')
    await expect(editor).toBeChecked()
    await page.getByRole('button', { name: 'Clear it' }).press('Enter')
    await expect(page.getByText(typedBefore)).toBeHidden()
    await expect(name).toHaveValue('')
    await expect(name).toBeFocused()
    await expect(editor).not.toBeChecked()

    await name.fill('Dora Dean')
    await page.reload()
    await expect(name).toBeVisible()
    await expect(name).toHaveValue('')
    await expect(page.getByText(typedBefore)).toBeHidden()
  })

  test('is not for whoever signs in next on the tab', async ({ page }) => {
    const bob = await signedInAs(page, 'Bob Baker')
    const ann = await signedInAs(page, 'Ann Archer')
    await page.goto('/edit-name')
    await page.getByLabel('Name').fill('Ann Baker')
    await endSession(ann)
    await expect(page.getByText('Your session has ended. Sign in again.')).toBeVisible()
    await signIn(page, bob)
    await expect(page.getByLabel('Name')).toHaveValue('Bob Baker')
    await expect(page.getByText(typedBefore)).toBeHidden()
    expect(await page.evaluate(() => sessionStorage.getItem('drafts'))).toBeNull()
  })

  test('leaves out what is secret', async ({ page }) => {
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
    await signIn(page, ann)
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
    await signIn(page, ann)
    await expect(page.getByLabel('People')).toHaveValue(list)
    await expect(page.getByRole('button', { name: 'Send 2 invitations' })).toBeVisible()

    // Without its stream the page doesn't know before it asks.
    await page.route('**/live', (route) => route.abort('aborted'))
    await page.goto('/edit-name')
    await page.getByLabel('Name').fill('Ann Baker')
    await endSession(ann)
    await page.getByRole('button', { name: 'Save name' }).click()
    await signIn(page, ann)
    await expect(page.getByLabel('Name')).toHaveValue('Ann Baker')
    await expectPassing(page, 'Your name is saved', () => page.getByRole('button', { name: 'Save name' }).click())
    await expect(page.getByText(typedBefore)).toBeHidden()
  })
})

test('the palette goes to pages and projects and does things, by keyboard, and gives the focus back', async ({ page }) => {
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
  await expect(palette.getByRole('group', { name: 'Chosen last' }).getByRole('option')).toHaveText([/Übersicht/])
  await field.fill('several invite')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/users\/invite\?several$/)
  await page.keyboard.press('Control+k')
  await field.fill('español')
  await page.keyboard.press('Enter')
  await expect(page.locator('html')).toHaveAttribute('lang', 'es')
  await page.keyboard.press('Control+k')
  await page.locator('dialog[open] input').fill('english')
  await page.keyboard.press('Enter')
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
})

test('what is opened again before the browser tells that it was closed is open', async ({ page, browser }) => {
  const context = await browser.newContext({ baseURL: test.info().project.use.baseURL! })
  const host = await context.newPage()
  await signedInAs(host, 'Ann Archer')
  const id = await aProject(host, { plan: 'free' })
  await joinsAsAdmin(page, host, id)
  await page.goto(`/subscription/${id}`)
  await page.getByRole('button', { name: 'Leave project' }).click()
  const question = page.getByRole('dialog', { name: /^Leave/ })
  await expect(question).toBeVisible()
  await page.evaluate(() => {
    document.querySelector<HTMLDialogElement>('dialog[open]')!.close()
    ;(document.activeElement as HTMLElement).click()
  })
  await nextFrames(page)
  await expect(question).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)

  const palette = page.getByRole('dialog', { name: 'Search pages, actions and projects' })
  await page.keyboard.press('Control+k')
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
  await context.close()
})

test('the palette offers a member only what a member may open', async ({ page, browser }) => {
  const context = await browser.newContext({ baseURL: test.info().project.use.baseURL! })
  const host = await context.newPage()
  await signedInAs(host, 'Ann Archer')
  const id = await aProject(host, { plan: 'free' })
  const bob = await signedInAs(page, 'Bob Baker')
  const { inviteId } = await ask(host, 'createInvite', { subscriptionId: id, email: bob, permissions: [] })
  await ask(page, 'acceptInvite', { inviteId })
  await page.goto(`/subscription/${id}`)
  await page.getByRole('button', { name: 'Search' }).click()
  const options = page.getByRole('dialog').getByRole('option')
  await expect(options.filter({ hasText: 'Dashboard' })).toBeVisible()
  for (const closed of ['Billing Information', 'Users', 'Invite user', 'Change plan'])
    await expect(options.filter({ hasText: closed })).toHaveCount(0)
  await context.close()
})

test.describe('what worked', () => {
  test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

  test('is said in the corner, waits while it is looked at, goes by itself, and is put away by keyboard', async ({ page }) => {
    await signedInAs(page, 'Ann Archer')
    const id = await aProject(page, { plan: 'free' })
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

test('without a connection the screen says so and stays; with one it goes on by itself', async ({ browser }) => {
  // The browser reports each request that it can't make.
  const context = await browser.newContext({ baseURL: test.info().project.use.baseURL! })
  const page = await context.newPage()
  await signedInAs(page, 'Ann Archer')
  const id = await aProject(page, { plan: 'free' })
  await page.goto(`/subscription/${id}/settings`)
  await expect(page.getByLabel('Project Name')).toHaveValue('Bridge renewal')
  const bar = page.getByText('No connection.')
  await context.setOffline(true)
  await expect(bar).toBeVisible()
  await page.getByLabel('Project Name').fill('Old ferry line')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await expect(page.getByText("The server can't be reached.")).toBeVisible()
  await page.getByRole('link', { name: 'Users' }).click()

  await ask(page, 'updateSubscriptionSettings', { subscriptionId: id, settings: { name: 'New tunnel' } })
  await context.setOffline(false)
  await expect(bar).toBeHidden()
  await expect(page.getByRole('row', { name: 'Ann Archer' })).toBeVisible()
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await expect(page.getByRole('heading', { name: 'New tunnel' })).toBeVisible()
  await context.close()
})

test('"back" leads past forms that are done with, and the history can be read', async ({ page }) => {
  await signedInAs(page, 'Ann Archer')
  const id = await aProject(page, { plan: 'free' })
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

  test('is seen before the server has answered, and taken back when it is refused', async ({ page, browser }) => {
    await signedInAs(page, 'Ann Archer')
    const id = await aProject(page)
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
    await ask(page, 'updateSubscriptionSettings', { subscriptionId: id, settings: { name: 'Harbour' } })
    await expect(page).toHaveTitle(/Harbour/)
    await nextFrames(page)
    expect(await badge.isVisible()).toBe(true)
    answerCard()
    await expect(visa).toContainText('Failed to set as default')
    await expect(badge).toBeHidden()

    const context = await browser.newContext({ baseURL: test.info().project.use.baseURL! })
    await joinsAsAdmin(await context.newPage(), page, id)
    await context.close()
    await page.goto(`/subscription/${id}/users`)
    const bob = page.getByRole('row', { name: 'Bob Baker' })
    const answerPermissions = await holdNext(page, 'updateUserPermissions', 'internal')
    await page.getByRole('button', { name: 'Actions for Bob Baker' }).click()
    await page.getByRole('menuitem', { name: 'Edit permissions' }).click()
    await page.getByRole('checkbox', { name: 'Editor' }).check()
    await page.getByRole('button', { name: 'Save permissions' }).click()
    await expect(page.locator('tr', { hasText: 'Bob Baker' })).toContainText('Access, Editor, Administrator')
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
