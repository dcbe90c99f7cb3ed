import { projectPath } from '#contract/paths.ts'
import type { Page } from '@playwright/test'
import { expectOpenToAll } from './check-screen.ts'
import {
  call,
  chooseFor,
  confirm,
  confirmOwnId,
  mailedLink,
  mailsTo,
  newAddress,
  password,
  signedInAs,
  signedUpAs,
  submit,
  verify,
} from './people.ts'
import { addressOf, annsProject, aProject, ask, invites, joins } from './projects.ts'
import { expect, expectPassing, mayRefuse, refuseNext, shows, test } from './visitor.ts'

async function openUsers(page: Page, id: string) {
  await page.goto(projectPath('users', id))
  await expect(page.getByRole('row', { name: 'Owner' })).toBeVisible()
}

test('people are found by name or address; the URL keeps the search', async ({ page, another }) => {
  const id = await annsProject(page, { member: await another('Bob Baker') })
  await invites(page, id, newAddress('carla'), ['editor'], 'Carla Cruz')
  const long = newAddress('somebody-with-a-long-address').replace('@', '@a.long.domain.of.')
  await invites(page, id, long)
  await openUsers(page, id)
  await shows(page, '4 of 10 seats, including 2 pending')
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    expect(await page.getByRole('row', { name: long }).evaluate(cutTexts), `${width} px`).toEqual(
      [],
    )
  }
  const own = page.getByRole('row', { name: 'Owner' })
  await expect(own).toContainText('You')
  await expect(own.getByRole('button')).toHaveCount(0)

  const search = page.getByRole('searchbox', { name: 'Search by name or email' })
  await search.fill('CARLA')
  await expect(page.getByRole('table').getByRole('row')).toHaveCount(2)
  await expect(page.getByRole('row', { name: 'Bob Baker' })).toHaveCount(0)
  await expect(page.getByRole('row', { name: 'Carla Cruz' })).toContainText('Pending')
  await expect(page).toHaveURL(/search=CARLA/)
  await expect(search).toBeFocused()
  await page.reload()
  await expect(search).toHaveValue('CARLA')
  await search.fill('somebody else')
  await shows(page, 'No one matches “somebody else”', '4 of 10 seats, including 2 pending')
  await page.getByRole('button', { name: 'Clear search' }).click()
  await expect(page.getByRole('row', { name: 'Bob Baker' })).toBeVisible()
  await expect(page).not.toHaveURL(/search/)
})

/** The texts about the person of which a part is not shown. Runs in the page. */
function cutTexts(row: Element) {
  return Array.from(row.querySelectorAll('p, p *'))
    .filter((element) => getComputedStyle(element).overflowX === 'hidden')
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
    .map(({ textContent }) => textContent)
}

test('a form shows permissions that somebody else has just changed', async ({ page, another }) => {
  mayRefuse(page, 'updateUserPermissions')
  const [bob, carla] = [await another('Bob Baker'), await another('Carla Cruz')]
  const id = await annsProject(page, { admin: bob, member: carla })
  await openUsers(page, id)
  await chooseFor(page, 'Carla Cruz', 'Edit permissions')
  const dialog = page.getByRole('dialog', { name: 'Edit permissions: Carla Cruz' })
  const editor = dialog.getByRole('checkbox', { name: 'Editor' })
  const administrator = dialog.getByRole('checkbox', { name: 'Administrator' })
  await expect(dialog.getByRole('checkbox', { name: 'Access' })).toBeDisabled()
  await expect(editor).toBeFocused()

  await openUsers(bob, id)
  await chooseFor(bob, 'Carla Cruz', 'Edit permissions')
  await bob.getByRole('checkbox', { name: 'Editor' }).check()
  await bob.getByRole('button', { name: 'Save permissions' }).click()
  await expect(bob.getByRole('row', { name: 'Carla Cruz' })).toContainText('Editor')
  await expect(bob.getByRole('button', { name: 'Actions for Carla Cruz' })).toBeFocused()

  await administrator.check()
  await dialog.getByRole('button', { name: 'Save permissions' }).click()
  await expect(dialog).toContainText("They're now: Editor.")
  await expect(editor).toBeChecked()
  await expect(administrator).not.toBeChecked()
  await administrator.check()
  await dialog.getByRole('button', { name: 'Save permissions' }).click()
  await expect(dialog).toBeHidden()
  const row = page.getByRole('row', { name: 'Carla Cruz' })
  await expect(row).toContainText(/Editor.*Administrator/)

  await carla.goto(projectPath('subscription', id))
  await expect(carla.getByRole('link', { name: 'Users' })).toBeVisible()
})

