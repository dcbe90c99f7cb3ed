import { calls } from '#contract/calls.ts'
import { projectPath } from '#contract/paths.ts'
import type { Page } from '@playwright/test'
import { aDevice } from './a-device.ts'
import { anApp } from './an-app.ts'
import { expectOpenToAll } from './check-screen.ts'
import { press, type } from './keys.ts'
import { confirm, mailsTo, password, signIn, submit } from './people.ts'
import { addressOf, annsProject, ask } from './projects.ts'
import { aPhone, expect, hold, mayRefuse, shows, test } from './visitor.ts'

const home = 'Bridge renewal'
/** What a project that shuts refuses on whatever screen is open. */
const ofProjects = Object.entries(calls).flatMap(([name, { needs }]) =>
  needs === 'anyone' || needs === 'signedIn' ? [] : name,
)

const shut = (page: Page) => page.getByRole('heading', { level: 1, name: 'Second step needed' })

async function expectOpen(page: Page) {
  await expect(page.getByRole('heading', { level: 1, name: home })).toBeVisible()
  await expect(shut(page)).toHaveCount(0)
}

function asks(owner: Page, subscriptionId: string, from?: number) {
  const demand = { subscriptionId, requireSecondFactor: true, ...(from && { from }) }
  return ask(owner, 'updateSubscriptionSecurity', demand)
}

/** Sets an app up in another browser of a person: the session of their page has not passed it. */
async function withAppElsewhere(page: Page, another: (name?: string) => Promise<Page>) {
  const elsewhere = await another()
  await signIn(elsewhere, await addressOf(page))
  await expect(elsewhere.getByRole('heading', { name: 'Your projects' })).toBeVisible()
  return anApp(elsewhere)
}

/** Passes the second step in the dialog. */
async function confirmWith(page: Page, code: string) {
  const dialog = page.getByRole('dialog', { name: "Confirm it's you" })
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByLabel('Code from your app').fill(code)
  await dialog.getByRole('button', { name: 'Sign in again' }).click()
}

test('an owner asks at once, and a member sets up an app where the project shuts', async ({
  page,
  another,
}) => {
  const member = await another('Mia Miller')
  const id = await annsProject(page, { member, screen: 'settings' })
  mayRefuse(member, ...ofProjects)
  await member.goto(projectPath('subscription', id))
  await expectOpen(member)

  await shows(
    page,
    'To ask for it, set up an app for codes or a passkey for your own account first.',
  )
  await page.getByRole('link', { name: 'Set it up in your profile' }).click()
  await expect(page.getByRole('heading', { name: 'My Profile' })).toBeVisible()
  await anApp(page)
  await page.goBack()
  await shows(page, 'Members can open this project with a password alone.')
  await shows(page, /have not set it up yet\.$/)
  await page.getByRole('button', { name: 'Ask for two-step sign-in' }).click()
  await shows(page, /^Since .+, this project opens only after two-step sign-in\.$/)

  await expect(shut(member)).toBeVisible()
  await expect(member.getByRole('link', { name: 'Members' })).toHaveCount(0)
  const address = await addressOf(member)
  await expect
    .poll(async () => (await mailsTo(member, address)).map(({ subject }) => subject))
    .toContain('Bridge renewal asks for two-step sign-in')
  await member.getByRole('link', { name: 'Set it up in your profile' }).click()
  await expect(member.getByRole('heading', { name: 'My Profile' })).toBeVisible()
  await anApp(member)
  await member.goBack()
  await expectOpen(member)

  await page.getByRole('button', { name: 'Stop asking' }).click()
  await confirm(page, 'Stop asking for two-step sign-in?', 'Stop asking')
  await shows(page, 'The project no longer asks for two-step sign-in.')
  await shows(page, 'Members can open this project with a password alone.')
})

