import { projectPath } from '#contract/paths.ts'
import type { Page } from '@playwright/test'
import { expectNoViolations } from './check-screen.ts'
import { chooseFor, download, fill, mailedLink, newAddress, signedUpAs, verify } from './people.ts'
import { addressOf, annsProject, ask, idOf, invites } from './projects.ts'
import { changeProject, expect, mayRefuse, refuseNext, shows, test } from './visitor.ts'

/** Ann's project with Bob, an administrator, and invitations for Zoe and for an address. */
async function openTeam(page: Page, bob: Page) {
  const id = await annsProject(page, { admin: bob })
  const [zoe, omar] = [newAddress('zoe'), newAddress('omar')]
  await invites(page, id, zoe, ['editor'], 'Zoe Zimmer')
  await invites(page, id, omar)
  await page.goto(projectPath('users', id))
  await expect(page.getByRole('row', { name: 'Zoe Zimmer' })).toBeVisible()
  return { id, zoe, omar }
}

async function expectOpenInBothThemes(page: Page) {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expectNoViolations(page)
  }
}

/** The names in the order of the list. */
const names = (page: Page) => page.locator('tbody tr p:first-child > span:first-child')

test('the users are filtered and sorted, and the URL keeps both', async ({ page, another }) => {
  const { omar } = await openTeam(page, await another('Bob Baker'))
  const show = page.getByRole('combobox', { name: 'Show' })
  await show.selectOption('Pending')
  await expect(names(page)).toHaveText(['Zoe Zimmer', omar])
  await shows(page, '4 of 10 seats, including 2 pending')
  await show.selectOption('Administrator')
  await expect(names(page)).toHaveText(['Ann Archer', 'Bob Baker'])
  await expect(page).toHaveURL(/show=role-admin/)
  await show.selectOption('Editor')
  await shows(page, 'Nobody has this role')
  await expectOpenInBothThemes(page)
  await page.getByRole('button', { name: 'Show everyone' }).click()

  const person = page.getByRole('columnheader', { name: 'Person' })
  await expect(person).toHaveAttribute('aria-sort', 'none')
  await page.getByRole('button', { name: 'Person' }).click()
  await expect(names(page)).toHaveText(['Ann Archer', 'Bob Baker', omar, 'Zoe Zimmer'])
  await expect(person).toHaveAttribute('aria-sort', 'ascending')
  await page.getByRole('button', { name: 'Person' }).press('Enter')
  await expect(names(page)).toHaveText(['Zoe Zimmer', omar, 'Bob Baker', 'Ann Archer'])
  await expect(person).toHaveAttribute('aria-sort', 'descending')
  await page.getByRole('button', { name: 'Joined' }).click()
  await expect(names(page)).toHaveText([omar, 'Zoe Zimmer', 'Bob Baker', 'Ann Archer'])
  await page.reload()
  await expect(names(page)).toHaveText([omar, 'Zoe Zimmer', 'Bob Baker', 'Ann Archer'])

  await page.setViewportSize({ width: 390, height: 800 })
  await expect(page.getByRole('button', { name: 'Joined' })).toBeHidden()
  const sort = page.getByRole('combobox', { name: 'Sort by' })
  await expect(sort).toHaveValue('newest')
  await sort.selectOption('Name, A to Z')
  await expect(names(page)).toHaveText(['Ann Archer', 'Bob Baker', omar, 'Zoe Zimmer'])
  await sort.selectOption('Owner first')
  await expect(page).not.toHaveURL(/sort/)
})

