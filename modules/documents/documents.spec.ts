import { projectPath } from '#contract/paths.ts'
import { expectOpenToAll } from '../../tests/journeys/check-screen.ts'
import { press, type } from '../../tests/journeys/keys.ts'
import { confirm, submit } from '../../tests/journeys/people.ts'
import { annsProject, ask, joins } from '../../tests/journeys/projects.ts'
import { expect, mayRefuse, shows, test } from '../../tests/journeys/visitor.ts'

const calm = { reducedMotion: 'reduce' } as const
test.use(calm)

test('by keyboard on a phone a document is written, found, changed and deleted', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await annsProject(page, { screen: 'documents' })
  await press(page, 'link', 'New document')
  await type(page, 'Title', 'Site rules')
  await type(page, 'Text (optional)', 'Helmets on.\nNo shoes.')
  await press(page, 'button', 'Save document')
  await shows(page, '1 of 3 documents')
  await type(page, 'Search by title', 'RULES')
  await expect(page).toHaveURL(/search=RULES$/)
  await press(page, 'link', 'Site rules')
  await expect(page.getByLabel('Text')).toHaveValue('Helmets on.\nNo shoes.')
  await type(page, 'Title', 'House')
  await press(page, 'button', 'Save document')
  await shows(page, 'No title matches “RULES”')
  await press(page, 'button', 'Clear search')
  await press(page, 'link', 'House')
  await press(page, 'button', 'Delete document')
  await confirm(page, 'Delete “House”?', 'Delete document')
  await shows(page, '“House” is deleted', 'No documents yet')
})

test('of two who write at once, one reads what the other has saved, and may replace it', async ({
  page,
  another,
}) => {
  const bob = await another('Bob Baker')
  const subscriptionId = await annsProject(page)
  await joins(bob, page, subscriptionId, ['editor'])
  const plan = { subscriptionId, title: 'Plan', text: 'Monday' }
  const { documentId } = await ask(page, 'createDocument', plan)
  const path = `${projectPath('document', subscriptionId)}?document=${documentId}`
  for (const tab of [page, bob]) await tab.goto(path)
  await page.getByLabel('Text').fill('Tuesday')
  await submit(bob, 'Save document', { Title: 'The plan', 'Text (optional)': 'Friday' })
  await shows(page, 'Bob Baker has changed this meanwhile', 'Text is now “Friday”.')
  await expect(page.getByLabel('Title')).toHaveValue('The plan')
  await submit(page, 'Save document')
  await shows(page, 'Document saved')
  await bob.goto(path)
  await expect(bob.getByLabel('Text')).toHaveValue('Tuesday')
})

test('a member reads, and learns that a document is gone', async ({ page, another }) => {
  const carla = await another('Carla Cruz', calm)
  const subscriptionId = await annsProject(page, { member: carla })
  const long = { subscriptionId, title: 'x'.repeat(200), text: 'One\n  Two' }
  const { documentId } = await ask(page, 'createDocument', long)
  await carla.goto(projectPath('documents', subscriptionId))
  await shows(carla, 'Not part of the plan: Download of all documents')
  await expect(carla.getByRole('link', { name: 'New document' })).toBeHidden()
  await expectOpenToAll(carla)
  await carla.getByRole('link', { name: /^x+$/ }).click()
  await shows(carla, 'One Two')
  await expectOpenToAll(carla)
  mayRefuse(carla, 'getDocument')
  await ask(page, 'deleteDocument', { subscriptionId, documentId })
  await shows(carla, 'There is no such document. It may have been deleted.')
})
