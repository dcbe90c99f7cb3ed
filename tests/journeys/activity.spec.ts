import type { Activity } from '#contract/entries.ts'
import { download, signedInAs } from './people.ts'
import { annsProject, ask, idOf, invites, renames } from './projects.ts'
import { expect, shows, test } from './visitor.ts'

test('an administrator finds and downloads what others did', async ({ page, another }) => {
  const guest = await another('Bob Baker')
  const subscriptionId = await annsProject(page, { admin: guest, screen: 'subscription' })
  await invites(guest, subscriptionId, 'carla@example.com', ['editor'])
  await renames(guest, subscriptionId, '=Bridge, "new"')

  await page.getByRole('link', { name: 'Activity' }).click()
  await expect(page).toHaveTitle('Activity · =Bridge, "new" · Pergola')
  const rows = page.getByRole('table').getByRole('row')
  await expect(rows).toHaveCount(7)
  await expect(rows.nth(1)).toContainText(/Bob Baker renamed .+ to =Bridge, "new"/)
  await expect(rows.nth(2)).toContainText('Bob Baker invited carla@example.com as an editor')
  await expect(rows.nth(6)).toContainText('Ann Archer created the project on the Free plan')
  const time = rows.nth(6).getByRole('time')
  await expect(time).toHaveText(/^(just now|\d+ minutes? ago)$/)
  await expect(time).toHaveAttribute('title', /^\w{3} \d+, \d{4}, \d+:\d\d [AP]M$/)

  await page.getByLabel('Show', { exact: true }).selectOption('People')
  await expect(rows).toHaveCount(4)
  await page.getByRole('searchbox').fill('CARLA@')
  await expect(rows).toHaveCount(2)
  await expect(page).toHaveURL(/area=people.*search=CARLA/)
  await page.reload()
  await expect(rows).toHaveCount(2)
  await page.getByRole('searchbox').fill('zebra')
  await shows(page, 'Nothing matches')
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
  expect(entries.map(({ kind }) => kind).join()).toBe(
    'settingsChanged,inviteSent,memberJoined,inviteSent,settingsChanged,projectCreated',
  )
  expect(entries.every(({ time }) => Date.parse(time) > 0)).toBe(true)
})

test('a downloaded file names cards with plain spaces, as people search for them', async ({
  page,
}) => {
  await annsProject(page, { plan: 'pro', screen: 'activity' })
  const { text } = await download(page, 'Download CSV')
  expect(text).toContain('Visa •••• 4242')
})

test('people find and download their own activity', async ({ page, another }) => {
  const host = await another()
  await signedInAs(page, 'Bob Baker')
  const subscriptionId = await annsProject(host, { admin: page })
  await invites(page, subscriptionId, 'carla@example.com')
  await renames(page, subscriptionId, '=Bridge, "new"')

  await page.goto('/profile')
  await page.getByRole('link', { name: 'See your activity' }).click()
  const rows = page.getByRole('table').getByRole('row')
  await expect(rows).toHaveCount(5)
  await expect(rows.nth(1)).toContainText(/^Bob Baker renamed .+ to =Bridge, "new".*=Bridge, "new"/)
  await ask(host, 'removeUser', { subscriptionId, userId: await idOf(page) })
  await page.reload()
  await expect(rows.nth(1)).toContainText(
    /Ann Archer removed Bob Baker from the project.*A project you're not in/,
  )
  await expect(page.getByText('Bridge')).toHaveCount(0)
  await page.getByLabel('Show', { exact: true }).selectOption('Account')
  await expect(rows).toHaveCount(2)
  await expect(rows.nth(1)).toContainText(/^Bob Baker signed in with .*Your account/)
  const { name } = await download(page, 'Download JSON')
  expect(name).toMatch(/^pergola-activity-\d{4}-\d\d-\d\d\.json$/)
})

test('a user’s activity shows that somebody typed a wrong password', async ({ page }) => {
  const email = await signedInAs(page, 'Ann Archer')
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
  await page.request.post('/api/signIn', {
    data: { data: { email, password: 'a guess' } },
    headers: { 'user-agent': firefox },
  })
  const newest = page.getByRole('table').getByRole('row').nth(1)
  const words = /Someone entered a wrong password with Firefox on Linux from [\w.:]+.*Your account/
  await expect(async () => {
    await page.goto('/activity')
    await expect(newest).toContainText(words, { timeout: 3000 })
  }).toPass()
})
