import type { Activity } from '#contract/entities.ts'
import type { Page } from '@playwright/test'
import { readFile } from 'node:fs/promises'
import { signedInAs } from './people.ts'
import { annsProject, ask, joins } from './projects.ts'
import { expect, test } from './visitor.ts'

/** The file that a button hands over, and its name. */
async function download(page: Page, button: string) {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ])
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') }
}

test('an administrator sees, finds and downloads what another one did, and people see their own activity', async ({
  page,
  another,
}) => {
  const subscriptionId = await annsProject(page, { plan: 'free', name: 'Bridge renewal' })
  const guest = await another('Bob Baker')
  await joins(guest, page, subscriptionId, ['admin'])
  await ask(guest, 'createInvite', {
    subscriptionId,
    email: 'carla@example.com',
    permissions: ['editor'],
  })
  await ask(guest, 'updateSubscriptionSettings', {
    subscriptionId,
    settings: { name: '=Bridge, "new"' },
  })

  await page.goto(`/subscription/${subscriptionId}`)
  await page.getByRole('link', { name: 'Activity' }).click()
  await expect(page).toHaveTitle('Activity · =Bridge, "new" · Atrium')
  const rows = page.getByRole('table').getByRole('row')
  await expect(rows).toHaveCount(7)
  await expect(rows.nth(1)).toContainText(/Bob Baker.*Changed the settings: Project Name/)
  await expect(rows.nth(2)).toContainText('Invited carla@example.com (permissions: Access, Editor)')
  await expect(rows.nth(6)).toContainText(/Ann Archer.*You.*Created the project on the Free plan/)

  await page.getByLabel('Show', { exact: true }).selectOption('People')
  await expect(rows).toHaveCount(4)
  await page.getByRole('searchbox').fill('CARLA@')
  await expect(rows).toHaveCount(2)
  await expect(page).toHaveURL(/area=people.*search=CARLA/)
  await page.reload()
  await expect(rows).toHaveCount(2)
  await page.getByRole('searchbox').fill('zebra')
  await expect(page.getByText('Nothing matches')).toBeVisible()
  await page.getByRole('button', { name: 'Show everything' }).click()
  await expect(rows).toHaveCount(7)
  await expect(page.getByRole('searchbox')).toHaveValue('')

  const csv = await download(page, 'Download CSV')
  expect(csv.name).toMatch(/^bridge-new-activity-\d{4}-\d\d-\d\d\.csv$/)
  expect(csv.text.startsWith('\uFEFF"time","kind","actor",')).toBe(true)
  const lines = csv.text.trimEnd().split('\r\n')
  expect(lines).toHaveLength(7)
  expect(lines[1]).toMatch(
    /^"\d{4}-\d\d-\d\dT[\d:.]+Z","settingsChanged","Bob Baker","\w{20}","","'=Bridge, ""new""",/,
  )
  const json = await download(page, 'Download JSON')
  expect(json.name).toMatch(/^bridge-new-activity-\d{4}-\d\d-\d\d\.json$/)
  const entries = JSON.parse(json.text) as (Activity & { time: string })[]
  expect(entries.map(({ kind }) => kind)).toEqual([
    'settingsChanged',
    'inviteSent',
    'memberJoined',
    'inviteSent',
    'settingsChanged',
    'projectCreated',
  ])
  expect(entries.every(({ time }) => Date.parse(time) > 0)).toBe(true)

  await guest.goto('/profile')
  await guest.getByRole('link', { name: 'See your activity' }).click()
  const own = guest.getByRole('table').getByRole('row')
  await expect(own).toHaveCount(5)
  await expect(own.nth(1)).toContainText(/You.*Changed the settings: Project Name.*=Bridge, "new"/)
  await ask(page, 'removeUser', { subscriptionId, userId: entries[0]!.actor!.id })
  await guest.reload()
  await expect(own.nth(1)).toContainText(
    /Ann Archer.*Removed Bob Baker from the project.*A project you're not in/,
  )
  await expect(guest.getByText('Bridge')).toHaveCount(0)
  await guest.getByLabel('Show', { exact: true }).selectOption('Account')
  await expect(own).toHaveCount(2)
  await expect(own.nth(1)).toContainText(/Signed in with .*Your account/)
  expect((await download(guest, 'Download JSON')).name).toMatch(
    /^atrium-activity-\d{4}-\d\d-\d\d\.json$/,
  )
})

test('the owner of an account sees a wrong password in their activity', async ({ page }) => {
  const email = await signedInAs(page, 'Ann Archer')
  const headers = {
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  }
  await page.request.post('/api/signIn', {
    data: { data: { email, password: 'a guess' } },
    headers,
  })
  const newest = page.getByRole('table').getByRole('row').nth(1)
  await expect(async () => {
    await page.goto('/activity')
    await expect(newest).toContainText(
      /Somebody.*Entered a wrong password with Firefox on Linux from [\w.:]+.*Your account/,
      {
        timeout: 3000,
      },
    )
  }).toPass()
})
