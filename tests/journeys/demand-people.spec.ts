import { projectPath } from '#contract/paths.ts'
import type { Page } from '@playwright/test'
import { anApp } from './an-app.ts'
import { expectOpenToAll } from './check-screen.ts'
import { download, mailedLink, newAddress, newestMail } from './people.ts'
import { addressOf, annsProject, ask, invites } from './projects.ts'
import { aPhone, expect, expectPassing, mayRefuse, shows, test } from './visitor.ts'

const missing = 'No second step'

/**
 * Ann's project, which asks for a second step in a week, with Bob, an administrator without a
 * factor, and an invitation.
 */
async function openAskingTeam(page: Page, bob: Page) {
  const subscriptionId = await annsProject(page, { admin: bob })
  await invites(page, subscriptionId, newAddress('zoe'), [], 'Zoe Zimmer')
  await anApp(page)
  const from = Math.floor(Date.now() / 1000) + 7 * 24 * 3600
  await ask(page, 'updateSubscriptionSecurity', { subscriptionId, requireSecondFactor: true, from })
  await page.goto(projectPath('users', subscriptionId))
  await shows(page, '1 member has no two-step sign-in.')
  return subscriptionId
}

const row = (page: Page, name: string) => page.getByRole('row', { name })
const reminder = (page: Page) => page.getByRole('button', { name: 'Send a reminder' })

test('a project that asks for no second step marks nobody', async ({ page, another }) => {
  await annsProject(page, { admin: await another('Bob Baker'), screen: 'users' })
  await expect(row(page, 'Bob Baker')).toBeVisible()
  await expect(page.getByText(/two-step sign-in|No second step/)).toHaveCount(0)
  await expect(page.getByRole('option', { name: 'Without two-step sign-in' })).toHaveCount(0)
  const { text } = await download(page, 'Download CSV')
  expect(text).not.toContain('has_second_factor')
})

test('members without a second step are marked and filtered until they have one', async ({
  page,
  another,
}) => {
  const bob = await another('Bob Baker')
  await openAskingTeam(page, bob)
  await expect(row(page, 'Bob Baker').getByText(missing).filter({ visible: true })).toHaveCount(1)
  for (const name of ['Ann Archer', 'Zoe Zimmer'])
    await expect(row(page, name).getByText(missing)).toHaveCount(0)
  await page
    .getByRole('combobox', { name: 'Show' })
    .selectOption({ label: 'Without two-step sign-in' })
  await expect(row(page, 'Ann Archer')).toHaveCount(0)
  await expect(row(page, 'Bob Baker')).toBeVisible()
  await anApp(bob)
  await page.reload()
  await shows(page, 'Nobody is missing two-step sign-in')
  await expect(reminder(page)).toHaveCount(0)
})

test('a reminder reaches the member, and a second one is refused in words', async ({
  page,
  another,
}) => {
  mayRefuse(page, 'remindOfSecondFactor')
  const bob = await another('Bob Baker')
  const id = await openAskingTeam(page, bob)
  const address = await addressOf(bob)
  const subject = 'Bridge renewal asks for two-step sign-in'
  await expect.poll(() => newestMail(page, address)).toBe(subject)
  await ask(bob, 'updateProfile', { displayName: 'Bob Baker' })
  await expectPassing(page, '1 member is reminded by email.', 'Send a reminder')
  await expect
    .poll(async () => {
      const mails = await page.request.get(`/dev/mail.json?to=${encodeURIComponent(address)}`)
      const kept = (await mails.json()) as { subject: string }[]
      return kept.filter((mail) => mail.subject === subject).length
    })
    .toBe(2)
  await reminder(page).click()
  await shows(
    page,
    'A reminder has gone out within the last day. You can send the next one tomorrow.',
  )
  await ask(page, 'updateSubscriptionSecurity', { subscriptionId: id, requireSecondFactor: false })
})

test('the CSV of an asking project tells who has a second step', async ({ page, another }) => {
  await openAskingTeam(page, await another('Bob Baker'))
  const { text } = await download(page, 'Download CSV')
  const lines = text.trim().split('\r\n')
  const columns = lines.map((line) => line.split(',').at(-1))
  expect(columns).toEqual(['"has_second_factor"', '"true"', '"false"', '""'])
})

test('nobody can give an asking project to somebody without a second step', async ({
  page,
  another,
}) => {
  const bob = await another('Bob Baker')
  const id = await openAskingTeam(page, bob)
  await page.goto(projectPath('transferOwnership', id))
  await shows(page, 'The new owner needs two-step sign-in or a passkey first')
  await expect(page.getByRole('radio', { name: 'Bob Baker' })).toBeDisabled()
  await anApp(bob)
  await page.reload()
  await expect(page.getByRole('radio', { name: 'Bob Baker' })).toBeEnabled()
})

test('an invitation and the list of projects say what a project asks', async ({
  page,
  another,
}) => {
  test.slow()
  const mia = await another('Mia Miller', aPhone)
  await mia.emulateMedia({ reducedMotion: 'reduce' })
  const id = await openAskingTeam(page, await another('Bob Baker'))
  const address = await addressOf(mia)
  await invites(page, id, address)
  const said = /From .+ on, the project asks for two-step sign-in\./
  const visitor = await another(undefined, aPhone)
  await visitor.emulateMedia({ reducedMotion: 'reduce' })
  await visitor.goto(await mailedLink(page, address))
  await shows(visitor, said)
  await expectOpenToAll(visitor)
  await mia.goto('/dashboard')
  await shows(mia, said)
  await expectOpenToAll(mia)
  await mia.getByRole('button', { name: 'Accept' }).click()
  await expect(mia.getByText(said)).toHaveCount(0)
  mayRefuse(mia, 'getSubscription')
  await ask(page, 'updateSubscriptionSecurity', { subscriptionId: id, requireSecondFactor: true })
  await mia.goto('/dashboard')
  const card = mia.getByRole('region', { name: 'Projects' }).getByRole('listitem')
  await shows(card, 'Second step needed')
  await expect(card.getByText(/people|Owned by/)).toHaveCount(0)
  await expectOpenToAll(mia)
})

test.describe('on a phone', () => {
  test.use(aPhone)

  test('everyone can read who lacks a second step', async ({ page, another }) => {
    test.slow()
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await openAskingTeam(page, await another('Bob Baker'))
    await expectOpenToAll(page)
  })
})
