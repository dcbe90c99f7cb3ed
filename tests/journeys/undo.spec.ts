import { projectPath } from '#contract/paths.ts'
import type { Page } from '@playwright/test'
import { submit } from './people.ts'
import { addressOf, annsProject, ask, joins } from './projects.ts'
import { aPhone, expect, mayRefuse, shows, test } from './visitor.ts'

const undo = (page: Page) => page.getByRole('button', { name: 'Undo' })
const roleOf = (page: Page, name: string) => page.getByRole('button', { name: `Role of ${name}` })

async function choosesRole(page: Page, name: string, role: string) {
  await roleOf(page, name).click()
  await page.getByRole('menuitemradio', { name: role }).click()
}

async function roleHeld(page: Page, subscriptionId: string, email: string) {
  const { users } = await ask(page, 'getSubscriptionUsers', { subscriptionId })
  return users.find((user) => user.email === email)!.permissions.toSorted()
}

test('a role is chosen in the row, on a phone among its actions, and undone', async ({
  page,
  another,
}) => {
  const bob = await another('Bob Baker')
  const id = await annsProject(page, { member: bob, screen: 'users' })
  await roleOf(page, 'Bob Baker').click()
  await expect(page.getByRole('menuitemradio', { name: 'Member' })).toHaveAttribute(
    'aria-checked',
    'true',
  )
  await page.getByRole('menuitemradio', { name: 'Administrator' }).click()
  await shows(page, 'Bob Baker is now an administrator.')
  await expect(page.getByRole('row', { name: 'Bob Baker' })).toContainText('Administrator')
  await undo(page).click()
  await shows(page, 'It is as it was before.')
  await expect(page.getByRole('row', { name: 'Bob Baker' })).toContainText('Member')
  expect(await roleHeld(page, id, await addressOf(bob))).toEqual(['access'])

  const actions = page.getByRole('button', { name: 'Actions for Bob Baker' })
  await actions.click()
  await expect(page.getByRole('menuitem')).toHaveText(['Edit permissions', 'Remove from project'])
  await expect(page.getByRole('menuitemradio')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await actions.press('Enter')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('Escape')
  await page.setViewportSize(aPhone.viewport)
  await actions.click()
  await page.getByRole('menuitemradio', { name: 'Editor' }).click()
  await shows(page, 'Bob Baker is now an editor.')
  await undo(page).click()
  await expect(page.getByRole('row', { name: 'Bob Baker' })).toContainText('Member')
})

test('a role is chosen by keyboard alone', async ({ page, another }) => {
  await annsProject(page, { member: await another('Bob Baker'), screen: 'users' })
  await roleOf(page, 'Bob Baker').focus()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitemradio', { name: 'Member' })).toBeFocused()
  await page.keyboard.press('e')
  await expect(page.getByRole('menuitemradio', { name: 'Editor' })).toBeFocused()
  await page.keyboard.press('Enter')
  await shows(page, 'Bob Baker is now an editor.')
  await expect(roleOf(page, 'Bob Baker')).toBeFocused()
  await expect(roleOf(page, 'Bob Baker')).toContainText('Editor')
})

test('what somebody else has changed since is not undone', async ({ page, another }) => {
  mayRefuse(page, 'updateUserPermissions')
  const bob = await another('Bob Baker')
  const id = await annsProject(page, { member: bob, screen: 'users' })
  await choosesRole(page, 'Bob Baker', 'Editor')
  await shows(page, 'Bob Baker is now an editor.')
  const bobsId = (await ask(bob, 'refreshSession', {})).user.uid
  const carla = await another('Carla Cruz')
  await joins(carla, page, id, ['admin'])
  await ask(carla, 'updateUserPermissions', {
    subscriptionId: id,
    userId: bobsId,
    permissions: ['access', 'editor', 'admin'],
  })
  await undo(page).click()
  await shows(page, "We couldn't undo it")
  expect(await roleHeld(page, id, await addressOf(bob))).toEqual(['access', 'admin', 'editor'])
})

test('who takes administration away in the row is asked first', async ({ page, another }) => {
  const bob = await another('Bob Baker')
  const id = await annsProject(page, { admin: bob, screen: 'users' })
  await choosesRole(page, 'Bob Baker', 'Member')
  const dialog = page.getByRole('dialog', { name: 'Edit permissions: Bob Baker' })
  await expect(dialog.getByRole('checkbox', { name: 'Administrator' })).not.toBeChecked()
  expect(await roleHeld(page, id, await addressOf(bob))).toEqual(['access', 'admin'])
  await dialog.getByRole('button', { name: 'Save permissions' }).click()
  await shows(page, 'Bob Baker is now a member.')
  await expect(undo(page)).toHaveCount(0)
  expect(await roleHeld(page, id, await addressOf(bob))).toEqual(['access'])
})

test('several people get a role at once', async ({ page, another }) => {
  const [bob, carla] = [await another('Bob Baker'), await another('Carla Cruz')]
  const id = await annsProject(page, { member: bob })
  await joins(carla, page, id, ['admin'])
  await page.goto(projectPath('users', id))
  await page.getByRole('checkbox', { name: 'Select Bob Baker' }).check()
  await page.getByRole('checkbox', { name: 'Select Carla Cruz' }).check()
  await page.getByRole('button', { name: 'Change role' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change the role of 2 people?' })
  await dialog.getByLabel('New role').selectOption('Editor')
  await dialog.getByRole('button', { name: 'Change role' }).click()
  await shows(page, '2 roles are changed.')
  for (const each of [bob, carla])
    expect(await roleHeld(page, id, await addressOf(each))).toEqual(['access', 'editor'])
})

test('a project and a person get their former name back', async ({ page }) => {
  const id = await annsProject(page, { screen: 'settings' })
  await submit(page, 'Save settings', { 'Project Name': 'Harbour lights' })
  await shows(page, 'Settings of Harbour lights saved.')
  await undo(page).click()
  await shows(page, 'It is as it was before.')
  const { subscription } = await ask(page, 'getSubscription', { subscriptionId: id })
  expect(subscription.settings['name']).toBe('Bridge renewal')

  await page.goto('/edit-name')
  await submit(page, 'Save name', { Name: 'Anna Archer' })
  await shows(page, 'Your name is now Anna Archer.')
  await undo(page).click()
  await expect
    .poll(async () => (await ask(page, 'refreshSession', {})).user.displayName)
    .toBe('Ann Archer')
})