test('a member whose session has not passed the step passes it in place, by keyboard', async ({
  page,
  another,
}) => {
  const member = await another('Mia Miller')
  const id = await annsProject(page, { member })
  await anApp(page)
  await asks(page, id)
  const { next } = await withAppElsewhere(member, another)
  mayRefuse(member, ...ofProjects, 'reauthenticate')
  await member.goto(projectPath('subscription', id))
  await expect(shut(member)).toBeVisible()
  await press(member, 'button', 'Confirm and open')
  await shows(member.getByRole('dialog'), 'This project asks for two-step sign-in.')
  await type(member, 'Password', password)
  await type(member, 'Code from your app', next())
  await press(member, 'button', 'Sign in again')
  await expectOpen(member)
})

test('what somebody saves when the project shuts is saved once they have passed', async ({
  page,
  another,
}) => {
  const admin = await another('Bob Baker')
  const id = await annsProject(page, { admin })
  await anApp(page)
  const { next } = await withAppElsewhere(admin, another)
  mayRefuse(admin, ...ofProjects)
  // The tab hears nothing of the demand.
  const hear = await hold(admin, '**/live')
  await admin.goto(projectPath('settings', id))
  await expect(admin.getByLabel('Project Name')).toBeVisible()
  await asks(page, id)
  await submit(admin, 'Save settings', { 'Project Name': 'Tunnel' })
  await confirmWith(admin, next())
  await expect(admin.getByRole('heading', { level: 1, name: 'Tunnel' })).toBeVisible()
  hear()
})

test('a member leaves a project that is shut', async ({ page, another }) => {
  const member = await another('Mia Miller')
  const id = await annsProject(page, { member })
  await anApp(page)
  await asks(page, id)
  mayRefuse(member, ...ofProjects)
  await member.goto(projectPath('subscription', id))
  await member.getByRole('button', { name: 'Leave project' }).click()
  await confirm(member, `Leave ${home}?`, 'Leave project')
  await expect(member.getByRole('heading', { name: 'Your projects' })).toBeVisible()
  await shows(member, `You've left ${home}.`)
})

test('before its date a demand is a banner, and at its date an open tab shuts', async ({
  page,
  another,
}) => {
  const member = await another('Mia Miller')
  const id = await annsProject(page, { member, screen: 'subscription' })
  await anApp(page)
  mayRefuse(member, ...ofProjects)
  const now = Math.floor(Date.now() / 1000)
  await asks(page, id, now + 86_400)
  await member.goto(projectPath('subscription', id))
  const banner = /^From .+ on, this project asks for two-step sign-in\.$/
  await shows(member, banner)
  await expect(page.getByText(banner)).toHaveCount(0)
  await asks(page, id, Math.floor(Date.now() / 1000) + 2)
  await expect(shut(member)).toBeVisible()
  await expectOpen(page)
})

test('a person with only a passkey is asked for just that', async ({ page, another }) => {
  const member = await another('Mia Miller')
  const id = await annsProject(page, { member })
  await anApp(page)
  await asks(page, id)
  mayRefuse(member, ...ofProjects)
  await aDevice(member)
  await member.goto('/profile')
  await member.getByRole('button', { name: 'Add a passkey' }).click()
  await shows(member, /is added\.$/)
  await member.goto(projectPath('subscription', id))
  await member.getByRole('button', { name: 'Confirm and open' }).click()
  const dialog = member.getByRole('dialog', { name: "Confirm it's you" })
  await expect(dialog.getByLabel('Password', { exact: true })).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Use a passkey' }).click()
  await expectOpen(member)
})

test('what a demand shows is open to all', async ({ page, another }) => {
  test.slow()
  const member = await another('Mia Miller', aPhone)
  await member.emulateMedia({ reducedMotion: 'reduce' })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const id = await annsProject(page, { member })
  await anApp(page)
  mayRefuse(member, ...ofProjects)
  await asks(page, id, Math.floor(Date.now() / 1000) + 86_400)
  await page.goto(projectPath('settings', id))
  await expect(page.getByRole('button', { name: 'Stop asking' })).toBeVisible()
  await expectOpenToAll(page)
  await asks(page, id)
  await member.goto(projectPath('subscription', id))
  await expect(member.getByRole('link', { name: 'Set it up in your profile' })).toBeVisible()
  await expectOpenToAll(member)
})
