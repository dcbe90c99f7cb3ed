import { expectOpenToAll } from '../../tests/journeys/check-screen.ts'
import { confirm, submit } from '../../tests/journeys/people.ts'
import { annsProject } from '../../tests/journeys/projects.ts'
import { expect, shows, test } from '../../tests/journeys/visitor.ts'

test.use({ reducedMotion: 'reduce' })

test('an administrator adds a webhook, sends it a test, pauses, renews and deletes it', async ({
  page,
}) => {
  await annsProject(page, { screen: 'settings' })
  await page.getByRole('main').getByRole('link', { name: 'Webhooks' }).click()
  await shows(page, 'No webhooks yet')
  await expectOpenToAll(page)
  await page.getByRole('link', { name: 'Add webhook' }).click()
  await page.getByLabel('All events').uncheck()
  await page.getByLabel('memberJoined').check()
  await expectOpenToAll(page)
  await submit(page, 'Add webhook', { URL: 'https://hooks.invalid/project' })
  await shows(page, 'nobody can see it again', 'No deliveries yet')
  const secret = page.getByText(/^whsec_/)
  const first = await secret.textContent()
  await page.getByRole('button', { name: 'Send test event' }).click()
  await shows(page, 'ENOTFOUND after')
  await expectOpenToAll(page)
  await page.getByRole('button', { name: 'Send again' }).click()
  await page.getByRole('button', { name: 'Pause webhook' }).click()
  await shows(page, 'Events wait until you switch the webhook on.')
  await page.getByRole('button', { name: 'Switch on' }).click()
  await expect(page.getByRole('button', { name: 'Pause webhook' })).toBeVisible()
  await page.getByRole('button', { name: 'Renew secret' }).click()
  await expect(secret).not.toHaveText(first!)
  await page.getByRole('button', { name: 'Delete webhook' }).click()
  await confirm(page, 'Delete the webhook to hooks.invalid?', 'Delete webhook')
  await shows(page, 'The webhook to hooks.invalid is deleted', 'No webhooks yet')
})