test('several people are changed with one confirmation each, and who could not be stays on the list', async ({
  page,
  another,
}) => {
  mayRefuse(page, 'resendInvite', 'removeUser')
  const bob = await another('Bob Baker')
  const { id, zoe, omar } = await openTeam(page, bob)
  const first = await mailedLink(page, zoe)
  await expect(page.getByRole('checkbox', { name: 'Select Ann Archer' })).toHaveCount(0)
  await page.getByRole('checkbox', { name: 'Select everyone on this page' }).check()
  const bar = page.getByRole('region', { name: 'Selected people' })
  await expect(bar).toContainText('3 selected')
  await expectOpenInBothThemes(page)

  await bar.getByRole('button', { name: 'Resend 2 invitations' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expectOpenInBothThemes(page)
  await dialog.getByRole('button', { name: 'Resend 2 invitations' }).click()
  await shows(page, '2 invitations are on their way.')
  await expect(bar).toBeHidden()
  expect(await mailedLink(page, zoe)).not.toBe(first)

  // One invitation was sent a moment ago, so it can't be sent again, and the dialog says so.
  await page.getByRole('checkbox', { name: 'Select Zoe Zimmer' }).check()
  await bar.getByRole('button', { name: 'Resend 1 invitation' }).click()
  await dialog.getByRole('button', { name: 'Resend 1 invitation' }).click()
  await expect(dialog).toContainText('0 sent, 1 could not be sent.')
  await expect(dialog.getByRole('listitem')).toContainText('Wait 10 minutes')
  await expect(dialog.getByRole('button', { name: 'Close' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(bar).toContainText('1 selected')

  await page.getByRole('checkbox', { name: `Select ${omar}` }).check()
  await bar.getByRole('button', { name: 'Revoke 2 invitations' }).click()
  await dialog.getByRole('button', { name: 'Revoke 2 invitations' }).click()
  await shows(page, '2 invitations are revoked.')
  await expect(names(page)).toHaveText(['Ann Archer', 'Bob Baker'])

  await page.getByRole('checkbox', { name: 'Select Bob Baker' }).check()
  await bar.getByRole('button', { name: 'Remove 1 person' }).click()
  await expect(dialog).toContainText(await addressOf(bob))
  await ask(page, 'removeUser', { subscriptionId: id, userId: await idOf(bob) })
  await dialog.getByRole('button', { name: 'Remove 1 person' }).click()
  await expect(dialog.getByRole('listitem')).toContainText('in the project')
})

test('on a phone people are selected by a button, and the list does not move', async ({
  page,
  another,
}) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await openTeam(page, await another('Bob Baker'))
  await expect(page.getByRole('checkbox')).toHaveCount(0)
  const row = page.getByRole('row', { name: 'Bob Baker' })
  const before = await row.boundingBox()
  await page.getByRole('button', { name: 'Select people' }).click()
  await page.getByRole('checkbox', { name: 'Select Bob Baker' }).check()
  await expect(page.getByRole('region', { name: 'Selected people' })).toContainText('1 selected')
  expect(await row.boundingBox()).toEqual(before)
  await expectOpenInBothThemes(page)
  await page.getByRole('button', { name: 'Clear selection' }).click()
  await expect(page.getByRole('checkbox')).toHaveCount(0)
})

test('on the smallest phones a name has the line, and role and state stand below', async ({
  page,
  another,
}) => {
  await openTeam(page, await another('Bartholomew Bakerfield'))
  for (const width of [320, 360, 375]) {
    await page.setViewportSize({ width, height: 740 })
    const name = page.locator('tbody').getByTitle('Bartholomew Bakerfield', { exact: true })
    expect(await name.evaluate((text) => text.scrollWidth - text.clientWidth), `${width}`).toBe(0)
    const row = page.getByRole('row', { name: 'Zoe Zimmer' })
    await expect(row.getByTitle('zoe-')).toHaveCSS('text-overflow', 'ellipsis')
    const [role, state] = [row.getByText('Editor').first(), row.getByText('Pending').first()]
    const [below, beside] = [(await role.boundingBox())!, (await state.boundingBox())!]
    expect(below.y).toBeGreaterThan((await row.getByText('zoe-').boundingBox())!.y)
    expect(Math.abs(beside.y - below.y)).toBeLessThan(1)
  }
})

test('on a phone a long address without a name has the line to itself', async ({ page }) => {
  const id = await annsProject(page)
  const address = newAddress('an-address-as-long-as-one-may-be-or-hardly')
  await invites(page, id, address, ['editor', 'admin'])
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(projectPath('users', id))
  const row = page.getByRole('row', { name: address })
  for (const dir of ['ltr', 'rtl']) {
    await page.evaluate((dir) => (document.documentElement.dir = dir), dir)
    const text = (await row.locator('p').first().boundingBox())!
    const chip = (await row.getByText('Pending').first().boundingBox())!
    expect(text.height, dir).toBeLessThan(4 * 21)
    expect(chip.y, dir).toBeGreaterThanOrEqual(text.y + text.height - 1)
  }
})

test('a list that shows everyone again keeps the keyboard on the page', async ({
  page,
  another,
}) => {
  const { zoe, omar } = await openTeam(page, await another('Bob Baker'))
  const focused = page.locator('main:focus, main :focus')
  await page.getByRole('searchbox').fill('nobody')
  await page.getByRole('button', { name: 'Clear search' }).press('Enter')
  await expect(names(page)).toHaveText(['Ann Archer', 'Bob Baker', 'Zoe Zimmer', omar])
  await expect(focused).toHaveCount(1)

  await page.getByRole('combobox', { name: 'Show' }).selectOption('Pending')
  for (const address of [omar, zoe]) {
    await chooseFor(page, address === zoe ? 'Zoe Zimmer' : omar, 'Revoke invitation')
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke invitation' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  await expect(focused).toHaveCount(1)
  await page.getByRole('button', { name: 'Show everyone' }).press('Enter')
  await expect(names(page)).toHaveText(['Ann Archer', 'Bob Baker'])
  await expect(focused).toHaveCount(1)
})

test('who was selected in a wide window is seen when the window gets narrow', async ({
  page,
  another,
}) => {
  await openTeam(page, await another('Bob Baker'))
  await page.getByRole('checkbox', { name: 'Select Bob Baker' }).check()
  await page.setViewportSize({ width: 390, height: 800 })
  await expect(page.getByRole('checkbox', { name: 'Select Bob Baker' })).toBeChecked()
  await page.getByRole('button', { name: 'Select people' }).click()
  await expect(page.getByRole('checkbox')).toHaveCount(0)
})

test('what was no address in a list of people stays to be mended', async ({ page }) => {
  const id = await annsProject(page)
  await page.goto(`${projectPath('invite', id)}?several`)
  const people = page.getByLabel('People', { exact: true })
  await people.fill(`${newAddress('zoe')}\nomar@`)
  await page.getByRole('button', { name: 'Send 1 invitation' }).click()
  await shows(page, '1 of 2 invitations are on their way.')
  await page.getByRole('button', { name: 'Invite more people' }).click()
  await expect(people).toHaveValue('omar@')
})

test('a list of people asks about mistyped domains, and mends all that are alike', async ({
  page,
}) => {
  const id = await annsProject(page)
  await page.goto(`${projectPath('invite', id)}?several`)
  const people = page.getByLabel('People', { exact: true })
  await people.fill('zoe@gmail.com, paul@GMIAL.com\nMia <mia@gmial.com>, kim@example.com')
  await page.getByRole('button', { name: 'Did you mean paul@gmail.com?' }).click()
  await expect(people).toHaveValue(
    'zoe@gmail.com, paul@gmail.com\nMia <mia@gmail.com>, kim@example.com',
  )
  await expect(people).toBeFocused()
  await expect(page.getByRole('button', { name: /^Did you mean/ })).toHaveCount(0)
})

test('an owner who is alone has no search, but a way to invite', async ({ page }) => {
  const id = await annsProject(page)
  await page.goto(projectPath('users', id))
  await expect(page.getByRole('link', { name: 'Invite several people at once' })).toBeVisible()
  await expect(page.getByRole('searchbox')).toHaveCount(0)
  await invites(page, id, newAddress('zoe'))
  await expect(page.getByRole('searchbox')).toBeVisible()
})

test('an administrator downloads everyone as CSV once the list is loaded, also while it is filtered', async ({
  page,
  another,
}) => {
  const bob = await another('Bob Baker')
  const { zoe, omar } = await openTeam(page, bob)
  const recover = await refuseNext(page, 'getSubscriptionUsers', 'internal', Infinity)
  await page.reload()
  await shows(page, 'Failed to load users')
  await expect(page.getByRole('button', { name: 'Download CSV' })).toBeDisabled()
  await expect(page.getByRole('link', { name: 'Invite user' })).toBeDisabled()
  recover()
  await page.reload()
  await page.getByRole('combobox', { name: 'Show' }).selectOption('Pending')
  const { name, text } = await download(page, 'Download CSV')
  expect(name).toMatch(/^bridge-renewal-users-\d{4}-\d\d-\d\d\.csv$/)
  const [head, ...rows] = text.trim().split('\r\n')
  expect(head).toContain('"id","name","email","status","owner","permissions","created"')
  expect(rows).toHaveLength(4)
  expect(rows[1]).toContain(`"Bob Baker","${await addressOf(bob)}","active","false","access admin"`)
  expect(rows[2]).toContain(`"Zoe Zimmer","${zoe}","pending","false","access editor"`)
  expect(rows[3]).toMatch(new RegExp(`"","${omar}","pending".*"Ann Archer","\\d{4}-.*Z"$`))
})

test('a copied link opens the invitation, and its guest verifies their address before they join', async ({
  page,
  another,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const id = await annsProject(page)
  const guest = await another()
  const address = await signedUpAs(guest, 'Gina Gold')
  await invites(page, id, address)
  await page.goto(projectPath('users', id))
  await chooseFor(page, address, 'Copy invitation link')
  await shows(page, `Link copied. Send it to ${address}`)
  const link = await page.evaluate(() => navigator.clipboard.readText())

  await guest.goto(link)
  await expect(guest.getByRole('heading', { name: 'Join Bridge renewal' })).toBeVisible()
  await shows(guest, `Verify ${address} first`)
  await expect(guest.getByRole('button', { name: 'Accept' })).toHaveCount(0)
  await expectOpenInBothThemes(guest)
  await verify(guest, address)
  await guest.evaluate(() => window.dispatchEvent(new Event('focus')))
  await guest.getByRole('button', { name: 'Accept' }).click()
  await expect(guest.getByRole('heading', { name: 'Bridge renewal' })).toBeVisible()
})

test('where the browser forbids copying, a dialog shows the link', async ({ page }) => {
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true }),
  )
  const id = await annsProject(page)
  const address = newAddress('omar')
  await invites(page, id, address)
  await page.goto(projectPath('users', id))
  await chooseFor(page, address, 'Copy invitation link')
  const dialog = page.getByRole('dialog', { name: 'Invitation link' })
  await expect(dialog.getByLabel('Link')).toHaveValue(/\/invitation\?code=/)
  await expectOpenInBothThemes(page)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toBeHidden()
})

test('an invitation that is refused offers the way on', async ({ page, another }) => {
  mayRefuse(page, 'createInvite', 'resendInvite')
  const bob = await another('Bob Baker')
  const { id, zoe } = await openTeam(page, bob)
  await page.goto(projectPath('invite', id))
  const email = page.getByLabel('Email', { exact: true })
  const send = page.getByRole('button', { name: 'Send invitation' })
  await email.fill(zoe)
  await send.click()
  await shows(page, 'This email already has a pending invite')
  await expect(email).toBeFocused()
  await expect(email).toHaveAttribute('aria-invalid', 'true')
  await expectOpenInBothThemes(page)
  await page.getByRole('button', { name: 'Resend invitation' }).click()
  await shows(page, `We sent a new link to ${zoe}.`)

  await fill(page, { Email: await addressOf(bob) })
  await send.click()
  await shows(page, 'This user is already a member of this project')
  await page.getByRole('link', { name: 'Show in users' }).click()
  await expect(names(page)).toHaveText(['Bob Baker'])
})

test('the last seats are told before the work: the owner is led to the plans, others learn who the owner is', async ({
  page,
  another,
}) => {
  const bob = await another('Bob Baker')
  mayRefuse(page, 'createInvite')
  mayRefuse(bob, 'createInvite')
  const id = await annsProject(page, { admin: bob })
  const sent = []
  for (let seat = 2; seat < 9; seat++) sent.push(await invites(page, id, newAddress('guest')))
  const askOwner = 'Only the owner, Ann Archer, can change the plan.'
  const wayOn = page.getByRole('main').getByRole('link', { name: 'Upgrade', exact: true })
  for (const visitor of [bob, page]) {
    await visitor.goto(projectPath('invite', id))
    await shows(visitor, '1 seat left')
  }
  await shows(bob, askOwner)
  await expect(wayOn).toBeVisible()

  // Without a reload: somebody else takes the seat, which becomes free again.
  sent.push(await invites(bob, id, newAddress('guest')))
  await shows(page, 'All 10 seats of this plan are taken.')
  await expectOpenInBothThemes(page)
  await fill(page, { Email: newAddress('late') })
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await shows(page, 'No seats left')
  await ask(bob, 'revokeInvite', { subscriptionId: id, inviteId: sent.pop()!.inviteId })
  await shows(page, '1 seat left')
  await expect(page.getByText('No seats left')).toHaveCount(0)
  await ask(bob, 'revokeInvite', { subscriptionId: id, inviteId: sent.pop()!.inviteId })
  await expect(wayOn).toHaveCount(0)

  for (let seat = 0; seat < 2; seat++) await invites(bob, id, newAddress('guest'))
  await bob.goto(projectPath('users', id))
  await shows(bob, 'No seats left', askOwner)
  for (const screen of ['subscription', 'billing', 'users'] as const) {
    await page.goto(projectPath(screen, id))
    await shows(page, 'No seats left')
    await expect(wayOn).toHaveAttribute('href', projectPath('changePlan', id))
  }
  await expectOpenInBothThemes(page)
  await changeProject(page, (subscription) => (subscription.plan_id = 'enterprise'))
  await page.reload()
  await shows(page, 'No seats left', 'This is the largest plan.')
  await expect(wayOn).toHaveCount(0)
})
