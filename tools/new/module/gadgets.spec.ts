import { expectOpenToAll } from '../../tests/journeys/check-screen.ts'
import { press, type } from '../../tests/journeys/keys.ts'
import { confirm } from '../../tests/journeys/people.ts'
import { annsProject } from '../../tests/journeys/projects.ts'
import { expect, shows, test } from '../../tests/journeys/visitor.ts'

test.use({ reducedMotion: 'reduce' })

test('by keyboard on a phone a gadget is made, found, changed and deleted', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await annsProject(page, { screen: 'gadgets' })
  await press(page, 'link', 'New gadget')
  await type(page, 'Name', 'North side')
  await type(page, 'Note (optional)', 'Two of them.')
  await press(page, 'button', 'Save gadget')
  await shows(page, 'North side')
  await type(page, 'Search by name', 'NORTH')
  await expect(page).toHaveURL(/search=NORTH$/)
  await press(page, 'link', 'North side')
  await expect(page.getByLabel('Note')).toHaveValue('Two of them.')
  await expectOpenToAll(page, 390)
  await type(page, 'Name', 'South side')
  await press(page, 'button', 'Save gadget')
  await shows(page, 'No name matches “NORTH”')
  await press(page, 'button', 'Clear search')
  await expectOpenToAll(page, 390)
  await press(page, 'link', 'South side')
  await press(page, 'button', 'Delete gadget')
  await confirm(page, 'Delete “South side”?', 'Delete gadget')
  await shows(page, '“South side” is deleted', 'No gadgets yet')
})
