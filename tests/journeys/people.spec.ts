import type { Page } from '@playwright/test'
import { expectOpenToAll } from './check-screen.ts'
import { confirmOwnId, mailedLink, newAddress, signedInAs, signedUpAs, verify } from './people.ts'
import { addressOf, annsProject, aProject, ask, joins } from './projects.ts'
import { expect, expectPassing, test } from './visitor.ts'
import { expectScreen } from './keys.ts'

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
  another,
}) => {
  const bob = await another('Bob Baker')
  const id = await annsProject(page, { plan: 'free' })
  await joins(bob, page, id)
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
})

test.describe('permissions', () => {
  test.use({ expectedRefusals: ['updateUserPermissions'] })

  test('that another administrator changed meanwhile show as they are now, and can then be saved', async ({
    page,
    another,
  }) => {
    const [bob, carla] = [await another('Bob Baker'), await another('Carla Cruz')]
    const id = await annsProject(page, { plan: 'free' })
    await joins(bob, page, id, ['admin'])
    await joins(carla, page, id)
    await openUsers(page, id)
    await choose(page, 'Carla Cruz', 'Edit permissions')
    const dialog = page.getByRole('dialog', { name: 'Permissions of Carla Cruz' })
    await expect(dialog.getByRole('checkbox', { name: 'Access' })).toBeDisabled()
    await expect(dialog.getByRole('checkbox', { name: 'Editor' })).toBeFocused()

    await openUsers(bob, id)
    await choose(bob, 'Carla Cruz', 'Edit permissions')
    await bob.getByRole('checkbox', { name: 'Editor' }).check()
    await bob.getByRole('button', { name: 'Save permissions' }).click()
    await expect(bob.getByRole('row', { name: 'Carla Cruz' })).toContainText('Access, Editor')
    await expect(bob.getByRole('button', { name: 'Actions for Carla Cruz' })).toBeFocused()

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

    await carla.goto(`/subscription/${id}`)
    await expect(carla.getByRole('link', { name: 'Users' })).toBeVisible()
  })
})

test.describe('an administrator who gives up their administration', () => {
  // The list is read again before the guard leads away.
  test.use({ expectedRefusals: ['getSubscriptionUsers'] })

  test('confirms it first, and comes to a screen that they may still see', async ({
    page,
    another,
  }) => {
    const host = await another()
    const id = await annsProject(host, { plan: 'free' })
    await signedInAs(page, 'Bob Baker')
    await joins(page, host, id, ['admin', 'editor'])
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
  })
})

test('a removed member can’t open the project any more', async ({ page, another }) => {
  const bob = await another('Bob Baker', { expectedRefusals: ['getSubscription'] })
  const id = await annsProject(page, { plan: 'free' })
  await joins(bob, page, id, ['editor'])
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

  await bob.goto(`/subscription/${id}`)
  await expect(bob.getByRole('heading', { name: 'Access denied' })).toBeVisible()
})

test('a person who has not verified their address can’t invite until they have', async ({
  page,
}) => {
  const address = await signedUpAs(page, 'Ann Archer')
  const id = await aProject(page, { plan: 'free' })
  await page.goto(`/subscription/${id}/users/invite`)
  await expect(page.getByText(`Verify ${address} first. Then you can invite people.`)).toBeVisible()
  await expect(page.getByRole('textbox')).toHaveCount(0)
  await page.getByRole('button', { name: 'Send verification e-mail' }).click()
  await expect(page.getByRole('button', { name: 'Send verification e-mail' })).toBeHidden()
  await verify(page, address)
  await page.getByLabel('E-mail', { exact: true }).fill(newAddress('bob'))
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await expect(page.getByText('2 of 10 seats, 1 pending')).toBeVisible()
})

