import type { CallInput } from '#contract/calls.ts'
import type { Browser, Page } from '@playwright/test'
import { expectOpenToAll } from './check-screen.ts'
import { call, password, signedInAs } from './people.ts'
import { aProject, ask } from './projects.ts'
import { expect, expectPassing, mailedLink, newAddress, test, watch } from './visitor.ts'

type Permissions = CallInput<'createInvite'>['permissions']

/** Somebody else, in a browser of their own; nothing may go wrong there that is not expected. */
async function anotherPerson(browser: Browser, name: string, expectedRefusals: string[] = []) {
  const context = await browser.newContext({
    baseURL: test.info().project.use.baseURL!,
    locale: 'en-US',
  })
  const page = await context.newPage()
  const problems = watch(page, expectedRefusals)
  const address = await signedInAs(page, name)
  return { page, address, name, problems, context }
}

async function joins(
  host: Page,
  guest: { page: Page; address: string },
  subscriptionId: string,
  permissions: Permissions,
) {
  const { inviteId } = await ask(host, 'createInvite', {
    subscriptionId,
    email: guest.address,
    permissions,
  })
  await ask(guest.page, 'acceptInvite', { inviteId })
}

async function openUsers(page: Page, id: string) {
  await page.goto(`/subscription/${id}/users`)
  await expect(page.getByRole('row', { name: 'Owner' })).toBeVisible()
}

