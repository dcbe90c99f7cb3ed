import { expectOpenToAll } from '../../tests/journeys/check-screen.ts'
import { mailsTo } from '../../tests/journeys/people.ts'
import { addressOf, annsProject, ask, joins } from '../../tests/journeys/projects.ts'
import { aPhone, expect, shows, test } from '../../tests/journeys/visitor.ts'

test.use({ reducedMotion: 'reduce' })

test('a notice arrives at the bell while one looks on, and is read, listed, and chosen to come no more', async ({
  page,
  another,
}) => {
  const id = await annsProject(page)
  const guest = await another('Bob Baker', aPhone)
  await page.goto('/dashboard')
  const bell = page.getByRole('button', { name: /^Notices/ })
  await expect(bell).toHaveAccessibleName('Notices: 0 unread')
  await joins(guest, page, id)
  await expect(bell).toHaveAccessibleName('Notices: 1 unread')
  await bell.focus()
  await page.keyboard.press('Enter')
  const item = page.getByRole('menuitem', { name: 'Bob Baker joined Bridge renewal' })
  await expect(item).toBeVisible()
  await page.keyboard.press('Home')
  await expect(item).toBeFocused()
  await expectOpenToAll(page)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/subscription/${id}/users$`))
  await expect(bell).toHaveAccessibleName('Notices: 0 unread')

  const { uid: userId } = (await ask(guest, 'refreshSession', {})).user
  await ask(page, 'updateUserPermissions', { subscriptionId: id, userId, permissions: ['editor'] })
  await guest.goto('/notices')
  await guest.getByRole('button', { name: /^Notices/ }).click()
  const menu = guest.getByRole('menu', { name: /^Notices/ })
  const { x, width } = (await menu.boundingBox())!
  expect([x, width]).toEqual([16, aPhone.viewport.width - 32])
  await guest.keyboard.press('Escape')
  await expect(menu.getByRole('menuitem')).toHaveCount(0)
  const list = guest.getByRole('main')
  await shows(list, 'Your role in Bridge renewal has changed', 'by Ann Archer')
  await expectOpenToAll(guest)
  await guest.getByRole('combobox', { name: 'Notice' }).selectOption('Unread')
  await guest.getByRole('button', { name: 'Mark all as read' }).click()
  await shows(guest, 'Nothing here')
  await guest.getByRole('button', { name: 'Show all notices' }).click()
  await shows(guest, 'Your role in Bridge renewal has changed')
  await guest.setViewportSize(aPhone.viewport)
  const cells = guest.getByRole('table').getByRole('cell')
  const [title, when] = [await cells.nth(0).boundingBox(), await cells.nth(2).boundingBox()]
  expect(title!.x + title!.width).toBe(when!.x + when!.width)
  await guest.getByRole('link', { name: 'Choose how you’re told' }).click()
  const choice = guest.getByRole('combobox', { name: 'Someone changes my role By email' })
  await expect(choice).toBeInViewport()
  await expect(guest.getByText('What happens')).toBeHidden()
  await expect(choice.locator('xpath=ancestor::label').getByText('By email')).toBeVisible()
  await choice.selectOption('Once a day')

  // The link in the mail that has come before ends such mails, and the open profile shows it.
  const address = await addressOf(guest)
  await expect.poll(async () => (await mailsTo(guest, address))[0]!.subject).toMatch(/^Your role/)
  const [mail] = await mailsTo(guest, address)
  const link = mail!.links.find((link) => link.includes('/unsubscribe?'))!
  const signedOut = await another()
  await signedOut.goto(new URL(link).pathname + new URL(link).search)
  await expectOpenToAll(signedOut)
  await signedOut.getByRole('button', { name: 'Stop these emails' }).click()
  await shows(signedOut, 'The emails “Someone changes my role” have ended.')
  await expect(choice).toHaveValue('never')
})