test.describe('an invitation', () => {
  test.use({ expectedRefusals: ['checkInvite', 'resendInvite'] })

  test('is sent again with a new link, after which the old one says so, and is then revoked', async ({
    page,
    another,
  }) => {
    const carla = await another('Carla Cruz', { expectedRefusals: ['checkInvite'] })
    const address = await addressOf(carla)
    const id = await annsProject(page, { plan: 'free' })
    await ask(page, 'createInvite', {
      subscriptionId: id,
      email: address,
      permissions: [],
      name: 'Carla Cruz',
    })
    const old = await mailedLink(page, address)
    await openUsers(page, id)
    await choose(page, 'Carla Cruz', 'Resend invitation')
    await expect(page.getByText(`A new link is on its way to ${address}.`)).toBeVisible()
    const link = await mailedLink(page, address)
    expect(link).not.toBe(old)
    await choose(page, 'Carla Cruz', 'Resend invitation')
    await expect(page.getByText('Wait 10 minutes before you send it again.')).toBeVisible()
    expect(await mailedLink(page, address)).toBe(link)
    await carla.goto(old)
    await expect(carla.getByText('Open the newest mail about this invitation.')).toBeVisible()

    // Another user can look at it, but has to change the account to answer.
    await page.goto(link)
    await expect(page.getByText(`This invitation is for ${address}.`)).toBeVisible()
    await carla.goto(link)
    await expect(carla.getByRole('heading', { name: 'Join Bridge renewal' })).toBeVisible()
    await expect(carla.getByText('Ann Archer invites you as Access')).toBeVisible()

    await openUsers(page, id)
    await choose(page, 'Carla Cruz', 'Revoke invitation')
    const dialog = page.getByRole('dialog', { name: 'Revoke the invitation for Carla Cruz?' })
    await dialog.getByRole('button', { name: 'Revoke invitation' }).click()
    await expect(page.getByText('The invitation for Carla Cruz is revoked.')).toBeVisible()
    await carla.reload()
    await expect(carla.getByText('This invitation has been revoked.')).toBeVisible()
  })
})

test('an invited person accepts by the mailed link and rejects another invitation', async ({
  page,
  another,
}) => {
  const host = await another()
  const bridge = await annsProject(host, { plan: 'free' })
  const ferry = await aProject(host, { plan: 'free', name: 'Old ferry line' })
  const email = await signedInAs(page, 'Bob Baker')
  const invite = (subscriptionId: string) =>
    ask(host, 'createInvite', { subscriptionId, email, permissions: ['editor'] })
  await invite(bridge)
  const link = await mailedLink(page, email)
  await invite(ferry)

  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Join Bridge renewal' })).toBeVisible()
  await page.getByRole('button', { name: 'Accept' }).click()
  await expectScreen(page, 'Bridge renewal')
  await page.getByRole('link', { name: 'Projects' }).click()
  await page.getByRole('button', { name: 'Reject the invitation to Old ferry line' }).click()
  await expect(page.getByText('You rejected the invitation to Old ferry line.')).toBeVisible()
})

test('a former administrator revokes on their dashboard what they have sent', async ({
  page,
  another,
}) => {
  const bob = await another('Bob Baker')
  const id = await annsProject(page, { plan: 'free' })
  await joins(bob, page, id, ['admin'])
  const invited = newAddress('zoe')
  await ask(bob, 'createInvite', { subscriptionId: id, email: invited, permissions: [] })
  await bob.goto('/dashboard')
  const section = bob.getByRole('heading', { name: 'Invitations you sent' })
  await expect(bob.getByRole('link', { name: 'Bridge renewal' })).toBeVisible()
  await expect(section).toHaveCount(0)

  const { uid } = (await ask(bob, 'refreshSession', {})).user
  await ask(page, 'updateUserPermissions', { subscriptionId: id, userId: uid, permissions: [] })
  await expect(section).toBeVisible()
  await bob.emulateMedia({ reducedMotion: 'reduce' })
  await expectOpenToAll(bob)
  await bob.getByRole('button', { name: `Revoke invitation ${invited}` }).click()
  const dialog = bob.getByRole('dialog', { name: `Revoke the invitation for ${invited}?` })
  await dialog.getByRole('button', { name: 'Revoke invitation' }).click()
  await expect(bob.getByText(`The invitation for ${invited} is revoked.`)).toBeVisible()
  await expect(section).toHaveCount(0)
  expect((await ask(page, 'getSubscriptionUsers', { subscriptionId: id })).seats.pending).toBe(0)
})