async function choose(page: Page, name: string, action: string) {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

test('people are found by name or address, the address keeps the search, and nobody found says so', async ({
  page,
  browser,
}) => {
  const bob = await anotherPerson(browser, 'Bob Baker')
  await signedInAs(page, 'Ann Archer')
  const id = await aProject(page, { plan: 'free' })
  await joins(page, bob, id, [])
  await ask(page, 'createInvite', {
    subscriptionId: id,
    email: newAddress('carla'),
    permissions: ['editor'],
    name: 'Carla Cruz',
  })
  await openUsers(page, id)
  await expect(page.getByText('3 of 10 seats, 1 pending')).toBeVisible()
  const own = page.getByRole('row', { name: 'Ann Archer' })
  await expect(own).toContainText('You')
  await expect(own.getByRole('button')).toHaveCount(0)

  const search = page.getByRole('searchbox', { name: 'Search by name or e-mail' })
  await search.fill('CARLA')
  await expect(page.getByText('Showing 1 to 1 of 1 results')).toBeVisible()
  await expect(page.getByRole('row', { name: 'Carla Cruz' })).toContainText('Pending')
  await expect(page).toHaveURL(/search=CARLA/)
  await expect(search).toBeFocused()
  await page.reload()
  await expect(search).toHaveValue('CARLA')
  await search.fill('somebody else')
  await expect(page.getByText('Nobody matches “somebody else”')).toBeVisible()
  await expect(page.getByText('3 of 10 seats, 1 pending')).toBeVisible()
  await page.getByRole('button', { name: 'Clear search' }).click()
  await expect(page.getByRole('row', { name: 'Bob Baker' })).toBeVisible()
  await expect(page).not.toHaveURL(/search/)
  await bob.context.close()
})

test.describe('permissions', () => {
  test.use({ expectedRefusals: ['updateUserPermissions'] })

  test('that somebody else changed meanwhile are shown as they are, and then saved', async ({
    page,
    browser,
  }) => {
    const [bob, carla] = [
      await anotherPerson(browser, 'Bob Baker'),
      await anotherPerson(browser, 'Carla Cruz'),
    ]
    await signedInAs(page, 'Ann Archer')
    const id = await aProject(page, { plan: 'free' })
    await joins(page, bob, id, ['admin'])
    await joins(page, carla, id, [])
    await openUsers(page, id)
    await choose(page, 'Carla Cruz', 'Edit permissions')
    const dialog = page.getByRole('dialog', { name: 'Permissions of Carla Cruz' })
    await expect(dialog.getByRole('checkbox', { name: 'Access' })).toBeDisabled()
    await expect(dialog.getByRole('checkbox', { name: 'Editor' })).toBeFocused()

    await openUsers(bob.page, id)
    await choose(bob.page, 'Carla Cruz', 'Edit permissions')
    await bob.page.getByRole('checkbox', { name: 'Editor' }).check()
    await bob.page.getByRole('button', { name: 'Save permissions' }).click()
    await expect(bob.page.getByRole('row', { name: 'Carla Cruz' })).toContainText('Access, Editor')
    await expect(bob.page.getByRole('button', { name: 'Actions for Carla Cruz' })).toBeFocused()

    await dialog.getByRole('checkbox', { name: 'Administrator' }).check()
    await dialog.getByRole('button', { name: 'Save permissions' }).click()
    await expect(dialog).toContainText('Now: Access, Editor.')
    await expect(dialog.getByRole('checkbox', { name: 'Editor' })).toBeChecked()
    await expect(dialog.getByRole('checkbox', { name: 'Administrator' })).not.toBeChecked()
    await dialog.getByRole('checkbox', { name: 'Administrator' }).check()
    await dialog.getByRole('button', { name: 'Save permissions' }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('row', { name: 'Carla Cruz' })).toContainText(
      'Access, Editor, Administrator',
    )

    await carla.page.goto(`/subscription/${id}`)
    await expect(carla.page.getByRole('link', { name: 'Users' })).toBeVisible()
    for (const { problems, context } of [bob, carla]) {
      expect(problems).toEqual([])
      await context.close()
    }
  })
})

test.describe('an administrator who gives their administration up', () => {
  // The list is read again before the guard leads away.
  test.use({ expectedRefusals: ['getSubscriptionUsers'] })

  test('is asked first, and is led to what they may still see', async ({ page, browser }) => {
    const host = await anotherPerson(browser, 'Ann Archer')
    const id = await aProject(host.page, { plan: 'free' })
    const address = await signedInAs(page, 'Bob Baker')
    await joins(host.page, { page, address }, id, ['admin', 'editor'])
    await openUsers(page, id)
    await choose(page, 'Bob Baker', 'Edit permissions')
    await page.getByRole('checkbox', { name: 'Administrator' }).uncheck()
    await page.getByRole('button', { name: 'Save permissions' }).click()
    await expect(page.getByRole('dialog', { name: 'Stop being an administrator?' })).toContainText(
      'You will lose access',
    )
    await expect(page.getByRole('button', { name: 'Back to the permissions' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('checkbox', { name: 'Administrator' })).not.toBeChecked()
    await page.getByRole('button', { name: 'Save permissions' }).click()
    await page.getByRole('button', { name: 'Give up administration' }).click()
    await expect(page.getByRole('heading', { name: 'Bridge renewal' })).toBeVisible()
    await expect(
      page.getByText('You are no longer an administrator of Bridge renewal.'),
    ).toBeVisible()
    await expect(page.getByRole('link', { name: 'Users' })).toHaveCount(0)
    await host.context.close()
  })
})

test('a member is removed, and is out', async ({ page, browser }) => {
  const bob = await anotherPerson(browser, 'Bob Baker', ['getSubscription'])
  await signedInAs(page, 'Ann Archer')
  const id = await aProject(page, { plan: 'free' })
  await joins(page, bob, id, ['editor'])
  await openUsers(page, id)
  await choose(page, 'Bob Baker', 'Remove from project')
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Actions for Bob Baker' })).toBeFocused()
  await choose(page, 'Bob Baker', 'Remove from project')
  await page
    .getByRole('dialog', { name: 'Remove Bob Baker?' })
    .getByRole('button', { name: 'Remove from project' })
    .click()
  await expect(page.getByText('Bob Baker is removed from the project.')).toBeVisible()
  await expect(page.getByRole('row', { name: 'Bob Baker' })).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Users' })).toBeFocused()
  await expect(page.getByText("It's only you so far")).toBeVisible()

  await bob.page.goto(`/subscription/${id}`)
  await expect(bob.page.getByRole('heading', { name: 'Access denied' })).toBeVisible()
  expect(bob.problems).toEqual([])
  await bob.context.close()
})

test('inviting begins with verifying one’s own address', async ({ page }) => {
  const address = newAddress('ann')
  await call(page.request, 'signUp', { fullName: 'Ann Archer', email: address, password })
  const id = await aProject(page, { plan: 'free' })
  await page.goto(`/subscription/${id}/users/invite`)
  await expect(page.getByText(`Verify ${address} first. Then you can invite people.`)).toBeVisible()
  await expect(page.getByRole('textbox')).toHaveCount(0)
  await page.getByRole('button', { name: 'Send verification e-mail' }).click()
  await expect(page.getByRole('button', { name: 'Send verification e-mail' })).toBeHidden()
  const oobCode = new URL(await mailedLink(page, address)).searchParams.get('oobCode')
  await call(page.request, 'applyActionCode', { oobCode })
  await page.getByLabel('E-mail', { exact: true }).fill(newAddress('bob'))
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await expect(page.getByText('2 of 10 seats, 1 pending')).toBeVisible()
})

test.describe('an invitation', () => {
  test.use({ expectedRefusals: ['checkInvite', 'resendInvite'] })

  test('is sent again with a new link, after which the old one says so, and is then revoked', async ({
    page,
    browser,
  }) => {
    const carla = await anotherPerson(browser, 'Carla Cruz', ['checkInvite'])
    await signedInAs(page, 'Ann Archer')
    const id = await aProject(page, { plan: 'free' })
    await ask(page, 'createInvite', {
      subscriptionId: id,
      email: carla.address,
      permissions: [],
      name: 'Carla Cruz',
    })
    const old = await mailedLink(page, carla.address)
    await openUsers(page, id)
    await choose(page, 'Carla Cruz', 'Resend invitation')
    await expect(page.getByText(`A new link is on its way to ${carla.address}.`)).toBeVisible()
    const link = await mailedLink(page, carla.address)
    expect(link).not.toBe(old)
    await choose(page, 'Carla Cruz', 'Resend invitation')
    await expect(page.getByText('Wait 10 minutes before you send it again.')).toBeVisible()
    expect(await mailedLink(page, carla.address)).toBe(link)
    await carla.page.goto(old)
    await expect(carla.page.getByText('Open the newest mail about this invitation.')).toBeVisible()

    // Somebody else can look, but has to change over to answer.
    await page.goto(link)
    await expect(page.getByText(`This invitation is for ${carla.address}.`)).toBeVisible()
    await carla.page.goto(link)
    await expect(carla.page.getByRole('heading', { name: 'Join Bridge renewal' })).toBeVisible()
    await expect(carla.page.getByText('Ann Archer invites you as Access')).toBeVisible()

    await openUsers(page, id)
    await choose(page, 'Carla Cruz', 'Revoke invitation')
    const dialog = page.getByRole('dialog', { name: 'Revoke the invitation for Carla Cruz?' })
    await dialog.getByRole('button', { name: 'Revoke invitation' }).click()
    await expect(page.getByText('The invitation for Carla Cruz is revoked.')).toBeVisible()
    await carla.page.reload()
    await expect(carla.page.getByText('This invitation has been revoked.')).toBeVisible()
    expect(carla.problems).toEqual([])
    await carla.context.close()
  })
})

test('a former administrator revokes on their dashboard what they have sent', async ({
  page,
  browser,
}) => {
  const bob = await anotherPerson(browser, 'Bob Baker')
  await signedInAs(page, 'Ann Archer')
  const id = await aProject(page, { plan: 'free' })
  await joins(page, bob, id, ['admin'])
  const invited = newAddress('zoe')
  await ask(bob.page, 'createInvite', { subscriptionId: id, email: invited, permissions: [] })
  await bob.page.goto('/dashboard')
  const section = bob.page.getByRole('heading', { name: 'Invitations you sent' })
  await expect(bob.page.getByRole('link', { name: 'Bridge renewal' })).toBeVisible()
  await expect(section).toHaveCount(0)

  const { uid } = (await ask(bob.page, 'refreshSession', {})).user
  await ask(page, 'updateUserPermissions', { subscriptionId: id, userId: uid, permissions: [] })
  await expect(section).toBeVisible()
  await bob.page.emulateMedia({ reducedMotion: 'reduce' })
  await expectOpenToAll(bob.page)
  await bob.page.getByRole('button', { name: `Revoke invitation ${invited}` }).click()
  const dialog = bob.page.getByRole('dialog', { name: `Revoke the invitation for ${invited}?` })
  await dialog.getByRole('button', { name: 'Revoke invitation' }).click()
  await expect(bob.page.getByText(`The invitation for ${invited} is revoked.`)).toBeVisible()
  await expect(section).toHaveCount(0)
  expect((await ask(page, 'getSubscriptionUsers', { subscriptionId: id })).seats.pending).toBe(0)
  expect(bob.problems).toEqual([])
  await bob.context.close()
})

test.describe('several at once', () => {
  test.use({ expectedRefusals: ['createInvite'] })

  test('are invited from a pasted list: each line says what became of it, and those that failed are tried again', async ({
    page,
    browser,
  }) => {
    const bob = await anotherPerson(browser, 'Bob Baker')
    await signedInAs(page, 'Ann Archer')
    const id = await aProject(page, { plan: 'free' })
    await joins(page, bob, id, [])
    const invited = newAddress('invited')
    await ask(page, 'createInvite', { subscriptionId: id, email: invited, permissions: [] })
    const guests = Array.from({ length: 9 }, (_, place) => newAddress(`guest-${place}`))
    const lines = [
      `Gina Gold <${guests[0]}>; ${guests[1]}`,
      `${bob.address}, Bob Baker`,
      invited,
      'Somebody',
      guests[0]!.toUpperCase(),
      ...guests.slice(2),
    ]

    await page.goto(`/subscription/${id}/users/invite`)
    await page.getByRole('link', { name: 'Several at once' }).click()
    await page.getByRole('button', { name: 'Send invitations' }).click()
    await expect(page.getByText('Paste or type at least one e-mail address.')).toBeVisible()
    await page.getByLabel('People').fill(lines.join('\n'))
    await expect(page.getByText('11 people')).toBeVisible()
    await expect(page.getByText('1 repetition left out')).toBeVisible()
    await expect(page.getByText('1 entry is not an e-mail address')).toBeVisible()
    await expect(page.getByText('Only 7 seats are free.')).toBeVisible()
    await page.getByRole('checkbox', { name: 'Editor' }).check()
    await page.getByRole('button', { name: 'Send 11 invitations' }).click()

    const line = (text: string) => page.getByRole('listitem').filter({ hasText: text })
    await expect(page.getByText('7 of 12 invitations are on their way.')).toBeVisible()
    await expect(line(guests[0]!)).toContainText('Gina Gold')
    for (const guest of guests.slice(0, 7)) await expect(line(guest)).toContainText('Sent')
    await expect(line(bob.address)).toContainText('Already a member')
    await expect(line(invited)).toContainText('Already invited')
    await expect(line('Somebody')).toContainText('Not an e-mail address')
    for (const guest of guests.slice(7)) await expect(line(guest)).toContainText('No seat left')

    await ask(bob.page, 'leaveSubscription', { subscriptionId: id })
    await page.getByRole('button', { name: 'Try 2 failed invitations again' }).click()
    await expect(line(guests[7]!)).toContainText('Sent')
    await expect(page.getByRole('button', { name: 'Try 1 failed invitation again' })).toBeVisible()
    await page.getByRole('link', { name: 'Go to users' }).click()
    await expect(page.getByText('10 of 10 seats, 9 pending')).toBeVisible()
    await expect(page.getByRole('row', { name: 'Gina Gold' })).toContainText('Access, Editor')
    await bob.context.close()
  })
})

test('a member leaves, and is told what they have left', async ({ page, browser }) => {
  const host = await anotherPerson(browser, 'Ann Archer')
  const id = await aProject(host.page, { plan: 'free' })
  const address = await signedInAs(page, 'Bob Baker')
  await joins(host.page, { page, address }, id, ['admin'])
  await host.page.goto(`/subscription/${id}`)
  await expect(host.page.getByRole('heading', { name: 'Bridge renewal' })).toBeVisible()
  await expect(host.page.getByRole('button', { name: 'Leave project' })).toHaveCount(0)

  await page.goto(`/subscription/${id}`)
  await page.getByRole('button', { name: 'Leave project' }).click()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page
    .getByRole('dialog', { name: 'Leave Bridge renewal?' })
    .getByRole('button', { name: 'Leave project' })
    .click()
  await expect(page.getByText('You have left Bridge renewal.')).toBeVisible()
  await expect(page.getByText('Start with a project')).toBeVisible()
  await host.context.close()
})

test('who owns projects hands one over and cancels the other on the way to deleting their account', async ({
  page,
  browser,
}) => {
  const bob = await anotherPerson(browser, 'Bob Baker')
  await signedInAs(page, 'Ann Archer')
  const bridge = await aProject(page, { plan: 'free' })
  const ferry = await aProject(page, { name: 'Old ferry line' })
  await joins(page, bob, bridge, ['admin'])

  await page.goto('/delete-account')
  await expect(page.getByText('2 projects are yours')).toBeVisible()
  await page.getByRole('link', { name: 'Transfer ownership of Bridge renewal' }).click()
  await page.getByRole('radio').check()
  await page.getByRole('button', { name: 'Transfer ownership' }).click()
  await expectPassing(
    page,
    'Bob Baker is the owner now. Taking you back to the deletion of your account.',
    () => page.getByRole('dialog').getByRole('button', { name: 'Make them the owner' }).click(),
  )

  await expect(page.getByText('1 project is yours')).toBeVisible()
  await page.getByRole('link', { name: 'Cancel project Old ferry line' }).click()
  await page.getByLabel('Type the project ID to confirm').fill(ferry)
  await page.getByRole('button', { name: 'Cancel subscription' }).click()

  await expect(page.getByText('Your user ID', { exact: true })).toBeVisible()
  await page
    .getByLabel('Type your user ID to confirm')
    .fill((await page.locator('.id-text').first().textContent())!)
  await expectPassing(page, 'Your account is deleted.', () =>
    page.getByRole('button', { name: 'Delete account' }).click(),
  )
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
  await bob.page.goto(`/subscription/${bridge}/users`)
  await expect(bob.page.getByRole('row', { name: 'Bob Baker' })).toContainText('Owner')
  expect(bob.problems).toEqual([])
  await bob.context.close()
})

test('what is typed into a search is never taken out again', async ({ page }) => {
  await page.addInitScript(() => {
    const own = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!
    const putIn: string[] = []
    Object.assign(globalThis, { putIn })
    Object.defineProperty(HTMLInputElement.prototype, 'value', {
      ...own,
      set(this: HTMLInputElement, value: string) {
        putIn.push(value)
        own.set!.call(this, value)
      },
    })
  })
  await signedInAs(page, 'Ann Archer')
  const subscriptionId = await aProject(page, { plan: 'free' })
  await page.goto(`/subscription/${subscriptionId}/users`)
  const field = page.getByRole('searchbox')
  await field.click()
  const putIn = await page.evaluateHandle('putIn')
  await putIn.evaluate((values: string[]) => values.splice(0))
  await field.pressSequentially('ann')
  await expect(page).toHaveURL(/search=ann$/)
  await field.pressSequentially(' a')
  await expect(page).toHaveURL(/search=ann\+a$/)
  await expect(field).toHaveValue('ann a')
  expect(await putIn.jsonValue()).toEqual([])
})