test('an administrator confirms before they give up administration', async ({ page, another }) => {
  // The page reads the list once more before its guard leads away.
  mayRefuse(page, 'getSubscriptionUsers', 'listJoinRequests')
  const host = await another()
  const id = await annsProject(host)
  await signedInAs(page, 'Bob Baker')
  await joins(page, host, id, ['admin', 'editor'])
  await openUsers(page, id)
  await chooseFor(page, 'Bob Baker', 'Edit permissions')
  const administrator = page.getByRole('checkbox', { name: 'Administrator' })
  await administrator.uncheck()
  await page.getByRole('button', { name: 'Save permissions' }).click()
  const dialog = page.getByRole('dialog', { name: 'Stop being an administrator?' })
  await expect(dialog).toContainText("You'll lose access")
  await expect(page.getByRole('button', { name: 'Back to the permissions' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(administrator).not.toBeChecked()
  await page.getByRole('button', { name: 'Save permissions' }).click()
  await page.getByRole('button', { name: 'Give up administration' }).click()
  await expect(page.getByRole('heading', { name: 'Bridge renewal' })).toBeVisible()
  await shows(page, "You're no longer an administrator of Bridge renewal.")
  await expect(page.getByRole('link', { name: 'Users' })).toHaveCount(0)
})

test('a person can’t invite before they have verified their address', async ({ page }) => {
  const address = await signedUpAs(page, 'Ann Archer')
  const { subscriptionId } = await ask(page, 'createSubscription', { planId: 'free' })
  await page.goto(projectPath('invite', subscriptionId))
  await shows(page, `Verify ${address} to invite people.`)
  await page.getByLabel('Email', { exact: true }).fill(newAddress('bob'))
  await expect(page.getByRole('button', { name: 'Send invitation' })).toBeDisabled()
  await shows(page, `We sent a link to ${address}. Open it to verify your address.`)
  await verify(page, address)
  await expect(page.getByRole('button', { name: 'Send again' })).toBeHidden()
  await shows(page, 'Your project has no name yet. Whoever you invite reads “Untitled Project”.')
  await submit(page, 'Send invitation')
  await shows(page, '2 of 10 seats, including 1 pending')
})

test('somebody invited with an unproved address is told that an invitation waits, and by whom once the address is proved', async ({
  page,
  another,
}) => {
  const host = await another()
  const id = await annsProject(host)
  const address = await signedUpAs(page, 'Bob Baker')
  await invites(host, id, address, ['editor', 'admin'])
  await page.goto('/dashboard')
  await shows(page, `An invitation to a project is waiting for ${address}.`)
  await expect(page.getByText('Bridge renewal')).toHaveCount(0)
  await verify(page, address)
  await shows(
    page,
    'Ann Archer invites you to join Bridge renewal as an editor and an administrator.',
  )
})

test('an invitation is sent again with a new link, then revoked', async ({ page, another }) => {
  const carla = await another('Carla Cruz')
  mayRefuse(page, 'checkInvite', 'resendInvite')
  mayRefuse(carla, 'checkInvite')
  const address = await addressOf(carla)
  const id = await annsProject(page)
  await invites(page, id, address, [], 'Carla Cruz')
  const old = await mailedLink(page, address)
  await openUsers(page, id)
  await chooseFor(page, 'Carla Cruz', 'Resend invitation')
  await shows(page, `We sent a new link to ${address}.`)
  const link = await mailedLink(page, address)
  expect(link).not.toBe(old)
  await chooseFor(page, 'Carla Cruz', 'Resend invitation')
  await shows(page, 'Wait 10 minutes before sending it again.')
  expect(await mailedLink(page, address)).toBe(link)
  await carla.goto(old)
  await shows(carla, 'Open the newest email about this invitation.')

  // Another user can open the invitation, but must switch accounts to answer it.
  await page.goto(link)
  await shows(page, `This invitation is for ${address}.`)
  await carla.goto(link)
  await expect(carla.getByRole('heading', { name: 'Join Bridge renewal' })).toBeVisible()
  await shows(carla, /Ann Archer invites you to join Bridge renewal as a member\./)

  await openUsers(page, id)
  await chooseFor(page, 'Carla Cruz', 'Revoke invitation')
  await confirm(page, 'Revoke the invitation for Carla Cruz?', 'Revoke invitation')
  await shows(page, 'The invitation for Carla Cruz has been revoked.')
  await carla.reload()
  await shows(carla, 'This invitation was revoked.')
})

test.describe('an invitation', () => {
  async function opened(page: Page, host: Page, name?: string) {
    const id = await annsProject(host)
    const email = newAddress('bob')
    const { inviteId } = await invites(host, id, email, ['editor'], name)
    const link = await mailedLink(host, email)
    await page.goto(link)
    await expect(page.getByRole('heading', { name: 'Join Bridge renewal' })).toBeVisible()
    return { id, email, inviteId, link, revoke: { subscriptionId: id, inviteId } }
  }
  const join = (page: Page) => submit(page, 'Create account and join', { Password: password })
  const welcome =
    /^Welcome to Bridge renewal\. You're an editor here\. Editors .*\. This is the project's home\.$/

  test('knows the name and the address, and is joined in one step', async ({ page, another }) => {
    const { email } = await opened(page, await another(), 'Bob Baker')
    await expect(page.getByLabel('Full name')).toHaveValue('Bob Baker')
    await shows(page, email)
    await page.getByRole('button', { name: 'Not you?' }).click()
    await shows(page, `Only ${email} can use this invitation.`)
    await join(page)
    await expect(page.getByRole('heading', { name: 'Bridge renewal' })).toBeVisible()
    await shows(page, welcome)
    // The invitation has verified the address, so no mail asks for it.
    await page.goto('/dashboard')
    await expect(page.getByRole('link', { name: /Bridge renewal/ })).toBeVisible()
    await expect(page.getByText('We sent a link to')).toHaveCount(0)
    expect(await mailsTo(page, email)).toHaveLength(1)
  })

  async function openedByAMember(page: Page, host: Page) {
    const id = await annsProject(host)
    const email = await signedInAs(page, 'Bob Baker')
    const { inviteId } = await invites(host, id, email, ['editor'])
    await page.context().clearCookies()
    await page.goto(await mailedLink(host, email))
    await expect(page.getByRole('heading', { name: 'Join Bridge renewal' })).toBeVisible()
    return { email, revoke: { subscriptionId: id, inviteId } }
  }

  test('asks people with an account for their password, and is joined with it', async ({
    page,
    another,
  }) => {
    mayRefuse(page, 'signIn')
    const { email } = await openedByAMember(page, await another())
    await shows(page, email)
    await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
    await submit(page, 'Sign in and join', { Password: 'not the password' })
    await shows(page, 'The password is wrong. Try again.')
    await expect(page.getByRole('link', { name: 'Reset your password' })).toBeVisible()
    await submit(page, 'Sign in and join', { Password: password })
    await shows(page, welcome)
  })

  test('that is revoked while its reader signs in says so', async ({ page, another }) => {
    mayRefuse(page, 'acceptInvite', 'checkInvite')
    const host = await another()
    const { revoke } = await openedByAMember(page, host)
    await page.route('**/api/acceptInvite', async (route) => {
      await ask(host, 'revokeInvite', revoke)
      await route.fallback()
    })
    await submit(page, 'Sign in and join', { Password: password })
    await shows(page, 'This invitation was revoked.')
  })

  test('verifies the address of an account that signs in, and waits for its answer', async ({
    page,
    another,
  }) => {
    const host = await another()
    const email = await signedUpAs(page, 'Bob Baker')
    await invites(host, await annsProject(host), email, ['editor'])
    await page.context().clearCookies()
    await page.goto(await mailedLink(host, email))
    await submit(page, 'Sign in and join', { Password: password })
    await page.getByRole('button', { name: 'Accept' }).click()
    await shows(page, welcome)
  })

  test('leads people who sign in another way to the sign-in and back', async ({
    page,
    another,
  }) => {
    const { email } = await openedByAMember(page, await another())
    await page.getByRole('link', { name: 'Sign in another way' }).click()
    await expect(page.getByLabel('Email', { exact: true })).toHaveValue(email)
    await submit(page, 'Sign in', { Password: password })
    await page.getByRole('button', { name: 'Accept' }).click()
    await shows(page, welcome)
  })

  test('that was revoked meanwhile creates no account', async ({ page, another }) => {
    mayRefuse(page, 'signUp')
    const host = await another()
    const { email, revoke } = await opened(page, host, 'Bob Baker')
    await ask(host, 'revokeInvite', revoke)
    await join(page)
    await shows(page, 'This invitation was revoked.')
    await page.getByRole('link', { name: 'Sign in' }).click()
    await expect(page).toHaveURL(/\/signin/)
    await call(page.request, 'signUp', { fullName: 'Bob', email, password })
  })

  test('that is revoked while the account is created leaves the account', async ({
    page,
    another,
  }) => {
    mayRefuse(page, 'acceptInvite', 'checkInvite')
    const host = await another()
    const { revoke } = await opened(page, host, 'Bob Baker')
    await page.route('**/api/acceptInvite', async (route) => {
      await ask(host, 'revokeInvite', revoke)
      await route.fallback()
    })
    await join(page)
    await shows(page, 'This invitation was revoked.')
    await page.getByRole('link', { name: 'Go to your projects' }).click()
    await expect(page.getByRole('heading', { name: 'Your projects' })).toBeVisible()
  })

  test('to a full project keeps the new account, and is accepted later', async ({
    page,
    another,
  }) => {
    await refuseNext(page, 'acceptInvite', 'seatsFull')
    await opened(page, await another(), 'Bob Baker')
    await join(page)
    await shows(page, 'This project has no free seat.')
    await page.getByRole('button', { name: 'Accept' }).click()
    await shows(page, welcome)
  })

  test('that was accepted in another tab leads to the project', async ({ page, another }) => {
    mayRefuse(page, 'acceptInvite')
    const host = await another()
    const id = await annsProject(host)
    const email = await signedInAs(page, 'Bob Baker')
    const { inviteId } = await invites(host, id, email)
    await page.goto(await mailedLink(host, email))
    await expect(page.getByRole('button', { name: 'Accept' })).toBeVisible()
    await ask(page, 'acceptInvite', { inviteId })
    await page.getByRole('button', { name: 'Accept' }).click()
    await shows(page, "You've already accepted this invitation.")
    await page.getByRole('link', { name: 'Open project' }).click()
    await expect(page.getByRole('heading', { name: 'Bridge renewal' })).toBeVisible()
  })
})

test('who removes or demotes an administrator decides on the invitations that they sent', async ({
  page,
  another,
}) => {
  const bob = await another('Bob Baker')
  const subscriptionId = await annsProject(page, { admin: bob })
  const [zoe, yan] = [newAddress('zoe'), newAddress('yan')]
  for (const address of [zoe, yan]) await invites(bob, subscriptionId, address)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await openUsers(page, subscriptionId)
  const dialog = page.getByRole('dialog')
  const keep = dialog.getByRole('checkbox', { name: 'Keep the 2 invitations they sent' })
  await chooseFor(page, 'Bob Baker', 'Edit permissions')
  await expect(keep).toHaveCount(0)
  await dialog.getByRole('checkbox', { name: 'Administrator' }).uncheck()
  await expect(dialog).toContainText('2 pending invitations they sent end too')
  await expectOpenToAll(page)
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await chooseFor(page, 'Bob Baker', 'Remove from project')
  await keep.check()
  await expectOpenToAll(page)
  await confirm(page, 'Remove Bob Baker?', 'Remove from project')
  await shows(page, 'Bob Baker has been removed.')
  await expect(page.getByRole('row', { name: zoe })).toContainText('By Ann Archer')
  await expect(page.getByRole('row', { name: yan })).toContainText('By Ann Archer')
})

test('an administrator who leaves or deletes their account reads what ends', async ({
  page,
  another,
}) => {
  const bob = await another('Bob Baker')
  // The screen that Bob leaves may still read when the news of his leaving comes.
  mayRefuse(bob, 'getSubscription')
  const subscriptionId = await annsProject(page, { admin: bob })
  await invites(bob, subscriptionId, newAddress('zoe'))
  await bob.goto('/delete-account')
  await shows(bob, '1 pending invitation you sent ends too.')
  await openUsers(bob, subscriptionId)
  await chooseFor(bob, 'Bob Baker', 'Leave project')
  await shows(bob, '1 pending invitation you sent ends too.')
  await confirm(bob, 'Leave Bridge renewal?', 'Leave project')
  await shows(bob, "You've left Bridge renewal.")
  expect((await ask(page, 'getSubscriptionUsers', { subscriptionId })).seats.pending).toBe(0)
})

test('an invitation that can’t be mailed today offers its link', async ({ page }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const subscriptionId = await annsProject(page)
  const zoe = newAddress('zoe')
  for (let mail = 0; mail < 6; mail++) {
    const { inviteId } = await invites(page, subscriptionId, zoe)
    await ask(page, 'revokeInvite', { subscriptionId, inviteId })
  }
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(projectPath('invite', subscriptionId))
  await page.getByLabel('Email', { exact: true }).fill(zoe)
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await shows(page, "The invitation is ready, but we can't mail it today")
  await expectOpenToAll(page)
  await page.getByRole('button', { name: 'Copy invitation link' }).click()
  await shows(page, `Link copied. Send it to ${zoe}`)
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('/invitation?code=')

  await page.goto(`${projectPath('invite', subscriptionId)}?several`)
  const tagged = zoe.replace('@', '+other@')
  await page.getByLabel('People').fill(`${tagged}, ${newAddress('omar')}`)
  await page.getByRole('button', { name: 'Send 2 invitations' }).click()
  await shows(page, '1 of 2 invitations are on their way.', '1 invitation is ready')
  await expectOpenToAll(page)
  await page.getByRole('button', { name: `Copy link ${tagged}` }).click()
  await shows(page, `Link copied. Send it to ${tagged}`)
})

test('as many of a pasted list are invited as there are seats, and the rest stays on the list', async ({
  page,
  another,
}) => {
  mayRefuse(page, 'createInvite')
  const bob = await another('Bob Baker')
  const carla = await another('Carla Cruz')
  const id = await annsProject(page, { member: bob, admin: carla, screen: 'invite' })
  const invited = newAddress('invited')
  await invites(page, id, invited)
  const guests = Array.from({ length: 8 }, (_, place) => newAddress(`guest-${place}`))
  const lines = [
    `Gina Gold <${guests[0]}>; ${guests[1]}`,
    `${await addressOf(bob)}, Bob Baker`,
    invited,
    'Somebody',
    guests[0]!.toUpperCase(),
    ...guests.slice(2, 7),
    `"Ng, Li" <${guests[7]}>`,
  ]

  await page.getByRole('link', { name: 'Several at once' }).click()
  const people = page.getByLabel('People')
  await page.getByRole('button', { name: 'Send invitations' }).click()
  await shows(page, 'Enter at least one email address.')
  await people.fill(lines.join('\n'))
  await shows(page, '10 people', '1 duplicate skipped', "1 entry isn't an email address")
  await shows(page, 'Only 6 seats are free. The others stay on the list.')
  await page.getByRole('checkbox', { name: 'Editor' }).check()
  await page.getByRole('button', { name: 'Send 6 of 10' }).click()

  const line = (text: string) => page.getByRole('listitem').filter({ hasText: text })
  await shows(page, '4 of 7 invitations are on their way.', '4 people are still on your list.')
  await expect(page.getByRole('region', { name: 'Results' })).toBeFocused()
  await expect(line(guests[0]!)).toContainText('Gina Gold')
  for (const guest of guests.slice(0, 4)) await expect(line(guest)).toContainText('Sent')
  await expect(line(await addressOf(bob))).toContainText('Already a member')
  await expect(line(invited)).toContainText('Already invited')
  await expect(line('Somebody')).toContainText('Not an email address')
  const rest = [...guests.slice(4, 7), `"Ng, Li" <${guests[7]}>`, 'Somebody'].join('\n')
  await page.reload()
  await expect(people).toHaveValue(rest)

  // Somebody else takes a seat before the last of the two who fit is invited.
  await page.route(
    '**/api/createInvite',
    async (route) => {
      await invites(carla, id, newAddress('other'))
      await route.fallback()
    },
    { times: 1 },
  )
  await page.getByRole('button', { name: 'Send 2 of 4' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'No seat left' })).toHaveCount(1)
  await shows(page, '2 people are still on your list.', 'All 10 seats of this plan are taken.')
  const upgrade = page.getByRole('link', { name: 'Upgrade', exact: true })
  await expect(upgrade).toHaveAttribute('href', projectPath('changePlan', id))
  await page.getByRole('button', { name: 'Back to the list' }).click()
  await expect(page.getByRole('button', { name: 'Send 3 invitations' })).toBeDisabled()
  await ask(bob, 'leaveSubscription', { subscriptionId: id })
  await page.getByRole('button', { name: 'Send 1 of 3' }).click()
  await shows(page, '1 of 2 invitations are on their way.', '2 people are still on your list.')
  await page.getByRole('link', { name: 'Go to users' }).click()
  await shows(page, '10 of 10 seats, including 8 pending')
  await expect(page.getByRole('row', { name: 'Gina Gold' })).toContainText('Editor')
})

test('a member leaves a project, and one message names it', async ({ page, another }) => {
  const host = await another()
  await signedInAs(page, 'Bob Baker')
  const id = await annsProject(host, { admin: page, screen: 'subscription' })
  await expect(host.getByRole('heading', { name: 'Bridge renewal' })).toBeVisible()
  await expect(host.getByRole('button', { name: 'Leave project' })).toHaveCount(0)

  await page.goto(projectPath('subscription', id))
  // The screen may hear of it, and read again, before the answer comes.
  mayRefuse(page, 'getSubscription', 'getSubscriptionUsers', 'listJoinRequests')
  await page.getByRole('button', { name: 'Leave project' }).click()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toBeFocused()
  await confirm(page, 'Leave Bridge renewal?', 'Leave project')
  await shows(page, "You've left Bridge renewal.", 'Start with a project')
  await expect(page.getByText("You're no longer a member of")).toHaveCount(0)
})

test('an owner gives up their projects, then deletes their account', async ({ page, another }) => {
  const bob = await another('Bob Baker')
  await signedInAs(page, 'Ann Archer')
  await page.goto('/delete-account')
  await confirmOwnId(page)
  // The test makes the projects while the screen is open.
  const bridge = await aProject(page)
  await joins(bob, page, bridge, ['admin'])
  const ferry = await aProject(page, { plan: 'pro', name: 'Old ferry line' })

  await shows(page, 'You own 2 projects')
  await page.getByRole('link', { name: 'Transfer ownership of Bridge renewal' }).click()
  await page.getByRole('radio').check()
  await page.getByRole('button', { name: 'Transfer ownership' }).click()
  const words = 'Bob Baker is now the owner. Taking you back to deleting your account.'
  await expectPassing(page, words, () =>
    confirm(page, 'Transfer ownership: Bob Baker', 'Transfer ownership'),
  )

  await shows(page, 'You own 1 project')
  await page.getByRole('link', { name: 'Cancel project Old ferry line' }).click()
  await submit(page, 'Cancel subscription', { 'Type the project ID to confirm': ferry })

  await expect(page.getByText('Your user ID', { exact: true })).toBeVisible()
  await confirmOwnId(page)
  await expectPassing(page, 'Your account is deleted.', 'Delete account')
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
  await bob.goto(projectPath('users', bridge))
  await expect(bob.getByRole('row', { name: 'Bob Baker' })).toContainText('Owner')
})

test('a search that changes the URL leaves alone what a user types', async ({ page }) => {
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
  await annsProject(page, { screen: 'activity' })
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