test.describe('several at once', () => {
  test.use({ expectedRefusals: ['createInvite'] })

  test('are invited from a pasted list: each line says what became of it, and those that failed are tried again', async ({
    page,
    another,
  }) => {
    const bob = await another('Bob Baker')
    const id = await annsProject(page, { plan: 'free' })
    await joins(bob, page, id)
    const invited = newAddress('invited')
    await ask(page, 'createInvite', { subscriptionId: id, email: invited, permissions: [] })
    const guests = Array.from({ length: 9 }, (_, place) => newAddress(`guest-${place}`))
    const lines = [
      `Gina Gold <${guests[0]}>; ${guests[1]}`,
      `${await addressOf(bob)}, Bob Baker`,
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
    await expect(page.getByRole('region', { name: 'Results' })).toBeFocused()
    await expect(line(guests[0]!)).toContainText('Gina Gold')
    for (const guest of guests.slice(0, 7)) await expect(line(guest)).toContainText('Sent')
    await expect(line(await addressOf(bob))).toContainText('Already a member')
    await expect(line(invited)).toContainText('Already invited')
    await expect(line('Somebody')).toContainText('Not an e-mail address')
    for (const guest of guests.slice(7)) await expect(line(guest)).toContainText('No seat left')

    await ask(bob, 'leaveSubscription', { subscriptionId: id })
    await page.getByRole('button', { name: 'Try 2 failed invitations again' }).click()
    await expect(line(guests[7]!)).toContainText('Sent')
    await expect(page.getByRole('button', { name: 'Try 1 failed invitation again' })).toBeVisible()
    await page.getByRole('link', { name: 'Go to users' }).click()
    await expect(page.getByText('10 of 10 seats, 9 pending')).toBeVisible()
    await expect(page.getByRole('row', { name: 'Gina Gold' })).toContainText('Access, Editor')
  })
})

test('a member leaves, and a message names the project that they left', async ({
  page,
  another,
}) => {
  const host = await another()
  const id = await annsProject(host, { plan: 'free' })
  await signedInAs(page, 'Bob Baker')
  await joins(page, host, id, ['admin'])
  await host.goto(`/subscription/${id}`)
  await expect(host.getByRole('heading', { name: 'Bridge renewal' })).toBeVisible()
  await expect(host.getByRole('button', { name: 'Leave project' })).toHaveCount(0)

  await page.goto(`/subscription/${id}`)
  await page.getByRole('button', { name: 'Leave project' }).click()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page
    .getByRole('dialog', { name: 'Leave Bridge renewal?' })
    .getByRole('button', { name: 'Leave project' })
    .click()
  await expect(page.getByText('You have left Bridge renewal.')).toBeVisible()
  await expect(page.getByText('Start with a project')).toBeVisible()
})

test('an owner of two projects hands one over and cancels the other before deleting their account', async ({
  page,
  another,
}) => {
  const bob = await another('Bob Baker')
  const bridge = await annsProject(page, { plan: 'free' })
  const ferry = await aProject(page, { name: 'Old ferry line' })
  await joins(bob, page, bridge, ['admin'])

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
  await confirmOwnId(page)
  await expectPassing(page, 'Your account is deleted.', () =>
    page.getByRole('button', { name: 'Delete account' }).click(),
  )
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
  await bob.goto(`/subscription/${bridge}/users`)
  await expect(bob.getByRole('row', { name: 'Bob Baker' })).toContainText('Owner')
})

test('typing goes on while a search changes the address', async ({ page }) => {
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
  const subscriptionId = await annsProject(page, { plan: 'free' })
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
